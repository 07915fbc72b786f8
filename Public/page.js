// Starts the page: which view stands behind the address, who looks, and how the connection is.
import { caller, forgetCaller, logOut } from "./client/client.js";
import { set, write } from "./document/element.js";

/**
 * What a view is given, and gives back a function that ends it.
 * @typedef {object} Page
 * @property {(connection: string) => void} connection Says how the connection is.
 * @property {() => void} askToLogIn Says above the view that there is more to see for the operator, and how.
 * @property {() => void} showCaller Offers to log out where this browser has logged in.
 * @property {() => void} visit Shows anew what the address names.
 * @property {(title: string) => void} title
 */
/** @typedef {{ root: HTMLElement, close: () => void, look?: (query: URLSearchParams) => void }} View It looks elsewhere in the same. */

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const leave = /** @type {HTMLButtonElement} */ (document.querySelector(".bar button"));
const status = /** @type {HTMLElement} */ (document.querySelector(".connection"));
/** @type {View | null} */
let view = null;
let visits = 0, visited = "";
/** When the login that this view had was found to have ended, in milliseconds since 1970; 0 if it has not, or had none. */
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

/** Shows what the address names. */
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
  // A session's screens come first, and its view asks for the rest.
  if (!session) page.showCaller();
}

/** @returns {[string, URLSearchParams]} The view, and where in it. */
function address(hash = location.hash) {
  const [place, query = ""] = hash.split("?");
  return [place, new URLSearchParams(query)];
}

/**
 * Within a view, the address names another place in it; which has named its own meanwhile.
 * @param {HashChangeEvent} event
 */
function move({ newURL }) {
  const [place, query] = address(new URL(newURL).hash);
  if (view?.look && place === visited) return view.look(query);
  visit();
}

/**
 * The view: a session's screens are for who has its address, all others are the operator's.
 * @param {string | undefined} session
 * @param {string} place
 * @returns {Promise<{ open: (page: Page, name: string, query: URLSearchParams) => View }>} Its name is a session's id, a user, or an app.
 */
async function module(session, place) {
  // Asked while modules come: a session's view wants to know it, too.
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
  // Where nobody answers there is nobody to be logged in with.
  await logOut().catch(() => {});
  visit();
});
addEventListener("hashchange", move);
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
visit();
