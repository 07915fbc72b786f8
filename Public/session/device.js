// The device: a phone that shows the stack as cards in depth, with its tabs, and what a finger can do.
import { operations } from "../client/usher.js";
import { element, set, shown, write } from "../document/element.js";
import { makeCard } from "./card.js";
import { eventBody, refuse } from "./event-control.js";

/** How many cards can be told apart; those further back stand behind one another. */
const mostInView = 6;

/** @typedef {{ top: () => HTMLElement | null, swiped: () => void, pulled: () => void }} Gestures */

/**
 * @param {import("./session.js").Session} session
 * @returns {import("./view.js").Part & { screens: HTMLElement, gestures: Gestures }}
 */
export function makeDevice(session) {
  const mark = element("p", { class: "mark", hidden: true });
  const screens = element("div", { class: "screens" });
  const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Tabs", hidden: true, onkeydown: moveAlongTabs });
  const notes = element("div", { class: "notes" });
  const slot = element("div"), tabPlace = element("div", { class: "control" });
  const phone = element("div", { class: "phone" }, mark, screens, tabs, tabPlace);
  const backs = makeBacks(session, send);
  /**
   * From the bottom up.
   * @type {ReturnType<typeof makeCard>[]}
   */
  const cards = [];
  /**
   * The controls whose inputs the server has not answered.
   * @type {Set<HTMLElement>}
   */
  const waiting = new Set();
  /** @type {import("./session.js").State | null} */
  let drawn = null;
  let noted = "", tabbed = "", revision = 0;

  /**
   * Sends an input; a refusal stands beside its control, or below where that control has gone.
   * @param {object} body
   * @param {HTMLElement} place
   */
  async function send(body, place) {
    say(place, "");
    waiting.add(place);
    const problem = await session.send(body);
    waiting.delete(place);
    say(place, problem?.message ?? "");
  }

  /** @param {HTMLElement} place @param {string} message */
  function say(place, message) {
    refuse(place, place.isConnected ? message : "");
    refuse(slot, place.isConnected ? "" : message);
  }

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
      // Also where the screen is as it was: how deep it lies may have changed, or that nothing can be sent any more.
      card.update(screen, count - 1 - place, session.isReadOnly, (name, payload, target) => {
        const { body, fault } = eventBody(screen.id, name, payload);
        return body ? send(body, target) : refuse(target, fault ?? "");
      });
      card.root.style.setProperty("--place", String(Math.max(0, place - Math.max(0, count - mostInView))));
    });
    set(screens, "data-empty", count === 0 && "No screen is shown.");
    const focused = document.activeElement;
    if (hadFocus && (!screens.contains(focused) || focused?.closest(".leaving"))) cards.at(-1)?.root.focus({ preventScroll: true });
  }

  /** @param {number} id @param {number} at */
  function insert(id, at) {
    const card = makeCard(id);
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
        type: "button", role: "tab", onclick: () => send({ select: name }, tabPlace),
      }, element("bdi", {}, name))));
    }
    names.forEach((name, place) => {
      set(tabs.children[place], "aria-selected", String(name === state.tabs?.selected));
      set(tabs.children[place], "tabindex", name === state.tabs?.selected ? 0 : -1);
      set(tabs.children[place], "disabled", session.isReadOnly);
    });
  }

  return {
    screens,
    gestures: {
      top: () => (session.isReadOnly ? null : cards.at(-1)?.root ?? null),
      swiped: backs.swipe,
      pulled: backs.pull,
    },
    root: element("section", { class: "device", "aria-label": "Device" },
      element("h2", { class: "unseen" }, "Device"), phone, backs.root, slot, notes),
    update() {
      const state = session.state;
      const past = session.past;
      mark.hidden = !past;
      if (past) write(mark, past.fault ? past.fault.message : `Revision ${past.revision} of ${session.now?.revision ?? "?"}: as it was, read only`);
      phone.toggleAttribute("data-past", Boolean(past));
      phone.toggleAttribute("data-over", session.isOver);
      if (state) {
        if (state.revision !== revision) {
          refuse(slot, "");
          refuse(tabPlace, "");
          backs.forget();
        }
        revision = state.revision;
        updateCards(state);
        updateTabs(state);
        backs.update(state);
      }
      if (session.delay) for (const place of waiting) say(place, session.delay.message);
      const texts = JSON.stringify([session.ending?.message, state?.ended, state?.pending, state?.warnings, state === null]);
      if (texts !== noted) notes.replaceChildren(...makeNotes(session));
      noted = texts;
    },
  };
}

/**
 * The screen with which the uppermost modal begins; where there is none, the base's first.
 * @param {import("./session.js").Card[]} stack
 */
function modal(stack) {
  return [...stack].reverse().find(({ shown }) => shown !== "push" && shown !== "root") ?? stack[0];
}

/**
 * Back, and the two gestures as buttons.
 * @param {import("./session.js").Session} session
 * @param {(body: object, place: HTMLElement) => void} send
 */
function makeBacks(session, send) {
  const places = [0, 1, 2].map(() => element("div", { class: "control" }));
  const why = element("span", { id: "back-refused", class: "unseen" });
  const stack = () => session.now?.stack ?? [];
  const actions = [
    () => send({ back: true }, places[0]),
    () => send({ popped: stack().at(-1)?.id ?? 0 }, places[1]),
    () => send({ dismissed: modal(stack())?.id ?? 0 }, places[2]),
  ];
  const buttons = ["Back", "Swipe back", "Pull down"].map((name, place) =>
    element("button", { type: "button", onclick: actions[place] }, name));
  buttons.forEach((button, place) => places[place].append(button));
  return {
    root: element("div", { class: "backs", role: "group", "aria-label": "Going back" }, ...places, why),
    swipe: actions[1],
    pull: actions[2],
    /** Takes back what was refused: it was said of another revision. */
    forget() {
      for (const place of places) refuse(place, "");
    },
    /** @param {import("./session.js").State} state */
    update(state) {
      const refused = typeof state.back === "object" ? state.back.refused : "";
      write(why, refused);
      set(buttons[0], "title", refused || (state.back ? null : "There is nothing to go back to"));
      set(buttons[0], "aria-describedby", refused && "back-refused");
      set(buttons[0], "data-idle", state.back !== true);
      for (const button of buttons) set(button, "disabled", session.isReadOnly);
    },
  };
}

/**
 * What waits, what an author did in vain, and how it ended.
 * @param {import("./session.js").Session} session
 */
function makeNotes({ state, ending, now }) {
  const notes = [];
  if (ending) {
    notes.push(element("p", { class: "note ended" }, element("strong", {}, ending.status === 404 ? "Missing: " : "Ended: "), shown(ending.message)));
  } else if (now?.ended) {
    const result = now.ended.result === undefined ? "" : ` with ${JSON.stringify(now.ended.result)}`;
    notes.push(element("p", { class: "note ended" }, element("strong", {}, "Ended: "), shown(`${now.ended.reason}${result}`)));
  }
  if (!state && !ending) notes.push(element("p", { class: "note" }, "Asking for the session …"));
  const pending = state?.pending ?? [];
  if (pending.length) notes.push(element("p", { class: "note pending" }, shown(`waiting for ${pending.join(", ")}`)));
  for (const warning of state?.warnings ?? []) notes.push(element("p", { class: "note warning" }, shown(warning)));
  return notes;
}

/** @param {KeyboardEvent} event */
function moveAlongTabs(event) {
  const tabs = /** @type {HTMLElement[]} */ ([.../** @type {HTMLElement} */ (event.currentTarget).children]);
  const place = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -place, End: tabs.length - 1 - place }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  tabs[(place + step + tabs.length) % tabs.length].focus();
}
