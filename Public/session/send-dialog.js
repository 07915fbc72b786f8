// A dialog to send any input: a link, a backend's message, or a client's input; on request, only at a certain revision.
import { ask, problem } from "../client/client.js";
import { writeJSON } from "../client/exact-json.js";
import { showDialog } from "../document/dialog.js";
import { alertLine, element, write } from "../document/element.js";
import { FormFault } from "../forms/field.js";
import { makeInput } from "../forms/input.js";
import { casesOf, componentName, contract, linkSchema, messageSchema, sampleOf } from "../forms/schemas.js";
import { withoutSecrets } from "./card.js";
import { request } from "./input-request.js";

/** The kinds of inputs, each with an example. */
const kinds = {
  input: { name: "Input", hint: "An event of the visible screen. As JSON you can also send “back”, “popped”, “dismissed”, “select” or “open”.", none: "The visible screen accepts no event." },
  link: { name: "Link", hint: "The flows from the root down.", none: "This app accepts no links." },
  message: { name: "Message", hint: "A message from the app's backend.", none: "This app accepts no messages." },
};
/** @typedef {import("./input-request.js").Kind} Kind */

/**
 * Asks what to send, and sends it.
 * @param {import("./session.js").Session} session
 * @param {string | null} [proposed] An input to propose, in the form in which a client sends it.
 */
export async function askToSend(session, proposed = null) {
  const schemas = await contract(), isTold = Object.hasOwn(schemas, componentName(session.app ?? "", "Opening"));
  const top = session.now?.stack.at(-1), events = top?.events ?? {};
  const fault = alertLine(), said = element("p", { class: "hint", role: "status" });
  const hint = element("p", { class: "hint", id: "send-hint" });
  const kind = element("select", { id: "send-kind", onchange: () => choose() }, ...Object.entries(kinds).map(([value, { name }]) => element("option", { value }, name)));
  const typed = makeInput("the input", "JSON");
  const revision = element("input", { id: "send-revision", inputmode: "numeric", pattern: "[0-9]*", placeholder: "any" });
  const send = element("button", { type: "submit", class: "primary" }, "Send");
  /** @returns {Kind} */
  const chosen = () => /** @type {Kind} */ (kind.value);
  choose();
  if (proposed) typed.showText(proposed, shapeOf(chosen()));
  const dialog = showDialog({ id: "send", title: ["Send an input"], isWide: true },
    element("form", { class: "filled", onsubmit: submitted },
      element("label", { for: "send-kind" }, "Kind"), kind, hint,
      typed.root, element("div", { class: "row" }, typed.way),
      element("label", { for: "send-revision" }, "Only at revision (If-Match)"), revision,
      fault.root, said,
      element("div", { class: "row" }, send, element("button", { type: "button", onclick: () => dialog.close() }, "Close"))));

  function choose() {
    const shape = shapeOf(chosen());
    write(hint, kinds[chosen()][shape || !isTold ? "hint" : "none"]);
    if (shape) return typed.show(exampleOf(shape), shape);
    typed.showText(chosen() === "input" ? writeJSON(exampleInput(), 2) : "", null);
  }

  /**
   * Returns the schema for a kind of input; null if it is not known, or if the app accepts none.
   * @param {Kind} kind
   */
  function shapeOf(kind) {
    const { app } = session;
    if (!app) return null;
    const event = schemas[componentName(app, "screens", top?.screen ?? "", "event")];
    /** @type {import("../forms/schemas.js").Schema | undefined} */
    const input = event && casesOf(schemas, event) ? { type: "object", properties: { event }, required: ["event"] } : undefined;
    const schema = { input, link: linkSchema(schemas, app), message: messageSchema(schemas, app) }[kind];
    return schema && (kind !== "link" || casesOf(schemas, schema.items)) ? { schemas, schema } : null;
  }

  /** @param {import("../forms/input.js").Shape} shape Returns an example that matches the schema. */
  function exampleOf({ schemas, schema }) {
    return chosen() === "input" ? exampleInput() : sampleOf(schemas, schema);
  }

  /** Returns the first event of the visible screen; without an event, the input that leaves the screen. */
  function exampleInput() {
    const [event] = Object.entries(events);
    if (!event) return { screen: top?.id ?? 0, back: true };
    return { event: { [event[0]]: withoutSecrets(event[1] ?? {}) } };
  }

  /** @param {string} message */
  function refuse(message) {
    fault.say(message);
    if (message) write(said, "");
  }

  /** @param {Event} submission */
  async function submitted(submission) {
    submission.preventDefault();
    refuse("");
    let sent;
    try {
      sent = request(chosen(), typed.text(), session, revision.value.trim());
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      return refuse(error instanceof FormFault ? `Not sent: ${message}.` : `This is not JSON: ${message}.`);
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
}
