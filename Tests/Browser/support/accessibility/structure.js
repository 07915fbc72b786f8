/**
 * Returns faults in the document's structure. The function runs in the page, so it must not use anything outside itself.
 * @returns {string[]} one line each
 */
export function structureFaults() {
  const faults = [];
  const all = [...document.querySelectorAll("*")];
  const told = (element) => {
    const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40) ?? "";
    return `<${element.tagName.toLowerCase()}${element.id && ` id=${element.id}`} class="${element.getAttribute("class") ?? ""}"> ${name}`;
  };
  const isShown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const isHidden = (element) => !isShown(element) || element.closest("[aria-hidden=true], [inert]");

  const ids = all.map(({ id }) => id).filter(Boolean);
  for (const id of new Set(ids.filter((id, place) => ids.indexOf(id) !== place))) faults.push(`id: ${id} is there twice`);

  const references = ["aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant", "aria-errormessage", "aria-details", "for"];
  for (const name of references) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const missing = element.getAttribute(name).split(/\s+/).filter((id) => id && !document.getElementById(id));
      if (missing.length) faults.push(`reference: ${name} of ${told(element)} names ${missing.join(", ")}, which is not there`);
    }
  }

  for (const picture of document.querySelectorAll("img, svg, canvas")) {
    if (isHidden(picture) || picture.parentElement.closest("svg, [role=img]")) continue;
    const role = picture.getAttribute("role") ?? (picture.tagName === "IMG" ? "img" : null);
    const name = picture.getAttribute("aria-label") ?? picture.getAttribute("aria-labelledby") ?? picture.getAttribute("alt") ?? picture.querySelector(":scope > title")?.textContent;
    if (!role) faults.push(`picture: ${told(picture)} has no role and is not hidden`);
    else if (!name && picture.getAttribute("alt") !== "") faults.push(`picture: ${told(picture)} has no name`);
  }

  let level = 0;
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")].filter((each) => !isHidden(each));
  for (const heading of headings) {
    const next = Number(heading.getAttribute("aria-level") ?? heading.tagName[1]);
    if (next > level + 1) faults.push(`heading: ${told(heading)} is of level ${next} after one of level ${level}`);
    if (!heading.textContent.trim()) faults.push(`heading: ${told(heading)} is empty`);
    level = next;
  }
  const first = headings.filter((each) => each.tagName === "H1").length;
  if (first !== 1) faults.push(`heading: there are ${first} of level 1`);

  const mains = [...document.querySelectorAll("main, [role=main]")].filter((each) => !isHidden(each));
  if (mains.length !== 1) faults.push(`landmark: there are ${mains.length} main parts`);
  if (!document.querySelector("body > header, [role=banner]")) faults.push("landmark: there is no banner");
  const landmarks = "main, nav, aside, body > header, body > footer, [role=banner], [role=navigation], [role=complementary], [role=contentinfo], [role=region], section[aria-label], section[aria-labelledby], form[aria-label], form[aria-labelledby]";
  for (const child of document.body.children) {
    const isSkip = child.matches("a[href^='#']");
    if (!isSkip && !isHidden(child) && child.textContent.trim() && !child.closest(landmarks) && !child.matches("script, style, dialog, noscript")) {
      faults.push(`landmark: ${told(child)} is in none`);
    }
  }

  for (const element of document.querySelectorAll("[tabindex]")) {
    if (Number(element.getAttribute("tabindex")) > 0) faults.push(`order: ${told(element)} has a positive tabindex`);
  }
  for (const element of document.querySelectorAll("[aria-hidden=true] :is(a[href], button, input, select, textarea, [tabindex='0'])")) {
    if (isShown(element) && !element.disabled && !element.closest("[inert]")) faults.push(`hidden: ${told(element)} can have the focus but is hidden from readers`);
  }
  for (const element of document.querySelectorAll("a[href], button, summary, [role=button], [role=link]")) {
    if (element.querySelector("a[href], button, input, select, textarea, [tabindex]")) faults.push(`nesting: ${told(element)} holds another control`);
  }

  const parents = { tab: "tablist", treeitem: "tree, group", option: "listbox, group", row: "table, grid, rowgroup, treegrid", listitem: "list, directory" };
  for (const [role, wanted] of Object.entries(parents)) {
    for (const element of document.querySelectorAll(`[role=${role}]`)) {
      const above = wanted.split(", ").map((each) => `[role=${each}]`).join(", ");
      if (!isHidden(element) && !element.parentElement.closest(above)) faults.push(`role: ${told(element)} is a ${role} outside of ${wanted}`);
    }
  }
  if (!document.documentElement.lang) faults.push("language: the document does not say which it is in");
  if (!document.title.trim()) faults.push("title: the document has none");
  return faults;
}
