/**
 * Returns controls that are too small to hit. The function runs in the page, so it must not use anything outside itself.
 * @returns {string[]} one line each
 */
export function targetFaults() {
  const least = 24;
  const controls = "a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=slider], [role=treeitem]";
  const isInSentence = (element) =>
    getComputedStyle(element).display === "inline" &&
    [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll(controls)]
    .filter((element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
    .filter((element) => !element.closest("[inert], [aria-hidden=true]") && !isInSentence(element))
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    // Controls that are only visible with the focus are reached by Tab, not hit.
    .filter(({ element, box }) => box.width > 1 && box.height > 1 && getComputedStyle(element).clipPath !== "inset(50%)")
    .filter(({ box }) => box.width < least - 0.5 || box.height < least - 0.5)
    .map(({ element, box }) => {
      const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
      return `target: "${name}" (${element.tagName.toLowerCase()}) has only ${Math.round(box.width)} by ${Math.round(box.height)} pixels`;
    });
}
