// The device: a phone that shows the stack as cards, one behind the other, with tabs and gestures.
import { writeJSON } from "../client/exact-json.js";
import { operations } from "../client/usher.js";
import { clockTime, element, placeByKey, set, shown, write } from "../document/element.js";
import { eventBody, makeCard, refuse } from "./card.js";
import { makeBacks, makeSending } from "./sending.js";

/** The number of cards that can be distinguished; further cards are hidden behind these. */
const mostInView = 6;

/** @typedef {{ top: () => HTMLElement | null, swiped: () => void, pulled: () => void }} Gestures */

/**
 * @param {import("./session.js").Session} session
 * @returns {import("./view.js").Part & { screens: HTMLElement, gestures: Gestures, strip: HTMLElement, notes: HTMLElement, sending: import("./sending.js").Sending }}
 */
export function makeDevice(session) {
  const mark = element("p", { class: "mark", hidden: true });
  const screens = element("div", { class: "screens" });
  const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Tabs", hidden: true, onkeydown: moveAlongTabs });
  const notes = element("div", { class: "notes" });
  const tabPlace = element("div", { class: "control" });
  const phone = element("div", { class: "phone" }, mark, screens, tabs, tabPlace);
  const sending = makeSending(session);
  const backs = makeBacks(session, sending);
  const pending = element("p", { class: "note pending", hidden: true });
  const strip = element("div", { class: "strip" }, pending, sending.status);
  /**
   * The cards from the bottom up.
   * @type {ReturnType<typeof makeCard>[]}
   */
  const cards = [];
  /** @type {import("./card.js").Drafts} */
  const drafts = new Map();
  /** @type {import("./session.js").State | null} */
  let drawn = null;
  /** @type {ReturnType<typeof import("./behind.js").makeMore> | null} */
  let more = null;
  let noted = "", tabbed = "", revision = 0, wasPast = false;

  /** @param {import("./session.js").State} state */
  function updateCards(state) {
    const hadFocus = screens.contains(document.activeElement);
    for (const operation of operations(drawn, state)) {
      if ("remove" in operation) cards.splice(cards.findIndex(({ id }) => id === operation.remove), 1)[0].leave();
      else if ("insert" in operation) insert(operation.insert.id, operation.at);
    }
    drawn = state;
    const count = state.stack.length;
    state.stack.forEach((screen, place) => {
      const card = cards[place];
      // Updates unchanged screens, too: their depth may have changed, or nothing can be sent any more.
      card.update(screen, count - 1 - place, session.isReadOnly, (name, payload, target, click) => {
        const { body, fault } = eventBody(screen.id, name, payload);
        return body ? sending.send(body, target, name, click) : refuse(target, fault ?? "");
      });
      set(card.root, "data-behind", place < count - mostInView);
      card.root.style.setProperty("--place", String(Math.max(0, place - Math.max(0, count - mostInView))));
    });
    cover(state.stack.slice(0, Math.max(0, count - mostInView)));
    set(screens, "data-empty", count === 0 && "No screen is shown.");
    const focused = document.activeElement;
    if (hadFocus && (!screens.contains(focused) || focused?.closest(".leaving"))) cards.at(-1)?.root.focus({ preventScroll: true });
  }

  /** @param {import("./session.js").Card[]} covered The screens that cannot be distinguished. */
  async function cover(covered) {
    if (covered.length === 0 && !more) return;
    const { makeMore } = await import("./behind.js");
    if (!more) phone.prepend((more = makeMore()).root);
    more.update(covered);
  }

  /** @param {number} id @param {number} at */
  function insert(id, at) {
    const card = makeCard(id, session.app ?? "", drafts);
    screens.insertBefore(card.root, cards[at]?.root ?? null);
    cards.splice(at, 0, card);
  }

  /** @param {import("./session.js").State} state */
  function updateTabs(state) {
    const names = state.tabs?.names ?? [];
    tabs.hidden = names.length === 0;
    if (tabbed !== names.join("\n")) {
      tabbed = names.join("\n");
      tabs.replaceChildren(...names.map((name) => element("button", {
        type: "button", role: "tab",
        onclick: (/** @type {MouseEvent} */ click) => sending.send({ select: name }, tabPlace, `tab ${name}`, click),
      }, element("bdi", {}, name))));
    }
    names.forEach((name, place) => {
      set(tabs.children[place], "aria-selected", String(name === state.tabs?.selected));
      set(tabs.children[place], "tabindex", name === state.tabs?.selected ? 0 : -1);
      set(tabs.children[place], "disabled", session.isReadOnly);
    });
  }

  /** Reports what has become of unsent inputs after the user has looked at an earlier revision. */
  function tellReturn() {
    const top = session.now?.stack.at(-1);
    const isKept = Object.keys(top?.events ?? {}).some((event) => drafts.has(`${top?.id} ${event}`));
    if (wasPast && !session.past && isKept) sending.say("What you had typed is restored.");
    wasPast = Boolean(session.past);
  }

  return {
    screens,
    gestures: {
      top: () => (session.isReadOnly ? null : cards.at(-1)?.root ?? null),
      swiped: backs.swipe,
      pulled: backs.pull,
    },
    strip,
    notes,
    sending,
    root: element("section", { class: "device", "aria-label": "Device" },
      element("h2", { class: "unseen" }, "Device"), phone, backs.root, strip, sending.slot, notes),
    update() {
      const state = session.state;
      const past = session.past;
      mark.hidden = !past;
      if (past) write(mark, past.fault ? past.fault.message : `Revision ${past.revision} of ${session.now?.revision ?? "?"}: as it was, read-only`);
      phone.toggleAttribute("data-past", Boolean(past));
      phone.toggleAttribute("data-over", session.isOver);
      backs.update(state);
      if (state) {
        if (state.revision !== revision) {
          refuse(tabPlace, "");
          backs.forget();
        }
        revision = state.revision;
        updateCards(state);
        updateTabs(state);
      } else set(screens, "data-empty", session.ending?.isHeld ? "This build cannot show the session." : session.ending ? session.ending.status === 404 ? "There is no such session." : "The session has ended." : session.denial ? "Log in to see the session." : "Loading the session …");
      sending.update();
      tellReturn();
      const work = (session.isOver && !past ? [] : state?.pending) ?? [];
      pending.hidden = work.length === 0;
      write(pending, `waiting for ${work.join(", ")}`);
      const texts = JSON.stringify([session.ending?.message, session.denied, session.now?.ended, state?.resumed, state?.warnings]);
      if (texts !== noted) notes.replaceChildren(...makeNotes(session));
      noted = texts;
    },
  };
}

/**
 * Creates the notes: what a new build has undone, the warnings for the author, and how the session ended.
 * @param {import("./session.js").Session} session
 */
function makeNotes({ state, ending, denial, denied, now }) {
  const notes = [];
  if (denial) {
    notes.push(element("p", { class: "note warning" }, element("strong", {}, "Logged out: "),
      now ? `this view is from ${clockTime(denied)}; the session itself continues.` : shown(denial.message)));
  } else if (ending) {
    notes.push(element("p", { class: "note ended" }, element("strong", {}, ending.status === 404 ? "Missing: " : ending.isHeld ? "On hold: " : "Ended: "), shown(ending.message)));
  } else if (now?.ended) {
    const result = now.ended.result === undefined ? "" : ` with ${writeJSON(now.ended.result)}`;
    notes.push(element("p", { class: "note ended" }, element("strong", {}, "Ended: "), shown(`${now.ended.reason}${result}`)));
  }
  if (state?.resumed) notes.push(element("p", { class: "note warning" }, element("strong", {}, "Resumed: "), shown(resumption(state.resumed))));
  for (const warning of state?.warnings ?? []) notes.push(element("p", { class: "note warning" }, shown(warning)));
  return notes;
}

/**
 * Describes where a session has resumed, and what it has lost.
 * @param {import("../client/usher.js").Resumed} resumed
 */
export function resumption({ revision, reason, dropped }) {
  const losses = [
    [dropped.inputs, dropped.inputs === 1 ? "input" : "inputs"],
    [dropped.messages, dropped.messages === 1 ? "message" : "messages"],
  ].flatMap(([count, name]) => (count ? `${count} ${name}` : []));
  for (const [names, kind] of /** @type {[string[], string][]} */ ([[dropped.results, "result of"], [dropped.effects, "effect"], [dropped.timers, "timer of"]])) {
    for (const name of names) losses.push(`${kind} ${name}`);
  }
  const place = revision === 0 ? "from the start" : `at revision ${revision}`;
  return `${place}, because ${reason}. ${losses.length === 0 ? "Nothing was lost" : `Lost: ${losses.join(", ")}`}.`;
}

/** @param {KeyboardEvent} event */
function moveAlongTabs(event) {
  const tabs = /** @type {HTMLElement[]} */ ([.../** @type {HTMLElement} */ (event.currentTarget).children]);
  const place = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
  const next = placeByKey(event.key, place, tabs.length);
  if (next === null) return;
  event.preventDefault();
  tabs[next].focus();
}
