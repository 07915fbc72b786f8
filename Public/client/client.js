// The page's requests outside a session's own client: JSON, text, polling, the caller's rights, and login.
import { readJSON, writeJSON } from "./exact-json.js";
import { Exchange, Problem, open, platform } from "./usher.js";

/** The platform for the client library, with JSON whose numbers keep all digits. */
export const world = { ...platform(), read: readJSON, write: (/** @type {unknown} */ value) => writeJSON(value) };

const exchange = new Exchange(world);

/**
 * Sends a request to the server; the browser adds its login cookie.
 * @param {string} path
 * @param {{ method?: string, body?: any, headers?: Record<string, string>, patience?: number }} [request]
 * @returns {Promise<any>} The answer's JSON; null if the body is empty.
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
 * Requests a text, such as `/metrics`.
 * @param {string} path
 * @param {{ patience?: number }} [request] The time limit in milliseconds; by default none.
 * @returns {Promise<string>}
 * @throws {Problem}
 */
export async function read(path, request = {}) {
  return (await fetchText(path, { Accept: "text/plain" }, request.patience)).text;
}

const mostAnswers = 8;
/** @type {Map<string, { tag: string, value: any }>} The newest answers of `poll`, by path. */
const answers = new Map();

/**
 * Requests JSON repeatedly: if the answer has not changed, the server does not send it again (304).
 * @param {string} path
 * @param {{ patience?: number }} [request] The time limit in milliseconds.
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
 * Returns any thrown error as a `Problem`, whose message is written for the user.
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
 * Wraps work so that it never runs twice at the same time; calls during a run cause only one further run.
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
 * Refreshes a view now, at an interval, and when its page becomes visible again.
 * A hidden page sends no requests. If the user must log in first, the refreshing ends; the view is opened again afterwards.
 * @param {import("../page.js").Page} page
 * @param {number} interval Milliseconds.
 * @param {() => Promise<void>} work Requests the data and shows them.
 * @param {(fault: string) => void} tell Shows why the work failed; called with an empty text after a success.
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

/** The caller's rights according to the server, which is asked only once. */
export function caller() {
  known ??= find();
  return known;
}

/** Makes the next call of `caller` ask the server again, because a login has begun or ended. */
export function forgetCaller() {
  known = null;
}

/**
 * Opens a session for the caller, and shows it.
 * @param {string} app
 * @param {{ options?: any, link?: any }} start
 * @param {AbortSignal} signal Aborts if the user leaves the view.
 * @param {(cause: Problem) => void} delayed Called with the reason when the opening must be tried again.
 * @throws {Problem}
 */
export async function openAndVisit(app, start, signal, delayed) {
  // The operator may choose all options and needs no token; for other callers, a cookie contains the token.
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
    // If the server does not answer, each view reports it, and the operator's views are shown.
    const isElsewhere = problem(error).status === 404;
    return { isOperator: !isElsewhere, canLogOut: false, canLogIn: !isElsewhere };
  }
}
