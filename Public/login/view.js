// How to log in, for who has not: the link that the server printed, or its token.
import { caller, logIn, problem } from "../client/client.js";
import { element, write } from "../document/element.js";

/**
 * @param {boolean} canLogIn Not where the server is looked into at an address of its own.
 * @param {() => void} entered Called once the browser has logged in.
 * @returns {HTMLElement}
 */
export function loginPanel(canLogIn, entered) {
  if (!canLogIn) {
    return element("div", { id: "login", class: "panel token" },
      element("p", {}, "What this server does is shown at an address of its own, which it printed when it started."));
  }
  const token = element("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const submit = element("button", { class: "primary" }, "Log in");

  /** @param {Event} event */
  async function submitted(event) {
    event.preventDefault();
    fault.hidden = true;
    submit.disabled = true;
    try {
      await logIn(token.value);
      entered();
    } catch (error) {
      write(fault, problem(error).message);
      fault.hidden = false;
    }
    submit.disabled = false;
  }

  return element("form", { id: "login", class: "panel token", "aria-label": "Log in", onsubmit: submitted },
    element("p", {}, "What this server does is shown to its operator. Open the link that it printed when it started, or enter its admin token."),
    element("label", { for: "token" }, "Admin token"),
    element("div", { class: "row" }, token, submit),
    fault);
}

/**
 * The page for who has not logged in.
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
