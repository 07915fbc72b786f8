// A dialog that is removed from the document when it is closed.
import { element } from "./element.js";

/**
 * @param {{ id: string, title: import("./element.js").Child[], isWide?: boolean }} look
 * @param {...import("./element.js").Child} children
 * @returns {HTMLDialogElement} The dialog, already open.
 */
export function showDialog({ id, title, isWide = false }, ...children) {
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: isWide && "wide", "aria-labelledby": `${id}-title`, onclose: () => dialog.remove() },
    element("h2", { id: `${id}-title` }, ...title), ...children);
  // Added to the view, so that the dialog disappears together with it.
  document.querySelector("main")?.append(dialog);
  dialog.showModal();
  return dialog;
}
