// What sends an event: a button, and a form where the event has a payload.
import { Verbatim, readJSON, writeJSON } from "../client/exact-json.js";
import { element, set, write } from "../document/element.js";

/**
 * @param {string} name The event's.
 * @param {any} example Its payload, filled in.
 * @param {(name: string, payload: string | null, place: HTMLElement) => void} send
 * @returns {HTMLElement}
 */
export function makeEventControl(name, example, send) {
  const button = element("button", { class: "event", type: "submit" }, element("bdi", {}, name));
  if (example === null || typeof example !== "object" || Object.keys(example).length === 0) {
    const place = element("div", { class: "control" }, button);
    button.type = "button";
    button.addEventListener("click", () => send(name, null, place));
    return place;
  }
  const text = payloadText(example);
  const payload = element("textarea", {
    "aria-label": `Payload of ${name}`, rows: Math.min(12, text.split("\n").length), spellcheck: "false", autocapitalize: "off", dir: "ltr",
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) form.requestSubmit();
    },
  });
  payload.value = text;
  const place = element("fieldset", { class: "control payload", "aria-label": name }, payload, button);
  const form = element("form", {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      send(name, payload.value, place);
    },
  }, place);
  return form;
}

/**
 * A payload to edit: on one line where it is short.
 * @param {any} example
 */
export function payloadText(example) {
  const line = writeJSON(example);
  return line.length <= 34 ? line : writeJSON(example, 2);
}

/**
 * The request for an event, with the payload as it was typed, so that no digit is lost.
 * @param {number} screen
 * @param {string} name
 * @param {string | null} payload
 * @returns {{ body?: object, fault?: string }}
 */
export function eventBody(screen, name, payload) {
  if (payload === null) return { body: { screen, event: name } };
  try {
    const value = readJSON(payload);
    if (value === null || typeof value !== "object" || Array.isArray(value)) throw new SyntaxError("it has to be an object, {…}");
  } catch (error) {
    return { fault: `The payload is not JSON of its shape: ${/** @type {Error} */ (error).message}.` };
  }
  return { body: { screen, event: { [name]: new Verbatim(payload.trim()) } } };
}

/**
 * Says beside a control why it came to nothing; or takes that back.
 * @param {HTMLElement} place
 * @param {string} message Empty when there is nothing to say.
 */
export function refuse(place, message) {
  let alert = place.querySelector(":scope > [role=alert]");
  if (!message) return alert?.remove();
  if (!alert) place.append(alert = element("p", { class: "fault", role: "alert", dir: "auto" }));
  write(alert, message);
  set(alert, "title", null);
}
