// Asks the server, says what went wrong in one way, whatever it was, and knows who asks.
import { readJSON } from "./exact-json.js";

/** An answer that is not 2xx, as RFC 9457 has it; status 0 where there was no answer at all. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   * @param {{ type?: string, current?: import("../session/session.js").State }} [more]
   */
  constructor(status, detail, more = {}) {
    super(detail);
    this.status = status;
    this.type = more.type ?? "about:blank";
    this.current = more.current ?? null;
  }

  get isUnreachable() { return this.status === 0; }
  /** The session is over, or never was. */
  get isGone() { return this.status === 404 || this.status === 410; }
  get needsToken() { return this.type === "urn:usher:problem:token-needed" || this.type === "urn:usher:problem:wrong-token"; }
}

/** An event's answer may wait five seconds for its effects. */
const longestAnswer = 30_000;

/**
 * Asks the server; a browser that has logged in sends its cookie along.
 * @param {string} path
 * @param {{ method?: string, body?: string }} [request] The body is JSON.
 * @returns {Promise<any>} The answer's JSON; null where it is empty.
 * @throws {Problem}
 */
export async function ask(path, request = {}) {
  const { method = "GET", body } = request;
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const patience = new AbortController();
  const waiting = setTimeout(() => patience.abort(), longestAnswer);
  let response, text;
  try {
    response = await fetch(path, { method, body, headers, cache: "no-store", signal: patience.signal });
    text = await response.text();
  } catch {
    throw new Problem(0, "The server does not answer; this page keeps trying.");
  } finally {
    clearTimeout(waiting);
  }
  let answer = null;
  try {
    if (text) answer = readJSON(text);
  } catch {
    throw new Problem(response.status || 502, "The answer is not JSON; is something else listening here?");
  }
  if (!response.ok) throw new Problem(response.status, answer?.detail ?? answer?.title ?? response.statusText, answer ?? {});
  return answer;
}

/**
 * What went wrong, whatever was thrown.
 * @param {unknown} error
 * @returns {Problem}
 */
export function problem(error) {
  return error instanceof Problem ? error : new Problem(-1, `The page itself failed: ${error}`);
}

/**
 * Work that never runs twice at a time: calls that come meanwhile are one more run.
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>}
 */
export function coalesced(work) {
  /** @type {Promise<void> | null} */
  let running = null;
  let isWanted = false;
  return () => {
    isWanted = true;
    running ??= (async () => {
      try {
        while (isWanted) {
          isWanted = false;
          await work();
        }
      } finally {
        running = null;
      }
    })();
    return running;
  };
}

/**
 * @typedef {object} Caller
 * @property {boolean} isOperator
 * @property {boolean} canLogOut
 * @property {boolean} canLogIn
 */

/** @type {Promise<Caller> | null} */
let known = null;

/** Who asks, as the server says; asked once, until that is forgotten. */
export function caller() {
  known ??= find();
  return known;
}

/** Has the server asked anew: a login has begun or ended. */
export function forgetCaller() {
  known = null;
}

/** @param {string} token @throws {Problem} */
export async function logIn(token) {
  await ask("/login", { method: "POST", body: JSON.stringify({ token }) });
  forgetCaller();
}

/** @throws {Problem} */
export async function logOut() {
  await ask("/logout", { method: "POST" });
  forgetCaller();
}

/** @returns {Promise<Caller>} */
async function find() {
  try {
    const { caller, by } = await ask("/login");
    return { isOperator: caller === "operator", canLogOut: by === "login", canLogIn: true };
  } catch (error) {
    forgetCaller();
    // Where nobody answers, each view says so, and finds out by itself who it is.
    const isElsewhere = problem(error).isGone;
    return { isOperator: !isElsewhere, canLogOut: false, canLogIn: !isElsewhere };
  }
}
