// A card is a screen: its name, its state so that one can read it, and a control for each event it takes.
import { Digits, writeJSON } from "../client/exact-json.js";
import { element, set, shown, write } from "../document/element.js";
import { makeEventControl } from "./event-control.js";

const mostMembers = 40, deepest = 6;

/**
 * @param {number} id The screen's.
 */
export function makeCard(id) {
  const name = element("bdi"), number = element("span", { class: "number" }, ` ${id}`);
  const how = element("span", { class: "how" }), path = element("bdi", { class: "path", dir: "ltr" });
  const state = element("div", { class: "state" }), events = element("div", { class: "events" });
  const root = element("article", { class: "card", tabindex: -1 },
    element("header", {}, element("h3", {}, name, number), how, path), state, events);
  let stated = "", offered = "";
  return {
    id,
    root,
    /**
     * @param {import("./session.js").Card} screen
     * @param {number} depth How many cards lie over it.
     * @param {boolean} isReadOnly
     * @param {(name: string, payload: string | null, place: HTMLElement) => void} send
     */
    update(screen, depth, isReadOnly, send) {
      set(root, "aria-label", `${screen.screen} ${id}`);
      set(root, "data-shown", screen.shown);
      set(root, "data-top", depth === 0);
      root.style.setProperty("--depth", String(Math.min(depth, 5)));
      write(name, screen.screen);
      write(how, inWords(screen.shown));
      write(path, screen.coordinator);
      const text = depth === 0 ? writeJSON(screen.state) : "";
      if (text !== stated) state.replaceChildren(...(text && text !== "{}" ? [describe(screen.state)] : []));
      // What scrolls has to be reached by keys.
      set(state, "tabindex", text.length > 400 && 0);
      set(state, "role", text.length > 400 && "group");
      set(state, "aria-label", text.length > 400 && `State of ${screen.screen} ${id}`);
      stated = text;
      const offer = depth === 0 && !isReadOnly ? writeJSON(screen.events ?? {}) : "{}";
      if (offer !== offered) {
        events.replaceChildren(...Object.entries(offer === "{}" ? {} : screen.events ?? {})
          .map(([event, example]) => makeEventControl(event, example, send)));
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
    write(more, `Show more of ${members.length.toLocaleString("en")}`);
    if (drawn >= members.length) more.remove();
  }
  draw();
  return element("div", {}, list, more);
}
