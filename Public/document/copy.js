// A button that copies a text, and reports whether it was copied.
import { element, write } from "./element.js";

/**
 * @param {string} name The button's label.
 * @param {() => string} text
 * @param {Node} place The element with the text, which is selected if the browser does not let the page copy.
 */
export function makeCopy(name, text, place) {
  const said = element("span", { role: "status", class: "hint" });
  return {
    button: element("button", { type: "button", class: "quiet", onclick: copy }, name),
    said,
  };

  async function copy() {
    try {
      await navigator.clipboard.writeText(text());
      write(said, "Copied.");
    } catch {
      getSelection()?.selectAllChildren(place);
      write(said, "The text is selected: press Ctrl+C, because this page cannot use the clipboard.");
    }
  }
}
