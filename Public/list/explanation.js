// What a newcomer has to know, and the census that proves it.
import { element, write } from "../document/element.js";
import { count } from "../document/format.js";

/** The short explanation with the counts of all sessions. */
export function explanation() {
  const figures = Object.fromEntries(["live", "created", "finished", "leaked"].map((name) => [name, element("dd", {}, "–")]));
  return {
    root: element("section", { class: "panel about", "aria-labelledby": "about" },
      element("div", {},
        element("h2", { id: "about" }, "What is this?"),
        element("p", {}, "An app's navigation, run on the server. Each session holds a tree of ", element("em", {}, "coordinators"),
          ": each one owns a few screens and starts others for its sub-flows. You send an event, the tree handles it, and the answer is the new stack of screens."),
        element("p", {}, "When a flow is done, its coordinator finishes and its memory is given back at once. The figures count it: created = live + finished, and leaked stays 0.")),
      element("dl", { class: "figures", "aria-label": "Coordinators of all sessions" },
        ...Object.entries(figures).map(([name, figure]) =>
          element("div", { "data-figure": name }, element("dt", {}, name), figure)))),
    /** @param {import("../session/session.js").Counts} counts @param {number} sessions */
    update(counts, sessions) {
      for (const [name, figure] of Object.entries(figures)) write(figure, count(counts[/** @type {keyof typeof counts} */ (name)] ?? 0));
      for (const figure of Object.values(figures)) figure.title = `of ${count(sessions)} sessions`;
      figures.leaked.parentElement?.toggleAttribute("data-alarm", counts.leaked > 0);
    },
  };
}
