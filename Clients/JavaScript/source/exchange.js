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
  #credentials;

  /** @param {import("./world.js").World} world @param {{ headers?: Headers, cookie?: boolean }} [settings] @param {string | null} [token] */
  constructor(world, settings = {}, token = null) {
    const { headers = {}, cookie = false } = settings;
    this.#world = world;
    this.#headers = headers;
    /** A browser sends no cookie to another origin, and takes none of it, unless told to. */
    this.#credentials = cookie ? /** @type {const} */ ({ credentials: "include" }) : {};
    /** A session's, sent with each request instead of an `Authorization` among the headers. */
    this.token = token;
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
    /** @type {Record<string, string>} */
    const content = body === undefined ? {} : { "Content-Type": "application/json" };
    const response = await this.#world.fetch(url, {
      method, signal, cache: "no-store", ...this.#credentials,
      headers: { Accept: "application/json", ...content, ...this.#common(), ...headers },
      ...(body === undefined ? {} : { body: this.#world.write(body) }),
    });
    if (response.ok || response.status === 304) return response;
    throw await this.#refusal(response);
  }

  #common() {
    const given = typeof this.#headers === "function" ? this.#headers() : this.#headers;
    if (this.token === null) return given;
    const others = Object.entries(given).filter(([name]) => name.toLowerCase() !== "authorization");
    return { ...Object.fromEntries(others), Authorization: `Bearer ${this.token}` };
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
