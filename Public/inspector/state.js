// The state of all screens on display, the visible one first.
import { writeJSON } from "../client/exact-json.js";
import { element } from "../document/element.js";
import { describe, inWords } from "../session/card.js";

/** @param {import("../session/session.js").Session} session */
export function makeState(session) {
  const root = element("div", { class: "states-of-screens" });
  let drawn = "";
  return {
    root,
    update() {
      const { state } = session, text = state ? writeJSON([state.stack, state.tabs, state.back]) : "";
      if (text === drawn) return;
      drawn = text;
      const cards = [...(state?.stack ?? [])].reverse().map(({ id, screen, shown, coordinator, state }) => element("section", { "data-screens": id, "aria-label": `State of ${screen} ${id}` },
        element("h3", {}, element("bdi", {}, screen), element("span", { class: "number" }, ` ${id} `), element("span", { class: "how" }, inWords(shown))),
        element("bdi", { class: "path", dir: "ltr" }, coordinator),
        element("div", { class: "state" }, writeJSON(state) === "{}" ? element("p", { class: "hint" }, "This screen has no state.") : describe(state))));
      root.replaceChildren(...(cards.length ? cards : [element("p", { class: "empty" }, "No screen is shown.")]));
    },
  };
}
