// What the page asks beside a session's own, in the client's way: what runs, what was, and who asks.
import { readJSON, writeJSON } from "./exact-json.js";
import { Exchange, Problem, platform } from "./usher.js";

/** This browser, in which numbers keep their digits. */
export const world = { ...platform(), read: readJSON, write: (/** @type {unknown} */ value) => writeJSON(value) };

const exchange = new Exchange(world);

/**
 * Asks the server; a browser that has logged in sends its cookie along.
 * @param {string} path
 * @param {{ method?: string, body?: any }} [request]
 * @returns {Promise<any>} The answer's JSON; null where it is empty.
 * @throws {Problem}
 */
export async function ask(path, request = {}) {
  try {
    return await exchange.ask(path, request);
  } catch (error) {
    throw problem(error);
  }
}

/**
 * What went wrong, whatever was thrown, as one reads it.
 * @param {unknown} error
 * @returns {Problem}
 */
export function problem(error) {
  if (!(error instanceof Problem)) return new Problem(-1, `The page itself failed: ${error}`);
  return error.isUnreachable ? new Problem(0, "The server does not answer; this page keeps trying.") : error;
}

/** @param {Problem | null} problem */
export function needsToken(problem) {
  return problem?.type === "urn:usher:problem:token-needed" || problem?.type === "urn:usher:problem:wrong-token";
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
  await ask("/login", { method: "POST", body: { token } });
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
    const isElsewhere = problem(error).status === 404;
    return { isOperator: !isElsewhere, canLogOut: false, canLogIn: !isElsewhere };
  }
}
