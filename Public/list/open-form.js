// The form that opens a session of any app.
import { ask, openAndVisit, problem } from "../client/client.js";
import { Verbatim, readJSON } from "../client/exact-json.js";
import { alertLine, element, fold, set, write } from "../document/element.js";

/** @typedef {import("../forms/schemas.js").Schemas} Schemas */
/** @typedef {import("../forms/schemas.js").Schema} Schema */

/**
 * @param {AbortSignal} signal Aborts if the user leaves the view.
 * @param {(apps: string[]) => void} told Called with the names of the apps when they are known.
 * @returns {HTMLElement}
 */
export function openForm(signal, told) {
  const app = element("select", { id: "app", required: true, onchange: () => prefill() });
  const options = makeChoice("Options", () => apps.get(app.value)?.options ?? {}, ({ optionsSchema }, schemas) => optionsSchema(schemas, app.value));
  // The link is optional.
  const link = makeChoice("Deep link", () => [], ({ linkSchema }, schemas) => {
    const linked = linkSchema(schemas, app.value);
    return linked?.items && { ...linked, minItems: 0 };
  });
  const hint = element("p", { class: "hint" });
  const { root: fault, say: refuse } = alertLine();
  const submit = element("button", { class: "primary" }, "Open"), map = element("a", {}, "Map of this app");
  /** @type {Map<string, any>} */
  let apps = new Map();

  function prefill() {
    const chosen = apps.get(app.value);
    set(map, "href", `#/apps/${encodeURIComponent(app.value)}`);
    for (const each of [options, link]) each.reset();
    const steps = Object.values(chosen?.flows ?? {}).slice(0, 2).flatMap((flows) => Object.entries(flows).slice(-1));
    write(hint, steps.length ? `Steps from the root down, e.g. ${steps.map(([name]) => name).join(" › ")}` : "This app accepts no links.");
  }

  /** @param {Event} event */
  async function submitted(event) {
    event.preventDefault();
    refuse("");
    let texts;
    try {
      texts = [options.text(), link.text()];
    } catch (error) {
      return refuse(`Not opened: ${/** @type {Error} */ (error).message}.`);
    }
    const { start, fault } = opening(texts[0], texts[1].trim() === "[]" ? "" : texts[1]);
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
    options.root, link.root, hint,
    fault, submit, element("p", { class: "hint" }, map));
}

/**
 * A collapsed input for the options or the link; if the user does not open it, the app decides.
 * @param {string} name
 * @param {() => any} filled Returns the initial value.
 * @param {(forms: typeof import("../forms/schemas.js"), schemas: Schemas) => Schema | undefined} find Returns the schema.
 */
function makeChoice(name, filled, find) {
  /** @type {ReturnType<typeof import("../forms/input.js").makeInput> | null} */
  let input = null;
  let show = () => {};
  const { root } = fold(name, [name], async () => {
    const [{ makeInput }, forms] = await Promise.all([import("../forms/input.js"), import("../forms/schemas.js")]);
    const schemas = await forms.contract(), made = input = makeInput(name, name);
    show = () => {
      const schema = find(forms, schemas);
      made.show(filled(), schema ? { schemas, schema } : null);
    };
    show();
    return [made.root, element("div", { class: "row" }, made.way)];
  });
  return {
    root,
    /** Returns the value as JSON; empty if the input was never opened. @throws {import("../forms/field.js").FormFault} */
    text: () => input?.text() ?? "",
    /** Starts again, because another app was chosen. */
    reset: () => show(),
  };
}

/**
 * Returns the members that open a session, with the texts as they were typed, so that no digit is lost.
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
