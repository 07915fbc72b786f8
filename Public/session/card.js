// A card shows a screen: its name, its state in readable form, and a control for each event.
import { Digits, Verbatim, readJSON, writeJSON } from "../client/exact-json.js";
import { clip, count, element, fold, set, shown, write } from "../document/element.js";

/** @typedef {(name: string, payload: string | null, place: HTMLElement, click?: MouseEvent) => void} Send */
/** @typedef {Map<string, HTMLElement>} Drafts Controls with typed but unsent payloads, by screen and event; they stay while the user looks at an earlier revision. */

const mostMembers = 40, deepest = 6, previewLength = 90;

/**
 * @param {number} id The screen's id.
 * @param {string} app
 * @param {Drafts} drafts
 */
export function makeCard(id, app, drafts) {
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
     * @param {number} depth The number of cards above this one.
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
      // Scrollable content must be reachable by keyboard; a short state without an event gets no focus.
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
        events.replaceChildren(...Object.entries(offer === "{}" ? {} : screen.events ?? {}).map(([event, example]) => {
          const key = `${id} ${event}`;
          return drafts.get(key) ?? makeEventControl(event, example, send, { app, screen: screen.screen }, (control) => {
            if (control) drafts.set(key, control);
            else drafts.delete(key);
          });
        }));
      }
      offered = offer;
    },
    /** Removes the card from the device; the card is no longer focusable or read aloud. */
    leave() {
      root.inert = true;
      root.classList.add("leaving");
      setTimeout(() => root.remove(), 240);
    },
  };
}

/**
 * Returns a readable form of how a screen is shown: `full screen` for `fullScreen`.
 * @param {string} shown
 */
export function inWords(shown) {
  return shown.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/**
 * Shows a value in readable form: named members, a list, or a text.
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
 * Shows some of the members, and a button for the next members.
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
 * Creates the control for an event: a button, and beside it an input for the payload if the event has one.
 * @param {string} name The event's name.
 * @param {any} example An example of its payload.
 * @param {Send} send
 * @param {{ app: string, screen: string }} origin The app and the screen of the event.
 * @param {(control: HTMLElement | null) => void} typed Called with the control if it has a typed payload, otherwise with null.
 * @returns {HTMLElement}
 */
function makeEventControl(name, example, send, { app, screen }, typed) {
  const button = element("button", { class: "event", type: "submit" }, element("bdi", {}, name));
  if (!isNested(example)) {
    const place = element("div", { class: "control" }, button);
    button.type = "button";
    button.addEventListener("click", (click) => send(name, null, place, click));
    return place;
  }
  const secrets = secretMembers(example), filled = withoutSecrets(example);
  const preview = element("bdi", {}, inShort(filled));
  const payload = fold(`Payload of ${name}`, [element("span", { class: "unseen" }, `Payload of ${name}: `), preview], makePayload);
  const hint = secrets.length > 0 && element("p", { class: "hint" }, `Type a value for ${secrets.map((secret) => `“${secret}”`).join(" and ")}, because a secret has no example.`);
  const place = element("fieldset", { class: "control payload", "aria-label": name }, button, hint, payload.root);
  const root = element("form", {
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      submit();
    },
  }, place);
  /** @type {ReturnType<typeof import("../forms/input.js").makeInput> | null} */
  let input = null;
  let whole = "";
  // The second click of a double click is not a second submission; `send` decides this by the click.
  button.addEventListener("click", (click) => {
    if (click.detail < 2) return;
    click.preventDefault();
    submit(click);
  });

  /** Creates the input for the payload, which needs the app's types. */
  async function makePayload() {
    const [{ makeInput }, { payloadShape }] = await Promise.all([import("../forms/input.js"), import("../forms/schemas.js")]);
    const shape = await payloadShape(app, screen, name, example);
    const made = input = makeInput(name, `Payload of ${name}`, note);
    const reset = element("button", { type: "button", class: "quiet", "aria-label": `Example of ${name}`, hidden: true, onclick: fill }, "Example");
    made.json.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) root.requestSubmit();
    });
    made.show(filled, shape);
    // Compares with the form's own text, because the form may order members differently.
    whole = made.text(true);

    function fill() {
      made.show(filled, shape);
      note();
    }

    function note() {
      const text = made.text(true), isTyped = text !== whole;
      typed(isTyped ? root : null);
      reset.hidden = !isTyped;
      write(preview, shortText(text));
    }

    return [made.root, element("div", { class: "row" }, made.way, reset)];
  }

  /** @param {MouseEvent} [click] */
  async function submit(click) {
    if (!input && secrets.length === 0) return send(name, writeJSON(filled), place, click);
    if (!input) await payload.open();
    if (!input) return;
    try {
      const text = input.text();
      if (secrets.length > 0 && input.isJSON && text === whole) throw new SyntaxError(`type a value for ${secrets.map((secret) => `“${secret}”`).join(" and ")} first`);
      send(name, text, place, click);
    } catch (error) {
      refuse(place, `Not sent: ${/** @type {Error} */ (error).message}.`);
      await payload.open();
      const empty = [...place.querySelectorAll("input")].find(({ type, value }) => type === "password" && !value);
      empty?.focus();
    }
  }

  return root;
}

/**
 * Returns a readable short form of a payload: each member with its path.
 * @param {any} value
 * @param {string} [place]
 * @returns {string}
 */
export function inShort(value, place = "") {
  const text = isNested(value) ? Object.entries(value).map(([name, member]) => inShort(member, place ? `${place}.${name}` : name)).join(", ")
    : `${place}: ${value === "" ? "–" : value === null ? "none" : typeof value === "object" && !(value instanceof Digits) ? "empty" : value}`;
  return text.length > previewLength ? `${clip(text, previewLength - 2)} …` : text;
}

/** @param {string} text JSON that may be cut off. */
function shortText(text) {
  try {
    return inShort(readJSON(text));
  } catch {
    return clip(text, previewLength);
  }
}

/** The text in place of a secret. */
export const secret = "…";

/**
 * Returns the members of an example that are secrets, at any depth.
 * @param {any} example
 * @returns {string[]}
 */
export function secretMembers(example) {
  if (example === null || typeof example !== "object" || example instanceof Verbatim) return [];
  return Object.entries(example).flatMap(([name, member]) => (member === secret ? [name] : secretMembers(member)));
}

/**
 * Returns an example for editing, without secrets.
 * @param {any} value
 * @returns {any}
 */
export function withoutSecrets(value) {
  if (value === secret) return "";
  if (value === null || typeof value !== "object" || value instanceof Verbatim) return value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}

/**
 * Returns the request for an event, with the payload as it was typed, so that no digit is lost.
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
 * Shows beside a control why its input failed, or removes that message.
 * @param {HTMLElement} place
 * @param {string} message Empty to remove the message.
 */
export function refuse(place, message) {
  let alert = place.querySelector(":scope > [role=alert]");
  if (!message) return alert?.remove();
  if (!alert) place.append(alert = element("p", { class: "fault", role: "alert", dir: "auto" }));
  write(alert, message);
  set(alert, "title", null);
}
