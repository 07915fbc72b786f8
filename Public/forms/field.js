// A form control for a value of any schema: texts, numbers, choices, lists, and optional members.
import { Digits, Verbatim, readJSON, writeJSON } from "../client/exact-json.js";
import { element, set } from "../document/element.js";
import { casesOf, resolve, sampleOf } from "./schemas.js";

/** @typedef {import("./schemas.js").Schema} Schema */
/** @typedef {import("./schemas.js").Schemas} Schemas */
/**
 * @typedef {object} Field
 * @property {HTMLElement} root
 * @property {(isDraft?: boolean) => any} read The value. In a draft, secrets and numbers may be missing.
 */

/** The error for an invalid value, with a sentence for the user. */
export class FormFault extends Error {}

let made = 0;
const mostItems = 100;

/**
 * @param {Schemas} schemas
 * @param {Schema | undefined} schema
 * @param {any} value The initial value; undefined for none.
 * @param {string} label
 * @returns {Field}
 */
export function makeField(schemas, schema, value, label) {
  const found = resolve(schemas, schema), cases = casesOf(schemas, found);
  if (cases) return choiceField(schemas, cases, value, label);
  if (Array.isArray(found.enum) && found.enum.every((each) => typeof each === "string")) return selectField(found.enum, value, label);
  if (found.type === "boolean") return checkField(value, label);
  if (found.type === "integer" || found.type === "number") return numberField(found.type, value, label);
  if (found.type === "string") return textField(found, value, label);
  if (found.type === "array" && found.items && !(value?.length > mostItems)) return listField(schemas, found, value, label);
  if (found.type === "object" && found.properties) return objectField(schemas, found, value, label);
  if (found.type === "object" && found.additionalProperties === false) return { root: element("span", { hidden: true }), read: () => ({}) };
  return jsonField(value, label);
}

/** @param {string} label @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control @returns {HTMLElement} */
function labelled(label, control) {
  control.id = `field-${++made}`;
  return element("div", { class: "field" }, element("label", { for: control.id }, element("bdi", {}, label)), control);
}

/** @param {Schema} schema @param {any} value @param {string} label @returns {Field} */
function textField({ format }, value, label) {
  const isSecret = format === "password", text = typeof value === "string" ? value : "";
  const control = !isSecret && (text.length > 60 || text.includes("\n")) ? element("textarea", { rows: 3 })
    : element("input", { type: isSecret ? "password" : "text", autocomplete: isSecret ? "new-password" : "off", autocapitalize: "off", spellcheck: "false", dir: isSecret ? null : "auto" });
  control.value = text;
  return {
    root: labelled(label, control),
    read(isDraft = false) {
      if (isSecret && control.value === "" && !isDraft) throw new FormFault(`type a value for “${label}” first`);
      return control.value;
    },
  };
}

/** @param {string} type @param {any} value @param {string} label @returns {Field} */
function numberField(type, value, label) {
  const control = element("input", { type: "text", inputmode: type === "integer" ? "numeric" : "decimal", autocomplete: "off", dir: "ltr" });
  control.value = value === undefined || value === null ? "" : String(value);
  return {
    root: labelled(label, control),
    read(isDraft = false) {
      const text = control.value.trim();
      const isNumber = (type === "integer" ? /^-?(0|[1-9]\d*)$/ : /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/).test(text);
      if (isDraft && !isNumber) return text;
      // Keeps the digits as typed: a whole number may have 64 bits.
      if (!isNumber) throw new FormFault(`“${label}” must be a ${type === "integer" ? "whole " : ""}number`);
      return new Digits(text);
    },
  };
}

/** @param {any} value @param {string} label @returns {Field} */
function checkField(value, label) {
  const control = element("input", { type: "checkbox", checked: value === true });
  return { root: element("label", { class: "check field" }, control, " ", element("bdi", {}, label)), read: () => control.checked };
}

/** @param {string[]} values @param {any} value @param {string} label @returns {Field} */
function selectField(values, value, label) {
  const control = element("select", {}, ...values.map((each) => element("option", { value: each }, each)));
  if (values.includes(value)) control.value = value;
  return { root: labelled(label, control), read: () => control.value };
}

/** @param {any} value @param {string} label @returns {Field} */
function jsonField(value, label) {
  const control = element("textarea", { rows: 2, spellcheck: "false", autocapitalize: "off", dir: "ltr" });
  control.value = value === undefined ? "{}" : writeJSON(value, 2);
  return {
    root: labelled(`${label} (JSON)`, control),
    read(isDraft = false) {
      try {
        return readJSON(control.value);
      } catch (error) {
        if (isDraft) return control.value;
        throw new FormFault(`“${label}” is not JSON: ${/** @type {Error} */ (error).message}`);
      }
    },
  };
}

/** @param {any} value */
function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Verbatim);
}

/** @param {Schemas} schemas @param {Schema} schema @param {any} value @param {string} label @returns {Field} */
function objectField(schemas, schema, value, label) {
  const required = new Set(schema.required ?? []), given = isObject(value) ? value : {};
  const members = Object.entries(schema.properties).map(([name, member]) => ({
    name, field: required.has(name) ? makeField(schemas, member, Object.hasOwn(given, name) ? given[name] : sampleOf(schemas, member), name)
      : optionalField(schemas, member, Object.hasOwn(given, name) ? given[name] : undefined, name),
  }));
  return {
    root: label ? element("fieldset", { class: "fields" }, element("legend", {}, element("bdi", {}, label)), ...members.map(({ field }) => field.root))
      : element("div", { class: "fields" }, ...members.map(({ field }) => field.root)),
    read(isDraft) {
      /** @type {Record<string, any>} */
      const read = {};
      for (const { name, field } of members) {
        const value = field.read(isDraft);
        if (value !== undefined) read[name] = value;
      }
      return read;
    },
  };
}

/**
 * A member that may be omitted.
 * @param {Schemas} schemas
 * @param {Schema} schema
 * @param {any} value
 * @param {string} label
 * @returns {Field}
 */
function optionalField(schemas, schema, value, label) {
  /** @type {Field | null} */
  let field = null;
  const place = element("div", { class: "optional-value" });
  const control = element("input", { type: "checkbox", checked: value !== undefined, onchange: show });
  function show() {
    field = control.checked ? makeField(schemas, schema, value ?? sampleOf(schemas, schema), label) : null;
    place.replaceChildren(...(field ? [field.root] : []));
  }
  show();
  return {
    root: element("div", { class: "optional" }, element("label", { class: "check" }, control, " with ", element("bdi", {}, label)), place),
    read: (isDraft) => field?.read(isDraft),
  };
}

/** @param {Schemas} schemas @param {Map<string, Schema>} cases @param {any} value @param {string} label @returns {Field} */
function choiceField(schemas, cases, value, label) {
  const given = isObject(value) ? Object.keys(value)[0] : String(value ?? "");
  const control = element("select", { onchange: show }, ...[...cases.keys()].map((name) => element("option", { value: name }, name)));
  if (cases.has(given)) control.value = given;
  const place = element("div", { class: "optional-value" });
  /** @type {Field} */
  let field;
  function show() {
    const schema = cases.get(control.value), isGiven = control.value === given && isObject(value);
    field = makeField(schemas, schema, isGiven ? value[given] : sampleOf(schemas, schema), "");
    place.replaceChildren(field.root);
  }
  show();
  return { root: element("div", { class: "choice" }, labelled(label || "Case", control), place), read: (isDraft) => ({ [control.value]: field.read(isDraft) }) };
}

/** @param {Schemas} schemas @param {Schema} schema @param {any} value @param {string} label @returns {Field} */
function listField(schemas, schema, value, label) {
  const least = schema.minItems ?? 0, list = element("ol", { class: "items" });
  /** @type {{ item: HTMLElement, field: Field }[]} */
  const items = [];
  const more = element("button", { type: "button", class: "quiet", onclick: () => { add(sampleOf(schemas, schema.items)); tell(); } }, `Add to ${label}`);
  // An item keeps its number, because the names of its controls contain the number.
  let number = 0;

  /** @param {any} value */
  function add(value) {
    const name = `${label} ${++number}`, field = makeField(schemas, schema.items, value, name);
    /** @type {HTMLLIElement} */
    const item = element("li", {}, field.root, element("button", { type: "button", class: "quiet", "aria-label": `Remove ${name}`, onclick: () => remove(item) }, "Remove"));
    items.push({ item, field });
    list.append(item);
    set(more, "disabled", items.length >= mostItems);
  }

  /** @param {HTMLElement} item */
  function remove(item) {
    items.splice(items.findIndex((each) => each.item === item), 1);
    item.remove();
    set(more, "disabled", false);
    more.focus();
    tell();
  }

  /** Reports an added or removed item as a change by the user. */
  function tell() {
    list.dispatchEvent(new Event("input", { bubbles: true }));
  }

  for (const each of Array.isArray(value) ? value : []) add(each);
  return {
    root: element("fieldset", { class: "fields" }, element("legend", {}, element("bdi", {}, label)), list, more),
    read(isDraft) {
      if (items.length < least && !isDraft) throw new FormFault(`“${label}” needs at least ${least === 1 ? "one item" : `${least} items`}`);
      return items.map(({ field }) => field.read(isDraft));
    },
  };
}
