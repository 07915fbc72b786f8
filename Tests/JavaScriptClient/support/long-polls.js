import { json } from "./script.js";

/** The long polls of a client without a stream: at most one is pending, and the test answers it. */
export class LongPolls {
  #state;
  #waiting = null;
  #arrived = null;

  /** @param {() => any} state that the server has: who asks for another gets it at once */
  constructor(state) {
    this.#state = state;
  }

  /** @param {RequestInit} request */
  take(request) {
    if (!this.#isCurrent(request)) return json(this.#state());
    return new Promise((resolve, reject) => {
      this.#waiting = { request, resolve, reject };
      this.#arrived?.();
      request.signal.addEventListener("abort", () => reject(new Error("given up")));
    });
  }

  /** @returns {Promise<RequestInit>} the one that waits for another revision than the newest */
  async next() {
    for (;;) {
      if (!this.#waiting) await new Promise((resolve) => (this.#arrived = resolve));
      if (this.#isCurrent(this.#waiting.request)) return this.#waiting.request;
      // The client has sent an input since the poll began.
      this.answer(json(this.#state()));
    }
  }

  /** @param {Response | Error} answer an error is one that never came */
  answer(answer) {
    const { resolve, reject } = this.#waiting;
    this.#waiting = null;
    if (answer instanceof Error) reject(answer);
    else resolve(answer);
  }

  #isCurrent({ headers }) {
    return headers["If-None-Match"] === `"${this.#state().revision}"`;
  }
}
