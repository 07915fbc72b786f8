/** The roles of controls, which need a name for users who cannot see them. */
const interactive = new Set([
  "button", "checkbox", "combobox", "link", "listbox", "menuitem", "option", "radio", "searchbox",
  "slider", "spinbutton", "switch", "tab", "textbox", "treeitem",
]);
/** The roles of parts that need a name if there are several. */
const named = new Set(["region", "tablist", "tree", "group", "img", "article", "dialog", "alertdialog", "table"]);

/**
 * Returns elements without an accessible name, according to the browser's accessibility tree.
 * @param {import("../page.js").Page} page
 * @returns {Promise<string[]>} one line each
 */
export async function nameFaults(page) {
  await page.send("Accessibility.enable");
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  await page.send("Accessibility.disable");
  const faults = [];
  const landmarks = new Map();
  for (const { ignored, role, name, backendDOMNodeId } of nodes) {
    if (ignored || !role) continue;
    const text = name?.value?.trim() ?? "";
    if (!text && (interactive.has(role.value) || named.has(role.value))) {
      faults.push(`name: a ${role.value} has none: ${await markup(page, backendDOMNodeId)}`);
    }
    // A form without a name is not a landmark.
    if (text && ["region", "form", "navigation", "complementary"].includes(role.value)) {
      const key = `${role.value} "${text}"`;
      landmarks.set(key, (landmarks.get(key) ?? 0) + 1);
    }
  }
  for (const [key, count] of landmarks) if (count > 1) faults.push(`name: ${count} parts are called ${key}`);
  return faults;
}

/** Returns the beginning of an element's markup, for the message. */
async function markup(page, backendNodeId) {
  const { outerHTML } = await page.send("DOM.getOuterHTML", { backendNodeId });
  return outerHTML.slice(0, 120);
}
