/**
 * Walks the page with the Tab key: each control must be reached, and must show that it has the focus.
 * @param {import("../page.js").Page} page
 * @returns {Promise<string[]>} one line each
 */
export async function focusFaults(page) {
  const count = await page.evaluate(prepare);
  // The walk begins at the current focus, and goes round once.
  for (let step = 0; step < count + 50; step++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(visit)) break;
  }
  return page.evaluate(conclude);
}

/** Records each control and its appearance without the focus; returns the number of controls. */
function prepare() {
  document.activeElement?.blur();
  const looks = (element) => {
    const parts = [element, ...[...element.children].slice(0, 3)];
    return parts
      .map((part) => {
        const style = getComputedStyle(part);
        const outline = style.outlineStyle === "none" ? "none" : `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`;
        return [outline, style.boxShadow, style.borderColor, style.backgroundColor, style.stroke, style.strokeWidth, style.textDecorationLine].join();
      })
      .join("|");
  };
  const told = (element) => {
    const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent.trim().slice(0, 40);
    return `"${name}" (${element.tagName.toLowerCase()})`;
  };
  // Elements behind a modal dialog cannot get the focus.
  const whole = document.querySelector("dialog:modal") ?? document;
  const wanted = [...whole.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]")]
    .filter((element) => element.tabIndex >= 0 && !element.disabled && !element.closest("[inert]"))
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }));
  // A group with arrow keys must have an element that the Tab key reaches.
  const closed = [...document.querySelectorAll("[role=tablist], [role=tree], [role=radiogroup]")].filter(
    (group) =>
      group.checkVisibility() &&
      group.querySelector("[role=tab]:not(:disabled), [role=treeitem], [role=radio]") &&
      ![...group.querySelectorAll("[tabindex='0'], a, button:not([tabindex='-1'])")].length,
  );
  document.focusWalk = { looks, told, wanted, closed, before: new Map(wanted.map((each) => [each, looks(each)])), visited: new Set(), unseen: [] };
  return wanted.length;
}

/** Records the focused element; returns whether the walk is complete. A busy machine may draw the focus late. */
async function visit() {
  const { looks, told, before, visited, unseen } = document.focusWalk;
  const element = document.activeElement;
  if (!element || element === document.body) return false;
  if (visited.has(element)) return true;
  visited.add(element);
  for (const start = performance.now(); before.get(element) === looks(element); ) {
    if (performance.now() - start > 2_000) {
      unseen.push(told(element));
      break;
    }
    await new Promise(requestAnimationFrame);
  }
  return false;
}

/** Returns the controls that were not reached or did not show the focus. */
function conclude() {
  const { told, wanted, closed, visited, unseen } = document.focusWalk;
  delete document.focusWalk;
  return [
    ...wanted.filter((each) => each.isConnected && !visited.has(each)).map((each) => `focus: Tab does not come to ${told(each)}`),
    ...closed.map((each) => `focus: Tab cannot enter ${told(each)}`),
    ...unseen.map((each) => `focus: ${each} does not show that it has the focus`),
  ];
}
