// Starts the page: which view stands behind the address, and how the connection is.
import { keepToken } from "./client/client.js";
import { element, set, write } from "./document/element.js";

/**
 * What a view is given, and gives back a function that ends it.
 * @typedef {object} Page
 * @property {(connection: string) => void} connection Says how the connection is.
 * @property {(problem: import("./client/client.js").Problem) => void} askForToken
 * @property {(title: string) => void} title
 */
/** @typedef {{ root: HTMLElement, close: () => void }} View */

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
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
  askForToken(problem) {
    if (main.querySelector("#token")) return;
    const token = element("input", { id: "token", type: "password", autocomplete: "off", required: true });
    main.prepend(element("form", {
      class: "panel token", "aria-label": "Admin token", onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        keepToken(token.value);
        visit();
      },
    },
    element("p", { role: "alert" }, problem.message),
    element("label", { for: "token" }, "Admin token"),
    element("div", { class: "row" }, token, element("button", { class: "primary" }, "Use this token"))));
  },
};

/** Shows what the address names. */
async function visit() {
  const visited = ++visits;
  view?.close();
  view = null;
  const [, session] = location.hash.match(/^#\/sessions\/([^/?]+)/) ?? [];
  const { open } = session ? await import("./session/view.js") : await import("./list/view.js");
  if (visited !== visits) return;
  view = open(page, session ? decode(session) : "");
  main.replaceChildren(view.root);
  if (visits > 1) main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

addEventListener("hashchange", visit);
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
visit();
