// A value to be typed: as a form of its schema, or as JSON, one click away.
import { readJSON, writeJSON } from "../client/exact-json.js";
import { element, set, write } from "../document/element.js";
import { refuse } from "../session/card.js";
import { makeField } from "./field.js";

/** @typedef {import("./schemas.js").Schema} Schema */
/** @typedef {import("./schemas.js").Schemas} Schemas */
/** @typedef {{ schemas: Schemas, schema: Schema }} Shape What is known of a value. */

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
      refuse(root, `Not possible: ${/** @type {Error} */ (error).message}.`);
    }
    show();
  }

  /** @param {any} value */
  function fill(value) {
    if (!shape) return;
    field = makeField(shape.schemas, shape.schema, value, shape.schema.type === "array" ? name : "");
    // A heading above says it, too.
    field.root.querySelector(":scope > legend")?.classList.add("unseen");
    form.replaceChildren(field.root);
  }

  /**
   * What is typed, as JSON; of a form, numbers keep their digits.
   * @param {boolean} [isDraft] Whether it need not be whole.
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
     * Takes a value, as its form where that is known.
     * @param {any} value
     * @param {Shape | null} known
     */
    show(value, known) {
      shape = known;
      field = null;
      json.value = writeJSON(value, 2);
      isJSON = !known;
      fill(value);
      show();
    },
    /**
     * Takes JSON as it was typed.
     * @param {string} text
     */
    showText(text) {
      json.value = text;
      isJSON = true;
      show();
    },
    /**
     * What is typed, as JSON.
     * @throws {import("./field.js").FormFault} Where the form has what is no value.
     */
    text,
  };
}
