/** @typedef {{ type: string, data: string, id: string }} ServerSentEvent */

/** A parser of server-sent events (HTML, 9.2.6): `EventSource` sends no headers, and node has none. */
export class EventReader {
  #text = "";
  #type = "";
  /** @type {string[]} */ #data = [];
  #id = "";
  /** Milliseconds that the server asks to wait before the next connection; 0 where it has not. */
  retry = 0;

  /**
   * @param {string} text What came, cut anywhere.
   * @returns {ServerSentEvent[]} Those that are complete now.
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
