// Highlights related parts: a screen, coordinator or entry under the pointer or focus, and everything about the same screens.
import { set } from "../document/element.js";

/**
 * @param {HTMLElement} root The element whose parts have the ids of their screens in `data-screens`.
 */
export function lightUp(root) {
  /** @type {string | null} */
  let lit = null;

  /** @param {Event} event */
  function follow({ target }) {
    const screens = target instanceof Element ? target.closest("[data-screens]")?.getAttribute("data-screens") ?? "" : "";
    if (screens === lit) return;
    lit = screens;
    const ids = new Set(screens.split(" ").filter(Boolean));
    for (const part of root.querySelectorAll("[data-screens]")) {
      const own = (part.getAttribute("data-screens") ?? "").split(" ");
      set(part, "data-lit", own.some((id) => ids.has(id)));
    }
  }

  for (const name of ["pointerover", "focusin", "pointerleave"]) root.addEventListener(name, follow);
}

/**
 * Returns the screens of an entry: the screen that its input names, and the visible screen.
 * @param {{ input: any, visible?: string }} entry
 */
export function screensOf({ input, visible = "" }) {
  const ids = [input?.screen, visible.split(" ").at(-1)].filter((id) => /^\d+$/.test(String(id ?? "")));
  return [...new Set(ids.map(String))].join(" ");
}
