import { Backoff } from "./backoff.js";
import { textOf } from "./exchange.js";
import { Problem } from "./problem.js";

/** @typedef {import("./protocol.js").State} State */
/**
 * @typedef {object} Input
 * @property {string} text The body, written once: each attempt must be the same, even if the caller changes the value.
 * @property {string} key
 * @property {(state: State) => void} resolve
 * @property {(problem: Problem) => void} reject
 */

/**
 * The queue of inputs that the server has not answered. One input is sent at a time, with its idempotency key, until a response
 * decides it. So each input counts once and in order.
 */
export class Outbox {
  #attempt;
  #bound;
  #backoff;
  #world;
  #changed;
  #delayed;
  /** @type {Input[]} */ #inputs = [];
  #isDelivering = false;
  /** @type {Problem | null} */ #closing = null;

  /**
   * @param {import("./world.js").World} world
   * @param {(text: string, key: string) => Promise<State>} attempt
   * @param {number} bound The maximum number of waiting inputs.
   * @param {{ changed: (count: number) => void, delayed: (cause: Problem) => void }} told Called with the number of waiting
   *   inputs, and with the causes of retries.
   */
  constructor(world, attempt, bound, { changed, delayed }) {
    this.#world = world;
    this.#attempt = attempt;
    this.#bound = bound;
    this.#changed = changed;
    this.#delayed = delayed;
    this.#backoff = new Backoff(world);
  }

  get count() { return this.#inputs.length; }

  /**
   * @param {any} body
   * @returns {Promise<State>} The state after the input.
   * @throws {Problem} The server's refusal, or the client's own `unwritable`, `unsendable`, `queue-full` or `closed`.
   */
  add(body) {
    if (this.#closing) return Promise.reject(this.#closing);
    if (this.#inputs.length >= this.#bound) {
      return Promise.reject(Problem.own("queue-full", `${this.#bound} inputs are already waiting for the server`));
    }
    return new Promise((resolve, reject) => {
      this.#inputs.push({ text: textOf(body, this.#world), key: this.#world.key(), resolve, reject });
      this.#changed(this.#inputs.length);
      this.#deliverAll();
    });
  }

  /** Makes the next attempt at once. */
  wake() { this.#backoff.wake(); }

  /** Rejects the waiting inputs; an input that was already sent may count. */
  close() {
    this.#closing ??= Problem.own("closed", "the client was closed before the server had answered");
    for (const input of this.#inputs.splice(0)) input.reject(this.#closing);
    this.#backoff.wake();
  }

  async #deliverAll() {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    for (let input = this.#inputs[0]; input; input = this.#inputs[0]) {
      await this.#deliver(input).then(input.resolve, (error) => input.reject(Problem.from(error)));
      if (this.#inputs[0] === input) this.#inputs.shift();
      this.#changed(this.#inputs.length);
    }
    this.#isDelivering = false;
  }

  /** @param {Input} input @returns {Promise<State>} */
  async #deliver({ text, key }) {
    this.#backoff.reset();
    for (;;) {
      try {
        return await this.#attempt(text, key);
      } catch (error) {
        const problem = Problem.from(error);
        if (!problem.isTransient) throw problem;
        if (!this.#closing) this.#delayed(problem);
        if (!this.#closing) await this.#backoff.wait(problem.retryAfter * 1000);
        if (this.#closing) throw this.#closing;
      }
    }
  }
}
