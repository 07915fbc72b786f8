// A dialog, which is removed once it is closed.
import { element } from "./element.js";

/**
 * @param {{ id: string, title: import("./element.js").Child[], isWide?: boolean }} look
 * @param {...import("./element.js").Child} children
 * @returns {HTMLDialogElement} It is shown.
 */
export function showDialog({ id, title, isWide = false }, ...children) {
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: isWide && "wide", "aria-labelledby": `${id}-title`, onclose: () => dialog.remove() },
    element("h2", { id: `${id}-title` }, ...title), ...children);
  // With the view it goes, too.
  document.querySelector("main")?.append(dialog);
  dialog.showModal();
  return dialog;
}
