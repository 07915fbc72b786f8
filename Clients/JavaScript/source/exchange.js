// One attempt at a request: an answer that is whole, or a `Problem`.
import { Problem } from "./problem.js";
import { snapshotOf } from "./snapshot.js";

/**
 * @typedef {object} Request
 * @property {string} [method]
 * @property {any} [body] Sent as JSON.
 * @property {string} [text] The same, where it is written already.
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
  async ask(url, request = {}) { return (await this.#complete(url, request)).body; }

  /**
   * Asks for a session's state.
   * @param {string} url
   * @param {Request} [request]
   * @returns {Promise<import("./snapshot.js").Snapshot | null>} Null where the answer is 304.
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
   * Sends a request; one that a rotation of the token has overtaken goes again with the new one.
   * @param {string} url
   * @param {Request} request
   * @returns {Promise<Response>} Its head has come; it is 2xx or 304.
   * @throws {Problem} What `fetch` throws is none yet.
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
      // A proxy's page: the status has to do.
    }
    const { detail, title } = /** @type {any} */ (members);
    return new Problem(response.status, detail ?? title ?? response.statusText, members, this.#retryAfter(response.headers), response.headers.get("ETag"));
  }

  /**
   * Seconds until the server is to be asked again, which it tells as such, or as a date of its clock.
   * @param {Pick<globalThis.Headers, "get">} headers
   */
  #retryAfter(headers) {
    const asked = headers.get("Retry-After") ?? "";
    if (/^\d+$/.test(asked)) return Number(asked);
    // A page of another origin is not told the date of the answer.
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
 * A body as it is sent.
 * @param {any} body
 * @param {Pick<import("./world.js").World, "write">} world
 * @returns {string}
 * @throws {Problem} `unwritable` of the client's own, where JSON has no such value.
 */
export function textOf(body, world) {
  try {
    const text = world.write(body);
    if (typeof text === "string") return text;
  } catch (error) {
    throw Problem.own("unwritable", `this cannot be written as JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw Problem.own("unwritable", "this is nothing that JSON has");
}

/**
 * `fetch` throws the same at these as at a server that does not answer, and no other attempt mends them.
 * @param {string} url @param {Record<string, string>} headers
 * @throws {Problem} `unsendable` of the client's own.
 */
function checkSendable(url, headers) {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      // The platform's own message may have the value, which may be a token.
      throw Problem.own("unsendable", `this is no header field, by its name or its value: ${name}`);
    }
  }
  let address = "";
  try {
    address = new Request(url).url;
  } catch {
    // It is none that can be asked.
  }
  if (!/^https?:/.test(address)) throw Problem.own("unsendable", `${url} is no address of http or https`);
}
