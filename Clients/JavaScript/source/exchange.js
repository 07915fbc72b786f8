// One attempt at a request: an answer that is whole, or a `Problem`.
import { Problem } from "./problem.js";

/**
 * @typedef {object} Request
 * @property {string} [method]
 * @property {any} [body] Sent as JSON.
 * @property {Record<string, string>} [headers]
 * @property {number} [patience] Milliseconds for the whole answer.
 * @property {AbortSignal} [signal]
 */
/** @typedef {(() => Record<string, string>) | Record<string, string>} Headers Of each request, such as `Authorization`. */

/** An event's answer may wait five seconds for its effects, and a journal's commit comes on top. */
const usualPatience = 30_000;

export class Exchange {
  #world;
  #headers;

  /** @param {import("./world.js").World} world @param {Headers} [headers] */
  constructor(world, headers = {}) {
    this.#world = world;
    this.#headers = headers;
  }

  /**
   * @param {string} url
   * @param {Request} [request]
   * @returns {Promise<any>} The answer's JSON; null where it is empty, or 304.
   * @throws {Problem}
   */
  async ask(url, request = {}) {
    const { signal, stop } = this.#limit(request.patience ?? usualPatience, request.signal);
    try {
      const response = await this.begin(url, { ...request, signal });
      const text = await response.text();
      if (response.status === 304 || !text) return null;
      return this.#world.read(text);
    } catch (error) {
      throw Problem.from(error);
    } finally {
      stop();
    }
  }

  /**
   * @param {string} url
   * @param {Request} request
   * @returns {Promise<Response>} Its head has come; it is 2xx or 304.
   * @throws {Problem} What `fetch` throws is none yet.
   */
  async begin(url, { method = "GET", body, headers = {}, signal }) {
    const common = typeof this.#headers === "function" ? this.#headers() : this.#headers;
    /** @type {Record<string, string>} */
    const content = body === undefined ? {} : { "Content-Type": "application/json" };
    const response = await this.#world.fetch(url, {
      method, signal, cache: "no-store",
      headers: { Accept: "application/json", ...content, ...common, ...headers },
      ...(body === undefined ? {} : { body: this.#world.write(body) }),
    });
    if (response.ok || response.status === 304) return response;
    throw await this.#refusal(response);
  }

  /** @param {Response} response */
  async #refusal(response) {
    const text = await response.text();
    let members = {};
    try {
      members = this.#world.read(text) ?? {};
    } catch {
      // A proxy's page: the status has to do.
    }
    const { detail, title } = /** @type {any} */ (members);
    const retryAfter = Number(response.headers.get("Retry-After"));
    return new Problem(response.status, detail ?? title ?? response.statusText, members, retryAfter > 0 ? retryAfter : 0);
  }

  /** @param {number} patience @param {AbortSignal} [outer] */
  #limit(patience, outer) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = this.#world.setTimer(abort, patience);
    if (outer?.aborted) abort();
    outer?.addEventListener("abort", abort);
    const stop = () => {
      this.#world.clearTimer(timer);
      outer?.removeEventListener("abort", abort);
    };
    return { signal: controller.signal, stop };
  }
}
