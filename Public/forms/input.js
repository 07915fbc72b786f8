// A value to be typed: as a form of its schema, or as JSON, one click away.
import { readJSON, writeJSON } from "../client/exact-json.js";
import { element, set, stylesheet, write } from "../document/element.js";
import { differences } from "../inspector/difference.js";
import { refuse, withoutSecrets } from "../session/card.js";
import { FormFault, makeField } from "./field.js";

await stylesheet("/forms/forms.css");

/** @typedef {import("./schemas.js").Shape} Shape */

/**
 * @param {string} name Of the value, for its controls.
 * @param {string} label Of the field that takes its JSON.
 * @param {() => void} [changed] Called after each change by hand.
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

  /** Writes what is in the form as JSON, or reads JSON into the form. */
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
   * @throws {FormFault} If the form would lose some of the value.
   */
  function fill(value) {
    if (!shape) return;
    const made = makeField(shape.schemas, shape.schema, value, shape.schema.type === "array" ? name : "");
    const lost = differences(value, made.read(true)).find(({ before }) => before !== undefined);
    if (lost) throw new FormFault(`the form has no field for ${lost.place || "this value"}; leave it as JSON`);
    field = made;
    // A heading above says it, too.
    field.root.querySelector(":scope > legend")?.classList.add("unseen");
    form.replaceChildren(field.root);
  }

  /**
   * What is typed, as JSON; of a form, numbers keep their digits.
   * @param {boolean} [isDraft] Whether it need not be whole.
   * @throws {FormFault} If a field of the form has what is no value.
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
    /** Whether it is typed as JSON. */
    get isJSON() { return isJSON; },
    /**
     * Takes an example: into its form, or as JSON if there is no form that can show all of it.
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
     * Takes JSON as it was typed.
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
