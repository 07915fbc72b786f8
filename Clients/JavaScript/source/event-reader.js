/** @typedef {{ type: string, data: string, id: string }} ServerSentEvent */

/**
 * A parser of server-sent events (HTML, 9.2.6), because `EventSource` cannot send headers and node has no
 * `EventSource`.
 */
export class EventReader {
  #text = "";
  #type = "";
  /** @type {string[]} */ #data = [];
  #id = "";
  /** The milliseconds that the server requests before the next connection; 0 by default. */
  retry = 0;

  /**
   * @param {string} text A piece of any size.
   * @returns {ServerSentEvent[]} The events that are complete.
   */
  read(text) {
    this.#text += text;
    const lines = this.#text.split(/\r\n|\n|\r(?!$)/);
    this.#text = /** @type {string} */ (lines.pop());
    return lines.flatMap((line) => this.#take(line));
  }

  /** @param {string} line @returns {ServerSentEvent[]} */
  #take(line) {
    if (line === "") return this.#dispatch();
    const [, field, value] = /** @type {RegExpMatchArray} */ (line.match(/^([^:]*)(?:: ?(.*))?$/s));
    if (field === "event") this.#type = value ?? "";
    else if (field === "data") this.#data.push(value ?? "");
    else if (field === "id") this.#id = value ?? "";
    else if (field === "retry" && /^\d+$/.test(value ?? "")) this.retry = Number(value);
    return [];
  }

  /** @returns {ServerSentEvent[]} */
  #dispatch() {
    const event = { type: this.#type || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#type = "";
    this.#data = [];
    return isEmpty ? [] : [event];
  }
}
