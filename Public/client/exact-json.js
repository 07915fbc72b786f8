// JSON whose numbers keep all digits: a seed has 64 bits, but a JavaScript number only 53.

/** JSON as the user typed it, which is written unchanged. */
export class Verbatim {
  /** @param {string} text */
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

/** A number in its original digits, which JavaScript would write differently. */
export class Digits extends Verbatim {}

/** Matches numbers, and also strings, so that digits in strings are skipped. */
const tokens = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/**
 * A random prefix for numbers. Senders of JSON do not know the prefix, so none of their strings is read as a number.
 */
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
    // Parses the original text, so that the error describes that text.
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
