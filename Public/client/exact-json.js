// JSON whose numbers keep their digits: a seed has 64 bits, a JavaScript number 53.

/** JSON as it was typed, which is written as it is. */
export class Verbatim {
  /** @param {string} text */
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

/** A number as it was written, where JavaScript would write another. */
export class Digits extends Verbatim {}

/** Strings too, so that digits within them are left alone. */
const tokens = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Nobody who sends us JSON knows it, so nobody can pass off a string as a number. */
const mark = `${Math.random()}${Math.random()}:`;

/**
 * Reads JSON.
 * @param {string} text
 * @returns {any}
 * @throws {SyntaxError}
 */
export function readJSON(text) {
  let isMarked = false;
  const marked = text.replace(tokens, (token) => {
    if (token[0] === '"' || String(Number(token)) === token) return token;
    isMarked = true;
    return `"${mark}${token}"`;
  });
  if (!isMarked) return JSON.parse(text);
  try {
    return JSON.parse(marked, (_, value) =>
      typeof value === "string" && value.startsWith(mark) ? new Digits(value.slice(mark.length)) : value);
  } catch {
    // What is wrong is to be told of the text as it was given.
    return JSON.parse(text);
  }
}

/**
 * Writes JSON.
 * @param {unknown} value
 * @param {number} [indentation]
 * @returns {string}
 */
export function writeJSON(value, indentation) {
  const text = JSON.stringify(value, (_, member) => (member instanceof Verbatim ? mark + member.text : member), indentation);
  return text.replaceAll(new RegExp(`"${mark}((?:[^"\\\\]|\\\\.)*)"`, "g"), (_, written) => JSON.parse(`"${written}"`));
}
