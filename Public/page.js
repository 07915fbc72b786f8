// Starts the page: shows the view that the address names, the caller, and the state of the connection.
import { caller, forgetCaller, logOut } from "./client/client.js";
import { set, write } from "./document/element.js";

/**
 * The functions that the page offers to a view.
 * @typedef {object} Page
 * @property {(connection: string) => void} connection Shows the state of the connection.
 * @property {() => void} askToLogIn Shows above the view how the operator can log in to see more.
 * @property {() => void} showCaller Offers to log out if this browser has logged in.
 * @property {() => void} visit Opens the view in the address again.
 * @property {(title: string) => void} title
 */
/** @typedef {{ root: HTMLElement, close: () => void, look?: (query: URLSearchParams) => void }} View `look` moves to another place within the view. */

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const leave = /** @type {HTMLButtonElement} */ (document.querySelector(".bar button"));
const status = /** @type {HTMLElement} */ (document.querySelector(".connection"));
/** @type {View | null} */
let view = null;
let visits = 0, visited = "";
/** The time in milliseconds since 1970 at which this view's login was found to have ended; 0 if it has not ended, or never existed. */
let loggedOut = 0;

/** @type {Page} */
const page = {
  connection(connection) {
    write(status, connection);
    set(status, "data-connection", connection);
  },
  title(title) { document.title = `${title} · Usher`; },
  visit,
  async showCaller() {
    const begun = visits;
    const { canLogOut } = await caller();
    if (begun === visits) leave.hidden = !canLogOut;
  },
  async askToLogIn() {
    forgetCaller();
    if (!leave.hidden) loggedOut = Date.now();
    leave.hidden = true;
    const [{ loginPanel }, { canLogIn }] = await Promise.all([import("./login/view.js"), caller()]);
    if (!main.querySelector("#login")) main.prepend(loginPanel(canLogIn, visit, loggedOut));
  },
};

/** Opens the view that the address names. */
async function visit() {
  const begun = ++visits;
  view?.close();
  view = null;
  loggedOut = 0;
  const [place, query] = address();
  const [, session] = place.match(/^#\/sessions\/([^/]+)/) ?? [];
  const [, other] = place.match(/^#\/(?:users|apps)\/([^/]+)/) ?? [];
  const { open } = await module(session, place);
  if (begun !== visits) return;
  visited = place;
  view = open(page, decode(session ?? other ?? ""), query);
  main.replaceChildren(view.root);
  if (visits > 1) main.focus({ preventScroll: true });
  scrollTo(0, 0);
  // In a session's view, the screens come first; the view itself asks for the caller later.
  if (!session) page.showCaller();
}

/** @returns {[string, URLSearchParams]} The view, and the place in it. */
function address(hash = location.hash) {
  const [place, query = ""] = hash.split("?");
  return [place, new URLSearchParams(query)];
}

/**
 * Moves to another place within the same view, unless the view has changed the address itself.
 * @param {HashChangeEvent} event
 */
function move({ newURL }) {
  const [place, query] = address(new URL(newURL).hash);
  if (view?.look && place === visited) return view.look(query);
  visit();
}

/**
 * Loads a view: anyone with its address may see a session's screens; all other views are the operator's.
 * @param {string | undefined} session
 * @param {string} place
 * @returns {Promise<{ open: (page: Page, name: string, query: URLSearchParams) => View }>} `name` is a session's id, a user, or an app.
 */
async function module(session, place) {
  // Asks for the caller while the modules load, because a session's view needs the answer, too.
  const asked = caller();
  if (session) return import("./session/view.js");
  const [view, { isOperator }] = await Promise.all([operatorView(place), asked]);
  return isOperator ? view : import("./login/view.js");
}

/** @param {string} place */
function operatorView(place) {
  if (place.startsWith("#/apps/")) return import("./map/app-view.js");
  if (place.startsWith("#/users/")) return import("./user/view.js");
  if (place === "#/server") return import("./server/view.js");
  return place === "#/import" ? import("./import/view.js") : import("./list/view.js");
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

leave.addEventListener("click", async () => {
  // If the server does not answer, the browser counts as logged out anyway.
  await logOut().catch(() => {});
  visit();
});
addEventListener("hashchange", move);
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
visit();
