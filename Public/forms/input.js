// An input for a value: a form made from its schema, or JSON; the user can switch between both.
import { readJSON, writeJSON } from "../client/exact-json.js";
import { element, set, stylesheet, write } from "../document/element.js";
import { differences } from "../inspector/difference.js";
import { refuse, withoutSecrets } from "../session/card.js";
import { FormFault, makeField } from "./field.js";

await stylesheet("/forms/forms.css");

/** @typedef {import("./schemas.js").Shape} Shape */

/**
 * @param {string} name The value's name, for its controls.
 * @param {string} label The label of the JSON field.
 * @param {() => void} [changed] Called after each change by the user.
 */
export function makeInput(name, label, changed = () => {}) {
  const json = element("textarea", { "aria-label": label, rows: 2, spellcheck: "false", autocapitalize: "off", dir: "ltr", oninput: changed });
  const form = element("div", { class: "form", oninput: changed, onchange: changed });
  const way = element("button", { type: "button", class: "quiet", onclick: turn });
  const root = element("div", { class: "input" }, form, json);
  /** @type {import("./field.js").Field | null} */
  let field = null;
  /** @type {Shape | null} */
  let shape = null;
  let isJSON = true;

  function show() {
    json.hidden = !isJSON;
    form.hidden = isJSON;
    way.hidden = !shape;
    write(way, isJSON ? "Form" : "JSON");
    set(way, "aria-label", `${isJSON ? "Form" : "JSON"} of ${name}`);
    json.rows = Math.max(2, Math.min(12, json.value.split("\n").length));
  }

  /** Switches between the form and JSON: writes the form's value as JSON, or reads the JSON into the form. */
  function turn() {
    refuse(root, "");
    try {
      if (isJSON) fill(readJSON(json.value));
      else json.value = text(true);
      isJSON = !isJSON;
    } catch (error) {
      refuse(root, error instanceof SyntaxError ? `This is not JSON: ${error.message}.` : `Not possible: ${/** @type {Error} */ (error).message}.`);
    }
    show();
  }

  /**
   * @param {any} value
   * @throws {FormFault} If the form cannot represent the whole value.
   */
  function fill(value) {
    if (!shape) return;
    const made = makeField(shape.schemas, shape.schema, value, shape.schema.type === "array" ? name : "");
    const lost = differences(value, made.read(true)).find(({ before }) => before !== undefined);
    if (lost) throw new FormFault(`the form has no field for ${lost.place ? `“${lost.place}”` : "this value"}; leave the value as JSON`);
    field = made;
    // Hides the legend, because a heading above has the same text.
    field.root.querySelector(":scope > legend")?.classList.add("unseen");
    form.replaceChildren(field.root);
  }

  /**
   * Returns the value as JSON; numbers in a form keep their digits.
   * @param {boolean} [isDraft] Whether parts may be missing.
   * @throws {FormFault} If a field of the form has an invalid value.
   */
  function text(isDraft = false) {
    if (isJSON || !field) return json.value;
    return writeJSON(field.read(isDraft), 2);
  }

  show();
  return {
    root,
    way,
    json,
    /** A Boolean value that indicates whether the value is shown as JSON. */
    get isJSON() { return isJSON; },
    /**
     * Shows an example: in a form, or as JSON if no form can show all of it.
     * @param {any} example
     * @param {Shape | null} known
     */
    show(example, known) {
      const value = withoutSecrets(example);
      shape = known;
      field = null;
      json.value = writeJSON(value, 2);
      isJSON = !known;
      try {
        fill(value);
      } catch {
        isJSON = true;
      }
      refuse(root, "");
      show();
    },
    /**
     * Shows JSON exactly as it was typed.
     * @param {string} text
     * @param {Shape | null} known
     */
    showText(text, known) {
      shape = known;
      json.value = text;
      isJSON = true;
      show();
    },
    text,
  };
}
