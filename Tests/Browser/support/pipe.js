/**
 * The DevTools protocol over two pipes: each message is JSON and ends with a NUL.
 * Pipes need neither a port nor a WebSocket, and close with the process.
 */
export class Pipe {
  #output;
  #next = 1;
  #waiting = new Map();
  #listeners = new Map();
  #rest = [];
  #closed = null;

  /**
   * @param {import("node:stream").Writable} output for commands
   * @param {import("node:stream").Readable} input for answers and events
   */
  constructor(output, input) {
    this.#output = output;
    input.on("data", (bytes) => this.#receive(bytes));
    input.on("close", () => this.#close(new Error("the browser has closed its pipe")));
    output.on("error", (error) => this.#close(error));
  }

  /**
   * Sends a command and waits for its answer.
   * @param {string} method such as `Page.navigate`
   * @param {object} [params]
   * @param {string} [session] the target's session; by default, the browser itself
   * @returns {Promise<any>} the answer's `result`
   */
  send(method, params = {}, session) {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
      this.#output.write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
    });
  }

  /**
   * Adds a listener for all events of a session.
   * @param {string} session
   * @param {(method: string, params: any) => void} listener
   */
  listen(session, listener) {
    this.#listeners.set(session, listener);
  }

  /** @param {string} session whose listener is removed */
  unlisten(session) {
    this.#listeners.delete(session);
  }

  /** @param {Buffer} bytes */
  #receive(bytes) {
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      // A message may arrive in many pieces; joining them only at its end keeps large messages fast.
      const text = Buffer.concat([...this.#rest, bytes.subarray(start, end)]).toString();
      this.#rest = [];
      start = end + 1;
      this.#handle(JSON.parse(text));
    }
    if (start < bytes.length) this.#rest.push(bytes.subarray(start));
  }

  #handle({ id, result, error, method, params, sessionId }) {
    if (id === undefined) return this.#listeners.get(sessionId)?.(method, params);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!waiting) return;
    if (error) waiting.reject(new Error(`${waiting.method}: ${error.message}`));
    else waiting.resolve(result);
  }

  /** @param {Error} reason */
  #close(reason) {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#closed);
    this.#waiting.clear();
  }
}
