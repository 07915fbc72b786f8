// The inspector of the revision on display: changes, state, coordinators, map, and the raw input.
import { ask } from "../client/client.js";
import { bytes, element, placeByKey, set, stylesheet, write } from "../document/element.js";
import { payload, summary } from "../journal/journal.js";
import { makeCoordinators } from "../session/coordinators.js";
import { makeChanged } from "./changed.js";
import { makeRaw } from "./raw.js";
import { makeState } from "./state.js";

await stylesheet("/inspector/inspector.css");

export const views = { changed: "Changed", state: "State", tree: "Tree", map: "Map", raw: "Raw" };
/** @typedef {keyof typeof views} View */

/** @param {string | null} name @returns {View} */
export function viewOf(name) {
  return name && Object.hasOwn(views, name) ? /** @type {View} */ (name) : "tree";
}

/**
 * @param {import("../session/session.js").Session} session
 * @param {import("../journal/journal.js").Journal} journal
 * @param {import("../session/sending.js").Sending} sending
 * @returns {import("../session/view.js").Part}
 */
export function makeInspector(session, journal, sending) {
  const title = element("h2", {}, "Revision –"), facts = element("p", { class: "hint facts" });
  const changed = makeChanged(session), state = makeState(session), tree = makeCoordinators(session, journal), raw = makeRaw(session.id);
  /** @type {ReturnType<typeof import("../map/view.js").makeMap> | null} */
  let map = null;
  let isMapAsked = false;
  const tabs = /** @type {Record<string, HTMLElement>} */ (Object.fromEntries(Object.entries(views).map(([view, name]) => [view, element("button", {
    type: "button", role: "tab", id: `inspect-${view}`, "aria-controls": `inspected-${view}`, onclick: () => choose(/** @type {View} */ (view)),
  }, name)])));
  const list = element("div", { class: "inspections", role: "tablist", "aria-label": "Inspect", onkeydown: move }, ...Object.values(tabs));
  const panels = /** @type {Record<string, HTMLElement>} */ (Object.fromEntries(Object.keys(views).map((view) => [view, element("div", {
    class: "inspected", role: "tabpanel", id: `inspected-${view}`, "aria-labelledby": `inspect-${view}`, hidden: true,
  })])));
  panels.changed.append(changed.root);
  panels.state.append(state.root);
  panels.tree.append(tree.root);
  panels.raw.append(raw.root);

  /** @param {View} view */
  function choose(view) {
    session.view = view;
    session.changed();
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const names = /** @type {View[]} */ (Object.keys(views)), next = placeByKey(event.key, names.indexOf(/** @type {View} */ (session.view)), names.length);
    if (next === null) return;
    event.preventDefault();
    const view = names[next];
    choose(view);
    tabs[view].focus();
  }

  async function showMap() {
    isMapAsked = true;
    const { makeMap } = await import("../map/view.js");
    map = makeMap(session, sending, async () => (await ask(`${session.adminPath}/walk`)).points);
    panels.map.append(map.root);
    session.changed();
  }

  /** Returns the selected entry, and the time since the previous entry. */
  function looked() {
    const { chosen, refusal } = session, entry = journal.entry(chosen);
    const [time, before] = [chosen, chosen - 1].map((revision) => Date.parse(journal.entry(revision)?.time ?? ""));
    return { looked: refusal ?? entry, gap: Number.isNaN(time - before) ? null : time - before };
  }

  return {
    root: element("section", { class: "panel inspector", "aria-label": "Inspector" },
      element("div", { class: "inspector-head" }, title, list), facts, ...Object.values(panels)),
    update() {
      const { chosen, refusal } = session, { looked: entry, gap } = looked();
      write(title, refusal ? `Refused: ${refusal.status}` : `Revision ${chosen || "–"}`);
      const fact = entry ? factsOf(entry, journal) : "…";
      write(facts, fact);
      set(facts, "title", fact);
      for (const [view, tab] of Object.entries(tabs)) {
        const isChosen = view === session.view;
        set(tab, "aria-selected", String(isChosen));
        set(tab, "tabindex", isChosen ? 0 : -1);
        panels[view].hidden = !isChosen;
      }
      // Updates the tree even while it is hidden, because the tree shows each change when it happens.
      tree.update(session);
      if (session.view === "changed") changed.update(gap);
      if (session.view === "state") state.update();
      if (session.view === "raw") raw.update(entry);
      if (session.view !== "map") return;
      if (map) map.update();
      else if (!isMapAsked) showMap();
    },
  };
}

/**
 * @param {import("../journal/journal.js").Entry | import("../session/moments.js").Refusal} entry
 * @param {import("../journal/journal.js").Journal} journal
 */
function factsOf(entry, journal) {
  const time = entry.time.replace("T", " ").replace("Z", " UTC");
  if ("status" in entry) {
    const { input, detail, revision } = entry;
    return `${input ? `${inputInWords(summary({ kind: "input", input }), input)} · ` : ""}${detail} · ${time}, at revision ${revision}`;
  }
  const what = inputInWords(summary(entry, journal.nameOf(entry)), entry.input);
  return `${what} · ${time} · then ${entry.visible || "no screen"} is visible · ${bytes(entry.bytes)} in the journal`;
}

/** @param {string} name @param {any} input */
function inputInWords(name, input) {
  const carried = payload(input);
  return carried ? `${name} ${carried}` : name;
}
