// A card is a screen: its name, its state so that one can read it, and a control for each event it takes.
import { Digits, Verbatim, readJSON, writeJSON } from "../client/exact-json.js";
import { count, element, set, shown, write } from "../document/element.js";

/** @typedef {(name: string, payload: string | null, place: HTMLElement, click?: MouseEvent) => void} Send */
/** @typedef {Map<string, string>} Drafts What was typed and not sent, by screen and event: it outlives a look at the past. */

const mostMembers = 40, deepest = 6;

/**
 * @param {number} id The screen's.
 * @param {Drafts} drafts
 */
export function makeCard(id, drafts) {
  const name = element("bdi"), number = element("span", { class: "number" }, ` ${id}`);
  const how = element("span", { class: "how" }), path = element("bdi", { class: "path", dir: "ltr" });
  const state = element("div", { class: "state" }), events = element("div", { class: "events" });
  const content = element("div", { class: "content" }, state, events);
  const root = element("article", { class: "card", tabindex: -1 },
    element("header", {}, element("h3", {}, name, number), how, path), content);
  let stated = "", offered = "";
  return {
    id,
    root,
    /**
     * @param {import("./session.js").Card} screen
     * @param {number} depth How many cards lie over it.
     * @param {boolean} isReadOnly
     * @param {Send} send
     */
    update(screen, depth, isReadOnly, send) {
      set(root, "aria-label", `${screen.screen} ${id}`);
      set(root, "data-shown", screen.shown);
      set(root, "data-top", depth === 0);
      set(root, "data-screens", id);
      root.style.setProperty("--depth", String(Math.min(depth, 5)));
      write(name, screen.screen);
      write(how, inWords(screen.shown));
      write(path, screen.coordinator);
      const text = depth === 0 ? writeJSON(screen.state) : "";
      if (text !== stated) state.replaceChildren(...(text && text !== "{}" ? [describe(screen.state)] : []));
      // What scrolls has to be reached by keys; without an event nothing in a short state takes the focus.
      const isAlone = depth === 0 && isReadOnly && text.length <= 400;
      set(content, "tabindex", isAlone && 0);
      set(content, "role", isAlone && "group");
      set(content, "aria-label", isAlone && `Content of ${screen.screen} ${id}`);
      set(state, "tabindex", text.length > 400 && 0);
      set(state, "role", text.length > 400 && "group");
      set(state, "aria-label", text.length > 400 && `State of ${screen.screen} ${id}`);
      stated = text;
      const offer = depth === 0 && !isReadOnly ? writeJSON(screen.events ?? {}) : "{}";
      if (offer !== offered) {
        events.replaceChildren(...Object.entries(offer === "{}" ? {} : screen.events ?? {})
          .map(([event, example]) => makeEventControl(event, example, send, drafts, `${id} ${event}`)));
      }
      offered = offer;
    },
    /** Leaves the phone; nothing reads or reaches it from now on. */
    leave() {
      root.inert = true;
      root.classList.add("leaving");
      setTimeout(() => root.remove(), 240);
    },
  };
}

/**
 * How a screen is shown, as one reads it: `fullScreen` is `full screen`.
 * @param {string} shown
 */
export function inWords(shown) {
  return shown.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/**
 * A value as one reads it: members with their names, a list, or a text.
 * @param {any} value
 * @param {number} [depth]
 * @returns {HTMLElement}
 */
export function describe(value, depth = 0) {
  if (value === null) return element("span", { class: "value none" }, "none");
  if (value instanceof Digits || typeof value !== "object") return element("span", { class: `value ${typeof value}` }, shown(String(value)));
  if (depth >= deepest) return element("span", { class: "value" }, shown(writeJSON(value)));
  if (Array.isArray(value)) {
    if (value.length === 0) return element("span", { class: "value none" }, "empty");
    return some(element("ol"), value, (each) => [element("li", {}, describe(each, depth + 1))]);
  }
  if (Object.keys(value).length === 0) return element("span", { class: "value none" }, "empty");
  return some(element("dl"), Object.entries(value), ([name, member]) =>
    [element("div", { class: isNested(member) && "nested" }, element("dt", {}, shown(name, 60)), element("dd", {}, describe(member, depth + 1)))]);
}

/** @param {any} value */
function isNested(value) {
  return value !== null && typeof value === "object" && !(value instanceof Digits) && Object.keys(value).length > 0;
}

/**
 * As many members as one would read, and a button for the next ones.
 * @template {HTMLElement} List
 * @param {List} list
 * @param {any[]} members
 * @param {(member: any) => HTMLElement[]} make
 */
function some(list, members, make) {
  if (members.length <= mostMembers) {
    list.append(...members.flatMap(make));
    return list;
  }
  let drawn = 0;
  const more = element("button", { type: "button", class: "quiet", onclick: draw });
  function draw() {
    list.append(...members.slice(drawn, drawn += mostMembers).flatMap(make));
    write(more, `Show more of ${count(members.length)}`);
    if (drawn >= members.length) more.remove();
  }
  draw();
  return element("div", {}, list, more);
}

/**
 * What sends an event: a button, and a form where the event has a payload.
 * @param {string} name The event's.
 * @param {any} example Its payload, filled in.
 * @param {Send} send
 * @param {Drafts} drafts
 * @param {string} key Of its draft.
 * @returns {HTMLElement}
 */
function makeEventControl(name, example, send, drafts, key) {
  const button = element("button", { class: "event", type: "submit" }, element("bdi", {}, name));
  if (example === null || typeof example !== "object" || Object.keys(example).length === 0) {
    const place = element("div", { class: "control" }, button);
    button.type = "button";
    button.addEventListener("click", (click) => send(name, null, place, click));
    return place;
  }
  const text = payloadText(example), secrets = secretMembers(example);
  const payload = element("textarea", {
    "aria-label": `Payload of ${name}`, rows: Math.min(12, text.split("\n").length), spellcheck: "false", autocapitalize: "off", dir: "ltr",
    oninput: note,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) form.requestSubmit();
    },
  });
  const reset = element("button", { type: "button", class: "quiet", "aria-label": `Example of ${name}`, onclick: () => fill(text) }, "Example");
  const hint = secrets.length > 0 && element("p", { class: "hint" }, `Type ${secrets.join(" and ")}: a secret has no example.`);
  const place = element("fieldset", { class: "control payload", "aria-label": name }, payload, hint, element("div", { class: "row" }, button, reset));
  const form = element("form", {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (hint && payload.value === text) return refuse(place, `Not sent: type ${secrets.join(" and ")} first.`);
      send(name, payload.value, place);
    },
  }, place);
  // The second click of a double click is no second submission: who sends has to say so.
  button.addEventListener("click", (click) => {
    if (click.detail < 2) return;
    click.preventDefault();
    send(name, payload.value, place, click);
  });

  function note() {
    if (payload.value === text) drafts.delete(key);
    else drafts.set(key, payload.value);
    reset.hidden = payload.value === text;
  }
  /** @param {string} value */
  function fill(value) {
    payload.value = value;
    note();
  }
  fill(drafts.get(key) ?? text);
  return form;
}

/** What stands where a secret would. */
const mask = "…";

/**
 * The members of an example that are secrets, at any depth.
 * @param {any} example
 * @returns {string[]}
 */
export function secretMembers(example) {
  if (example === null || typeof example !== "object" || example instanceof Verbatim) return [];
  return Object.entries(example).flatMap(([name, member]) => (member === mask ? [name] : secretMembers(member)));
}

/**
 * A payload to edit: on one line where it is short; secrets are left out.
 * @param {any} example
 */
export function payloadText(example) {
  const filled = withoutSecrets(example);
  const line = writeJSON(filled);
  return line.length <= 34 ? line : writeJSON(filled, 2);
}

/** @param {any} value @returns {any} */
function withoutSecrets(value) {
  if (value === mask) return "";
  if (value === null || typeof value !== "object" || value instanceof Verbatim) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
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
    if (value === null || typeof value !== "object" || Array.isArray(value)) throw new SyntaxError("it must be an object, {…}");
  } catch (error) {
    return { fault: `The payload is not JSON of the right shape: ${/** @type {Error} */ (error).message}.` };
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
