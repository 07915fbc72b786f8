// The form that opens a session of any app.
import { ask, openAndVisit, problem } from "../client/client.js";
import { Verbatim, readJSON, writeJSON } from "../client/exact-json.js";
import { element, set, write } from "../document/element.js";

/**
 * @param {AbortSignal} signal That its view is left.
 * @param {(apps: string[]) => void} told Takes the names of the apps, once they are known.
 * @returns {HTMLElement}
 */
export function openForm(signal, told) {
  const app = element("select", { id: "app", required: true, onchange: () => prefill() });
  const options = element("textarea", { id: "options", rows: 3, spellcheck: "false", dir: "ltr" });
  const link = element("textarea", { id: "link", rows: 2, spellcheck: "false", dir: "ltr", placeholder: "[]", "aria-describedby": "link-hint" });
  const hint = element("p", { id: "link-hint", class: "hint" });
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const submit = element("button", { class: "primary" }, "Open"), map = element("a", {}, "Map of this app");
  /** @type {Map<string, any>} */
  let apps = new Map();

  function prefill() {
    const chosen = apps.get(app.value);
    set(map, "href", `#/apps/${encodeURIComponent(app.value)}`);
    options.value = writeJSON(chosen?.options ?? {}, 2);
    options.rows = options.value.split("\n").length;
    const steps = Object.values(chosen?.flows ?? {}).slice(0, 2).flatMap((flows) => Object.entries(flows).slice(-1));
    write(hint, steps.length ? `Steps from the root down, e.g. ${writeJSON(steps.map(([name, payload]) => ({ [name]: payload })))}` : "This app accepts no links.");
  }

  /** @param {string} message */
  function refuse(message) {
    write(fault, message);
    fault.hidden = !message;
  }

  /** @param {Event} event */
  async function submitted(event) {
    event.preventDefault();
    refuse("");
    const { start, fault } = opening(options.value, link.value);
    if (fault) return refuse(fault);
    submit.disabled = true;
    try {
      await openAndVisit(app.value, start ?? {}, signal, (cause) => refuse(problem(cause).message));
    } catch (error) {
      refuse(problem(error).message);
    }
    submit.disabled = false;
  }

  async function fill() {
    try {
      const answer = await ask("/apps");
      apps = new Map(answer.apps.map((/** @type {any} */ each) => [each.app, each]));
      told([...apps.keys()]);
      app.replaceChildren(...[...apps.keys()].map((name) => element("option", { value: name }, name)));
      if (apps.has("tudy")) app.value = "tudy";
      prefill();
    } catch (error) {
      refuse(problem(error).message);
      setTimeout(fill, 2_000);
      return;
    }
    refuse("");
  }
  fill();

  return element("form", { class: "panel open", "aria-labelledby": "open", onsubmit: submitted },
    element("h2", { id: "open" }, "Open a session"),
    element("label", { for: "app" }, "App"), app,
    element("label", { for: "options" }, "Options"), options,
    element("label", { for: "link" }, "Deep link"), link, hint,
    fault, submit, element("p", { class: "hint" }, map));
}

/**
 * How a session begins, with the texts as they were typed, so that no digit is lost.
 * @param {string} options
 * @param {string} link
 * @returns {{ start?: { options?: any, link?: any }, fault?: string }}
 */
export function opening(options, link) {
  /** @type {Record<string, Verbatim>} */
  const start = {};
  for (const [name, label, text] of [["options", "The options", options], ["link", "The deep link", link]]) {
    if (!text.trim()) continue;
    try {
      readJSON(text);
    } catch (error) {
      return { fault: `${label} are not JSON: ${/** @type {Error} */ (error).message}`.replace("link are", "link is") };
    }
    start[name] = new Verbatim(text.trim());
  }
  return { start };
}
