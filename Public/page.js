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
/** @typedef {{ root: HTMLElement, close: () => void }} View */

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const leave = /** @type {HTMLButtonElement} */ (document.querySelector(".bar button"));
const status = /** @type {HTMLElement} */ (document.querySelector(".connection"));
/** @type {View | null} */
let view = null;
let visits = 0;

/** @type {Page} */
const page = {
  connection(connection) {
    write(status, connection);
    set(status, "data-connection", connection);
  },
  title(title) { document.title = `${title} · Usher`; },
  visit,
  async showCaller() {
    const visited = visits;
    const { canLogOut } = await caller();
    if (visited === visits) leave.hidden = !canLogOut;
  },
  async askToLogIn() {
    forgetCaller();
    leave.hidden = true;
    const [{ loginPanel }, { canLogIn }] = await Promise.all([import("./login/view.js"), caller()]);
    if (!main.querySelector("#login")) main.prepend(loginPanel(canLogIn, visit));
  },
};

/** Shows what the address names. */
async function visit() {
  const visited = ++visits;
  view?.close();
  view = null;
  const [, session] = location.hash.match(/^#\/sessions\/([^/?]+)/) ?? [];
  const { open } = await module(session);
  if (visited !== visits) return;
  view = open(page, session ? decode(session) : "");
  main.replaceChildren(view.root);
  if (visits > 1) main.focus({ preventScroll: true });
  scrollTo(0, 0);
  // A session's screens come first, and its view asks for the rest.
  if (!session) page.showCaller();
}

/**
 * The view: a session's screens are for who has its address, the list is the operator's.
 * @param {string | undefined} session
 * @returns {Promise<{ open: (page: Page, session: string) => View }>}
 */
async function module(session) {
  if (session) return import("./session/view.js");
  const [list, { isOperator }] = await Promise.all([import("./list/view.js"), caller()]);
  return isOperator ? list : import("./login/view.js");
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
addEventListener("hashchange", visit);
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
visit();
