// A button that copies a text, and says what came of it.
import { element, write } from "./element.js";

/**
 * @param {string} name Of the button.
 * @param {() => string} text
 * @param {Node} place That shows the text: it is selected if the browser lets this page copy nothing.
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
      write(said, "Selected: press Ctrl+C, because this page cannot use the clipboard.");
    }
  }
}
