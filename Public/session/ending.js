// The end of a session: a confirmation, and the next steps afterwards.
import { openAndVisit, problem } from "../client/client.js";
import { showDialog } from "../document/dialog.js";
import { alertLine, element } from "../document/element.js";

/**
 * Asks whether to end a session, and ends it.
 * @param {import("./session.js").Session} session
 */
export function askToEnd(session) {
  const fault = alertLine();
  const keep = element("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Keep it");
  const end = element("button", { type: "button", class: "danger", onclick: finish }, "End it");
  // Offers an export, which is impossible after the end; only the operator can export.
  const exporter = session.door && session.now && element("button", { type: "button", "aria-haspopup": "dialog", onclick: exportFirst }, "Export first …");
  const name = element("span", {}, "this session of ", element("bdi", {}, session.app ?? "its app"));
  const dialog = showDialog({ id: "end", title: ["End ", name, "?"] },
    element("p", {}, "The session ", element("code", {}, session.id.slice(0, 8)), " ends for each client that uses it, and its history is deleted at once: ",
      "its journal can no longer be read, exported or forked. You cannot undo that."),
    fault.root, element("div", { class: "row" }, keep, exporter, end));

  async function exportFirst() {
    const { showExports } = await import("./export-dialog.js");
    showExports(session, session.now?.revision ?? 1);
  }

  async function finish() {
    end.disabled = true;
    try {
      await session.finish();
      dialog.close();
    } catch (error) {
      fault.say(problem(error).message);
      end.disabled = false;
    }
  }
}

/**
 * Creates the next steps for a session that is over: open another session of its app, as the response 410 describes, or
 * go to the list.
 * @param {import("./session.js").Session} session
 * @returns {HTMLElement}
 */
export function makeWayOn(session) {
  const fault = alertLine();
  const again = element("button", { type: "button", class: "primary", onclick: openAnother }, `Open another ${session.app ?? "session"}`);

  async function openAnother() {
    const { app, options, open: link } = /** @type {NonNullable<typeof session.next>} */ (session.next).body;
    again.disabled = true;
    try {
      await openAndVisit(app, { options, link }, session.leaving.signal, refuse);
    } catch (error) {
      refuse(error);
      again.disabled = false;
    }
  }

  /** @param {unknown} error */
  function refuse(error) {
    fault.say(problem(error).message);
  }

  return element("div", { class: "way-on" },
    element("div", { class: "row" }, session.next && again, element("a", { href: "#/" }, "All sessions")), fault.root);
}
