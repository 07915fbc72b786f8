// Sends the user's inputs: shows pending inputs, failed inputs with the reason, and the three ways to go back.
import { writeJSON } from "../client/exact-json.js";
import { element, set, write } from "../document/element.js";
import { refuse } from "./card.js";

/** The milliseconds after which a pending input is shown; most inputs are answered sooner. */
const patience = 200;

/**
 * @typedef {object} Sending
 * @property {(body: object, place: HTMLElement, name: string, click?: MouseEvent) => void} send
 * @property {() => void} update Removes refusals of other revisions, and shows which inputs wait.
 * @property {(text: string) => void} say
 */

/**
 * @param {import("./session.js").Session} session
 * @returns {Sending & { status: HTMLElement, slot: HTMLElement }}
 */
export function makeSending(session) {
  const status = element("p", { class: "hint under-way", role: "status" });
  const slot = element("div", { class: "slot" });
  /**
   * The inputs that the server has not answered; the server handles the first of them now.
   * @type {{ name: string, place: HTMLElement, text: string }[]}
   */
  const underWay = [];
  let timer = 0, revision = 0, isNaming = false;

  /** Shows which input is pending, and which inputs wait for that input. */
  function tell() {
    clearTimeout(timer);
    if (underWay.length > 0) timer = window.setTimeout(name, patience);
    else if (isNaming) say("");
  }

  function name() {
    const [first, ...others] = underWay.map(({ name }) => name);
    say(`Sending ${first}${others.length ? `; then ${others.join(", ")}` : ""} …`);
    isNaming = true;
  }

  /** @param {string} text */
  function say(text) {
    write(status, text);
    isNaming = false;
  }

  /** @param {HTMLElement} place @param {string} message */
  function answer(place, message) {
    refuse(place, place.isConnected ? message : "");
    refuse(slot, place.isConnected ? "" : message);
  }

  return {
    status,
    slot,
    /** Sends an input; a refusal is shown beside its control, or below if the control has gone. */
    async send(body, place, name, click) {
      // The second click may hit a control that the first click has brought there.
      if (click && click.detail > 1) return say(`${name}: sent once, because a double click is one click`);
      const input = { name, place, text: writeJSON(body) };
      // Another text is another input, even if the answer to the first input is pending.
      if (underWay.some((each) => each.place === place && each.text === input.text)) return say(`${name}: this click was ignored, because the same input is still being sent`);
      answer(place, "");
      say("");
      underWay.push(input);
      set(place, "aria-busy", "true");
      tell();
      const problem = await session.send(body);
      underWay.splice(underWay.indexOf(input), 1);
      set(place, "aria-busy", underWay.some((each) => each.place === place) ? "true" : null);
      tell();
      answer(place, problem?.message ?? "");
      if (problem) place.querySelector(":scope > [role=alert]")?.scrollIntoView({ block: "nearest" });
    },
    say,
    update() {
      const now = session.state?.revision ?? 0;
      if (now !== revision) refuse(slot, "");
      revision = now;
      if (session.delay) for (const { place } of underWay) answer(place, session.delay.message);
    },
  };
}

/**
 * Creates the back button, and the two gestures as buttons.
 * @param {import("./session.js").Session} session
 * @param {Sending} sending
 */
export function makeBacks(session, { send }) {
  const names = ["Back", "Swipe back", "Pull down"];
  const places = names.map(() => element("div", { class: "control" }));
  const why = element("span", { id: "back-refused", class: "unseen" });
  const stack = () => session.now?.stack ?? [];
  const bodies = [
    () => ({ screen: stack().at(-1)?.id ?? 0, back: true }),
    () => ({ popped: stack().at(-1)?.id ?? 0 }),
    () => ({ dismissed: modal(stack())?.id ?? 0 }),
  ];
  const buttons = names.map((name, way) =>
    element("button", { type: "button", onclick: (click) => go(way, click) }, name));
  buttons.forEach((button, way) => places[way].append(button));

  /** @param {number} way @param {MouseEvent} [click] */
  function go(way, click) {
    send(bodies[way](), places[way], names[way], click);
  }

  return {
    root: element("div", { class: "backs", role: "group", "aria-label": "Going back" }, ...places, why),
    swipe: () => go(1),
    pull: () => go(2),
    /** Removes a refusal, because it belongs to another revision. */
    forget() {
      for (const place of places) refuse(place, "");
    },
    /** @param {import("./session.js").State | null} state */
    update(state) {
      const refused = typeof state?.back === "object" ? state.back.refused : "";
      write(why, refused);
      set(buttons[0], "title", refused || (state?.back ? null : "There is nothing to go back to"));
      set(buttons[0], "aria-describedby", refused && "back-refused");
      set(buttons[0], "data-idle", state?.back !== true);
      for (const button of buttons) set(button, "disabled", session.isReadOnly || !state);
    },
  };
}

/**
 * Returns the first screen of the topmost modal; without a modal, the first screen of the stack.
 * @param {import("./session.js").Card[]} stack
 */
function modal(stack) {
  return [...stack].reverse().find(({ shown }) => shown !== "push" && shown !== "root") ?? stack[0];
}
