// Any input, as it is typed: a link, a backend's message, or what a client could send; at one revision only, where that is asked.
import { ask, problem } from "../client/client.js";
import { Verbatim, readJSON, writeJSON } from "../client/exact-json.js";
import { element, write } from "../document/element.js";

/** What can be sent, each with an example of its shape. */
const kinds = {
  input: { name: "Input", hint: "As a client sends it: an event, back, popped, dismissed, select or open.", example: '{"screen":2,"back":true}' },
  link: { name: "Link", hint: "The flows from the root down.", example: '["…"]' },
  message: { name: "Message", hint: "A message from the app's backend.", example: '{"…":{}}' },
};
/** @typedef {keyof typeof kinds} Kind */

/**
 * The request of an input, with the text as it was typed, so that no digit is lost.
 * @param {Kind} kind
 * @param {string} text
 * @param {{ id: string, adminPath: string, tag: string | null }} session
 * @param {string} revision At which it counts; empty for any.
 * @returns {{ path: string, body: any, headers: Record<string, string> }}
 * @throws {SyntaxError} Where the text is no JSON.
 */
export function request(kind, text, session, revision) {
  readJSON(text);
  /** @type {Record<string, string>} */
  const headers = revision ? { "If-Match": tagOf(revision, session.tag) } : {};
  const value = new Verbatim(text.trim());
  if (kind === "message") return { path: `/sessions/${encodeURIComponent(session.id)}/messages`, body: { message: value }, headers };
  return { path: `${session.adminPath}/events`, body: kind === "link" ? { open: value } : value, headers };
}

/**
 * The entity tag of a revision: behind it stands what stands there in the newest, where a crash can take revisions back.
 * @param {string} revision
 * @param {string | null} newest
 */
function tagOf(revision, newest) {
  return (newest ?? '"0"').replace(/^"\d+/, `"${revision}`);
}

/**
 * Asks what to send, and sends it.
 * @param {import("./session.js").Session} session
 * @param {string | null} [proposed] An input as a client sends it.
 */
export function askToSend(session, proposed = null) {
  const state = session.now, events = state?.stack.at(-1)?.events ?? {};
  const [event] = Object.keys(events);
  const fault = element("p", { class: "fault", role: "alert", hidden: true }), said = element("p", { class: "hint", role: "status" });
  const hint = element("p", { class: "hint", id: "send-hint" });
  const kind = element("select", { id: "send-kind", onchange: choose }, ...Object.entries(kinds).map(([value, { name }]) => element("option", { value }, name)));
  const text = element("textarea", { id: "send-text", rows: 5, spellcheck: "false", autocapitalize: "off", dir: "ltr", "aria-describedby": "send-hint", autofocus: true });
  const revision = element("input", { id: "send-revision", inputmode: "numeric", pattern: "[0-9]*", placeholder: "any" });
  const send = element("button", { type: "submit", class: "primary" }, "Send");
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "wide", "aria-labelledby": "send-title", onclose: () => dialog.remove() },
    element("h2", { id: "send-title" }, "Send an input"),
    element("form", { class: "filled", onsubmit: submitted },
      element("label", { for: "send-kind" }, "Kind"), kind, hint,
      element("label", { for: "send-text" }, "JSON"), text,
      element("label", { for: "send-revision" }, "Only at revision (If-Match)"), revision,
      fault, said,
      element("div", { class: "row" }, send, element("button", { type: "button", onclick: () => dialog.close() }, "Close"))));

  const chosen = () => /** @type {Kind} */ (kind.value);

  function choose() {
    write(hint, kinds[chosen()].hint);
    const filled = event && { event: Object.keys(/** @type {any} */ (events)[event] ?? {}).length ? { [event]: events[event] } : event };
    text.value = chosen() === "input" && filled ? writeJSON(filled, 2) : kinds[chosen()].example;
  }

  /** @param {string} message */
  function refuse(message) {
    write(fault, message);
    fault.hidden = !message;
    if (message) write(said, "");
  }

  /** @param {Event} submission */
  async function submitted(submission) {
    submission.preventDefault();
    refuse("");
    let sent;
    try {
      sent = request(chosen(), text.value, session, revision.value.trim());
    } catch (error) {
      return refuse(`This is not JSON: ${/** @type {Error} */ (error).message}.`);
    }
    send.disabled = true;
    try {
      const state = await ask(sent.path, { method: "POST", body: sent.body, headers: sent.headers });
      write(said, `Accepted: the session is at revision ${state.revision}.`);
    } catch (error) {
      refuse(problem(error).message);
    }
    send.disabled = false;
  }

  choose();
  if (proposed) text.value = proposed;
  document.querySelector("main")?.append(dialog);
  dialog.showModal();
}
