// Makes elements. Text only ever becomes a text node: nothing on this page reads markup from a string.

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes] A function is a listener for the event after "on"; false, null and undefined are left out.
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  return dress(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function drawing(name, attributes = {}, ...children) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} target
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {Kind}
 */
function dress(target, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) set(target, name, value);
  for (const child of children) {
    if (child !== false && child !== null && child !== undefined) target.append(child instanceof Node ? child : String(child));
  }
  return target;
}

/**
 * Sets an attribute, or removes it; leaves one that is right alone, so that nothing is announced twice.
 * @param {Element} target
 * @param {string} name
 * @param {Attributes[string]} value
 */
export function set(target, name, value) {
  if (typeof value === "function") return target.addEventListener(name.slice(2), value);
  const text = value === true ? "" : value === false || value === null || value === undefined ? null : String(value);
  if (text === null) target.removeAttribute(name);
  else if (target.getAttribute(name) !== text) target.setAttribute(name, text);
}

/**
 * Writes an element's text where it differs.
 * @param {Element} target
 * @param {string | number} text
 */
export function write(target, text) {
  if (target.textContent !== String(text)) target.textContent = String(text);
}

/**
 * The beginning of a text, never half a character.
 * @param {string} text
 * @param {number} limit How many UTF-16 units at most.
 */
export function clip(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/**
 * Text from anywhere: its direction stays its own, and of a long one only the beginning is laid out until asked for.
 * @param {string} text
 * @param {number} [limit]
 * @returns {HTMLElement}
 */
export function shown(text, limit = 280) {
  const place = element("bdi", { class: "text" }, clip(text, limit));
  if (text.length <= limit) return place;
  const more = element("button", {
    type: "button", class: "quiet", onclick: () => {
      place.textContent = text;
      place.tabIndex = -1;
      place.focus();
      more.remove();
    },
  }, `Show all ${text.length.toLocaleString("en")} characters`);
  return element("span", {}, place, "… ", more);
}
