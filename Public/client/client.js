// What the page asks beside a session's own, in the client's way: what runs, what was, and who asks.
import { readJSON, writeJSON } from "./exact-json.js";
import { Exchange, Problem, open, platform } from "./usher.js";

/** This browser, in which numbers keep their digits. */
export const world = { ...platform(), read: readJSON, write: (/** @type {unknown} */ value) => writeJSON(value) };

const exchange = new Exchange(world);

/**
 * Asks the server; a browser that has logged in sends its cookie along.
 * @param {string} path
 * @param {{ method?: string, body?: any, headers?: Record<string, string>, patience?: number }} [request]
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
 * Asks the server for text, such as `/metrics`.
 * @param {string} path
 * @param {{ patience?: number }} [request] In milliseconds; without it, the answer may take any time.
 * @returns {Promise<string>}
 * @throws {Problem}
 */
export async function read(path, request = {}) {
  return (await fetchText(path, { Accept: "text/plain" }, request.patience)).text;
}

const mostAnswers = 8;
/** @type {Map<string, { tag: string, value: any }>} The newest answers to questions that are asked again and again, by path. */
const answers = new Map();

/**
 * Asks what is asked again and again: an answer that is the same is not sent again.
 * @param {string} path
 * @param {{ patience?: number }} [request] In milliseconds.
 * @returns {Promise<any>} The answer's JSON; the same object as before if nothing has changed.
 * @throws {Problem}
 */
export async function poll(path, request = {}) {
  const before = answers.get(path);
  const { text, tag, isSame } = await fetchText(path, before ? { "If-None-Match": before.tag } : {}, request.patience);
  answers.delete(path);
  const value = isSame && before ? before.value : readJSON(text);
  if (tag) answers.set(path, { tag, value });
  for (const oldest of answers.keys()) if (answers.size > mostAnswers) answers.delete(oldest);
  return value;
}

/** @param {string} path @param {Record<string, string>} headers @param {number} [patience] */
async function fetchText(path, headers, patience) {
  const controller = new AbortController();
  const timer = patience && setTimeout(() => controller.abort(), patience);
  try {
    const response = await exchange.begin(path, { headers, signal: controller.signal });
    return { text: await response.text(), tag: response.headers.get("ETag") ?? "", isSame: response.status === 304 };
  } catch (error) {
    throw problem(Problem.from(error));
  } finally {
    clearTimeout(timer);
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
 * Keeps a view right while somebody looks at it: asks now, every so often, and at once when the page is looked at again.
 * A hidden page asks for nothing, and one whose user has to log in first asks no more: it shows the view anew after that.
 * @param {import("../page.js").Page} page
 * @param {number} interval Milliseconds.
 * @param {() => Promise<void>} work Asks, and shows what it was told.
 * @param {(fault: string) => void} tell Takes why that failed; empty once it has not.
 * @returns {{ refresh: () => Promise<void>, close: () => void }}
 */
export function follow(page, interval, work, tell) {
  let waiting = 0, isClosed = false;
  const refresh = coalesced(async () => {
    try {
      await work();
      page.connection("live");
      tell("");
    } catch (error) {
      const fault = problem(error);
      page.connection(fault.isUnreachable ? "server unreachable" : needsToken(fault) ? "logged out" : "live");
      if (!needsToken(fault)) return tell(fault.message);
      isClosed = true;
      page.askToLogIn();
    }
  });
  async function goOn() {
    await refresh();
    clearTimeout(waiting);
    if (!isClosed && !document.hidden) waiting = window.setTimeout(goOn, interval);
  }
  function look() {
    clearTimeout(waiting);
    if (!document.hidden) goOn();
  }
  document.addEventListener("visibilitychange", look);
  goOn();
  return {
    refresh,
    close() {
      isClosed = true;
      clearTimeout(waiting);
      document.removeEventListener("visibilitychange", look);
    },
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

/**
 * Opens a session for who asks, and shows it.
 * @param {string} app
 * @param {{ options?: any, link?: any }} start
 * @param {AbortSignal} signal That its view is left.
 * @param {(cause: Problem) => void} delayed Takes why it has to be tried again.
 * @throws {Problem}
 */
export async function openAndVisit(app, start, signal, delayed) {
  // The operator may choose all options, and needs no token; of others a cookie has it.
  const door = (await caller()).isOperator ? "/admin" : "";
  const session = await open(location.origin + door, app, { ...start, cookie: true, world, signal, view: { delayed }, isWatching: false });
  session.close();
  if (!signal.aborted) location.hash = `#/sessions/${session.id}`;
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
