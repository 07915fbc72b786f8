// The instructions for logging in: with the admin token, or with the link that contains it.
import { caller, logIn, problem } from "../client/client.js";
import { alertLine, clockTime, element } from "../document/element.js";

/**
 * @param {boolean} canLogIn `false` if the operator uses a separate address, so that nobody can log in here.
 * @param {() => void} entered Called once the browser has logged in.
 * @param {number} [loggedOut] The time, in milliseconds since 1970, at which the login ended that had loaded the rest
 * of this page; 0 for none.
 * @returns {HTMLElement}
 */
export function loginPanel(canLogIn, entered, loggedOut = 0) {
  if (!canLogIn) {
    return element("div", { id: "login", class: "panel token" },
      element("p", {}, "Operators use a separate address of this server, which the option ", code("--admin-listen"), " sets."));
  }
  const token = element("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const fault = alertLine();
  const submit = element("button", { class: "primary" }, "Log in");

  /** @param {Event} event */
  async function submitted(event) {
    event.preventDefault();
    fault.say("");
    submit.disabled = true;
    try {
      await logIn(token.value);
      entered();
    } catch (error) {
      fault.say(problem(error).message);
    }
    submit.disabled = false;
  }

  return element("form", { id: "login", class: "panel token", "aria-label": "Log in", onsubmit: submitted },
    loggedOut > 0 && element("strong", {}, "You are logged out"),
    loggedOut > 0 && element("p", { role: "status" },
      `Your login has ended; the server and its sessions continue. Values that only the operator sees are from ${clockTime(loggedOut)}, until you log in again.`),
    element("p", {}, "Enter the admin token: the value of ", code("USHER_ADMIN_TOKEN"), " or ", code("--admin-token"), ", or the content of ",
      code("--admin-token-file"), ". If none of these is set, open the link that the server printed when it started."),
    element("label", { for: "token" }, "Admin token"),
    element("div", { class: "row" }, token, submit),
    fault.root);
}

/** @param {string} text */
function code(text) {
  return element("code", {}, text);
}

/**
 * The page for users who have not logged in.
 * @param {import("../page.js").Page} page
 * @returns {import("../page.js").View}
 */
export function open(page) {
  const root = element("div", { class: "list" }, element("h1", {}, "Log in"));
  page.title("Log in");
  page.connection("live");
  caller().then(({ canLogIn }) => root.append(loginPanel(canLogIn, page.visit)));
  return { root, close() {} };
}
