// The form that opens a session of any app.
import { ask, openAndVisit, problem } from "../client/client.js";
import { Verbatim, readJSON, writeJSON } from "../client/exact-json.js";
import { element, set, write } from "../document/element.js";

/** @typedef {ReturnType<typeof import("../forms/input.js").makeInput>} Input */

/**
 * @param {AbortSignal} signal That its view is left.
 * @param {(apps: string[]) => void} told Takes the names of the apps, once they are known.
 * @returns {HTMLElement}
 */
export function openForm(signal, told) {
  const app = element("select", { id: "app", required: true, onchange: () => prefill() });
  const optionsPlace = element("div"), linkPlace = element("div");
  /** @type {{ options: Input, link: Input, forms: typeof import("../forms/schemas.js") } | null} */
  let typed = null;
  const hint = element("p", { class: "hint" }), map = element("a", {}, "Map of this app");
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const submit = element("button", { class: "primary" }, "Open");
  /** @type {Map<string, any>} */
  let apps = new Map();
  /** @type {import("../forms/schemas.js").Schemas | null} */
  let schemas = null;

  function prefill() {
    const chosen = apps.get(app.value);
    /** @param {import("../forms/schemas.js").Schema | undefined} schema */
    const shape = (schema) => (schemas && schema ? { schemas, schema } : null);
    set(map, "href", `#/apps/${encodeURIComponent(app.value)}`);
    if (!typed) return;
    const { options, link, forms } = typed, linked = schemas && forms.linkSchema(schemas, app.value);
    options.show(chosen?.options ?? {}, shape(schemas ? forms.optionsSchema(schemas, app.value) : undefined));
    // A session may be opened without a link.
    link.show([], shape(linked && linked.items ? { ...linked, minItems: 0 } : undefined));
    const steps = Object.values(chosen?.flows ?? {}).slice(0, 2).flatMap((flows) => Object.entries(flows).slice(-1));
    write(hint, steps.length ? `Steps from the root down, e.g. ${writeJSON(steps.map(([name, payload]) => ({ [name]: payload })))}` : "This app takes no links.");
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
    if (!typed) return;
    let text;
    try {
      text = [typed.options.text(), typed.link.text()];
    } catch (error) {
      return refuse(`Not opened: ${/** @type {Error} */ (error).message}.`);
    }
    const { start, fault } = opening(text[0], text[1].trim() === "[]" ? "" : text[1]);
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
      const [{ makeInput }, forms] = await Promise.all([import("../forms/input.js"), import("../forms/schemas.js")]);
      schemas = await forms.contract().catch(() => null);
      if (!typed) {
        typed = { options: makeInput("Options", "Options"), link: makeInput("Deep link", "Deep link"), forms };
        optionsPlace.append(element("div", { class: "row between" }, element("h3", {}, "Options"), typed.options.way), typed.options.root);
        linkPlace.append(element("div", { class: "row between" }, element("h3", {}, "Deep link"), typed.link.way), typed.link.root);
      }
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
    optionsPlace, linkPlace, hint,
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
