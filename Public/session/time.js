// Time: the journal as a line of inputs, a way back to any revision, and a fork from there.
import { ask, coalesced, problem } from "../client/client.js";
import { element, set, write } from "../document/element.js";
import { makeEntry } from "./entry.js";
import { Journal, range, summary } from "./journal.js";

const reach = 12;

/**
 * @param {import("./session.js").Session} session
 * @returns {import("./view.js").Part}
 */
export function makeTime(session) {
  const journal = new Journal((after, limit) => ask(`${session.adminPath}/journal?after=${after}&limit=${limit}`));
  /** @type {HTMLInputElement} */
  const slider = element("input", { id: "revision", type: "range", min: 1, step: 1, oninput: () => session.travel(Number(slider.value)) });
  const position = element("output", { for: "revision" });
  const line = element("ol", { class: "entries", "aria-label": "Inputs" });
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const back = element("button", { type: "button", onclick: () => session.returnToNow() }, "Return to now");
  const fork = element("button", { type: "button", class: "primary", onclick: forkHere }, "Fork here");
  const entry = makeEntry(session.id);
  let drawn = "", newest = 0;

  const chosen = () => session.past?.revision ?? newest;

  const refresh = coalesced(async () => {
    if (newest === 0) return;
    const { first, last } = range(chosen(), newest, reach);
    try {
      await journal.need(first, last);
      say("");
    } catch (error) {
      if (!session.isOver) say(problem(error).message);
    }
    draw();
  });

  /** @param {string} message */
  function say(message) {
    write(fault, message);
    fault.hidden = !message;
  }

  async function forkHere() {
    try {
      location.hash = `#/sessions/${await session.fork(chosen())}`;
    } catch (error) {
      say(problem(error).message);
    }
  }

  function draw() {
    const { first, last } = range(chosen(), newest, reach);
    const entries = [];
    for (let revision = first; revision <= last; revision++) entries.push(journal.entry(revision) ?? { revision, kind: "", input: {} });
    const text = entries.map(({ revision, kind }) => `${revision}${kind}`).join();
    if (text !== drawn) fill(/** @type {import("./journal.js").Entry[]} */ (entries));
    drawn = text;
    for (const item of line.children) {
      const isChosen = item.getAttribute("data-revision") === String(chosen());
      const button = /** @type {HTMLElement} */ (item.firstElementChild);
      if (isChosen && !button.hasAttribute("aria-current")) reveal(/** @type {HTMLElement} */ (item));
      set(button, "aria-current", isChosen && "step");
      set(button, "disabled", session.isOver);
    }
    entry.update(journal.entry(chosen()));
  }

  /** @param {import("./journal.js").Entry[]} entries */
  function fill(entries) {
    const focused = document.activeElement?.parentElement?.getAttribute("data-revision");
    line.replaceChildren(...entries.map((each) => element("li", { "data-revision": each.revision },
      element("button", { type: "button", "data-kind": each.kind, onclick: () => session.travel(each.revision) },
        element("span", { class: "ordinal" }, `${each.revision} `), element("bdi", {}, each.kind ? summary(each).slice(0, 60) : "…")))));
    if (focused) /** @type {HTMLElement | null} */ (line.querySelector(`[data-revision="${focused}"] button`))?.focus({ preventScroll: true });
  }

  /**
   * Scrolls the line, and never the page.
   * @param {HTMLElement} item
   */
  function reveal(item) {
    requestAnimationFrame(() => { line.scrollLeft = item.offsetLeft - line.offsetLeft - (line.clientWidth - item.offsetWidth) / 2; });
  }

  return {
    root: element("section", { class: "panel time", "aria-label": "Time" },
      element("h2", {}, "Time"),
      element("p", { class: "hint" }, "A session is its journal: drag back, and the tree is built again from the inputs up to there."),
      element("div", { class: "slide" }, element("label", { for: "revision" }, "Revision"), position, slider,
        element("div", { class: "row" }, back, fork)),
      fault, line, entry.root),
    update() {
      if (!session.now) return;
      if (session.now.revision < newest) journal.forgetAfter(session.now.revision - 1);
      newest = session.now.revision;
      set(slider, "max", newest);
      slider.value = String(chosen());
      set(slider, "disabled", session.isOver || newest < 2);
      set(slider, "aria-valuetext", `Revision ${chosen()} of ${newest}`);
      write(position, `${chosen().toLocaleString("en")} of ${newest.toLocaleString("en")}`);
      set(back, "disabled", !session.past);
      set(fork, "disabled", session.isOver);
      draw();
      if (!session.isOver) refresh();
    },
  };
}
