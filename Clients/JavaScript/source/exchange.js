// One attempt to send a request, which returns a complete response or throws a `Problem`.
import { Problem } from "./problem.js";
import { snapshotOf } from "./snapshot.js";

/**
 * @typedef {object} Request
 * @property {string} [method]
 * @property {any} [body] Sent as JSON.
 * @property {string} [text] The same body, already written.
 * @property {Record<string, string>} [headers]
 * @property {number} [patience] The time limit for the whole response, in milliseconds.
 * @property {AbortSignal} [signal]
 */
/** @typedef {(() => Record<string, string>) | Record<string, string>} Headers Header fields of each request, such as `Authorization`. */

/** The response to an event may wait five seconds for its effects, and for a commit after that. */
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
    /** By default a browser sends no cookies to another origin, and accepts none from it. */
    this.#credentials = cookie ? /** @type {const} */ ({ credentials: "include" }) : {};
    /** The session's token, which each request sends in place of an `Authorization` field of the settings' headers. */
    this.token = token;
  }

  /**
   * @param {string} url
   * @param {Request} [request]
   * @returns {Promise<any>} The response's JSON; null if the body is empty or the status is 304.
   * @throws {Problem}
   */
  async ask(url, request = {}) { return (await this.#complete(url, request)).body; }

  /**
   * Requests a session's state.
   * @param {string} url
   * @param {Request} [request]
   * @returns {Promise<import("./snapshot.js").Snapshot | null>} Null if the status is 304.
   * @throws {Problem}
   */
  async askForState(url, request = {}) {
    const { status, headers, body } = await this.#complete(url, request);
    if (status === 304) return null;
    if (!body) throw new Problem(0, "the answer is empty");
    return snapshotOf(body, headers.get("ETag"), headers.get("Idempotent-Replayed") === "true");
  }

  /** @param {string} url @param {Request} request */
  async #complete(url, request) {
    const { signal, stop } = this.#limit(request.patience ?? usualPatience, request.signal);
    try {
      const response = await this.begin(url, { ...request, signal });
      const { status, headers } = response, text = await response.text();
      return { status, headers, body: status === 304 || !text ? null : this.#world.read(text) };
    } catch (error) {
      throw Problem.from(error);
    } finally {
      stop();
    }
  }

  /**
   * Sends a request. A request that was denied because the token was rotated meanwhile is sent again with the new
   * token.
   * @param {string} url
   * @param {Request} request
   * @returns {Promise<Response>} The response once its head has arrived, with a status of 2xx or 304.
   * @throws {Problem} Or an error of `fetch`.
   */
  async begin(url, request) {
    for (;;) {
      const token = this.token, response = await this.#send(url, request);
      if (response.ok || response.status === 304) return response;
      const problem = await this.#refusal(response);
      if (!problem.isDenied || token === this.token) throw problem;
    }
  }

  /** @param {string} url @param {Request} request */
  #send(url, { method = "GET", body, text, headers = {}, signal }) {
    const sent = text ?? (body === undefined ? undefined : textOf(body, this.#world));
    /** @type {Record<string, string>} */
    const content = sent === undefined ? {} : { "Content-Type": "application/json" };
    const all = { Accept: "application/json", ...content, ...this.#common(), ...headers };
    checkSendable(url, all);
    return this.#world.fetch(url, {
      method, signal, cache: "no-store", ...this.#credentials, headers: all, ...(sent === undefined ? {} : { body: sent }),
    });
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
      // The body is a proxy's page, so only the status is known.
    }
    const { detail, title } = /** @type {any} */ (members);
    return new Problem(response.status, detail ?? title ?? response.statusText, members, this.#retryAfter(response.headers), response.headers.get("ETag"));
  }

  /**
   * Returns the seconds before the next attempt, which the server sends as a number or as a date of its clock.
   * @param {Pick<globalThis.Headers, "get">} headers
   */
  #retryAfter(headers) {
    const asked = headers.get("Retry-After") ?? "";
    if (/^\d+$/.test(asked)) return Number(asked);
    // A page of another origin cannot read the response's date.
    const now = Date.parse(headers.get("Date") ?? "") || this.#world.now();
    return Math.max(0, (Date.parse(asked) - now) / 1000) || 0;
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

/**
 * Writes a body.
 * @param {any} body
 * @param {Pick<import("./world.js").World, "write">} world
 * @returns {string}
 * @throws {Problem} The client's own `unwritable`, if JSON cannot represent the value.
 */
export function textOf(body, world) {
  try {
    const text = world.write(body);
    if (typeof text === "string") return text;
  } catch (error) {
    throw Problem.own("unwritable", `the value cannot be written as JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw Problem.own("unwritable", "JSON cannot represent this value");
}

/**
 * Throws for a malformed URL or header field. `fetch` would report the same error as for an unreachable server,
 * although a retry cannot help.
 * @param {string} url @param {Record<string, string>} headers
 * @throws {Problem} The client's own `unsendable`.
 */
function checkSendable(url, headers) {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      // The platform's own message may quote the value, which may be a token.
      throw Problem.own("unsendable", `this is not a valid name or value of a header field: ${name}`);
    }
  }
  let address = "";
  try {
    address = new Request(url).url;
  } catch {
    // The URL is malformed.
  }
  if (!/^https?:/.test(address)) throw Problem.own("unsendable", `${url} is not an http or https URL`);
}
