// What changed with one input: the window's changes, members of the state, coordinators, and the time since the one before.
import { writeJSON } from "../client/exact-json.js";
import { clip, element, shown } from "../document/element.js";
import { coordinatorDifferences, mostDifferences, span, stateDifferences } from "./difference.js";

/** How much of a value is told. */
const longest = 120;

/** @returns {{ root: HTMLElement, update: (session: import("./session.js").Session, gap: number | null) => void, none: () => void }} */
export function makeChanges() {
  const list = element("ul", { class: "differences" });
  const root = element("div", { class: "changed", role: "group", tabindex: 0, "aria-label": "What changed" }, list);
  let drawn = "";
  return {
    root,
    /** Says that a refused input has changed nothing. */
    none() {
      drawn = "";
      list.replaceChildren(item("none", "Nothing: the input was refused."));
    },
    /** @param {number | null} gap Milliseconds since the revision before. */
    update(session, gap) {
      const { state, before } = session, tree = session.past ? session.past.tree : session.tree;
      const known = state && before?.revision === state.revision - 1 ? before : null;
      const text = [state?.revision, known?.revision, Boolean(known?.tree), Boolean(tree), gap].join();
      if (!state || text === drawn) return;
      drawn = text;
      const items = [
        ...(gap === null ? [] : [item("time", `${span(gap)} after revision ${state.revision - 1}`)]),
        ...state.changes.map(changeItem),
        ...(known?.state ? stateItems(known.state, state) : []),
        ...(known?.tree && tree ? coordinatorItems(known.tree, tree) : []),
      ];
      list.replaceChildren(...(items.length ? items : [item("none", state.revision === 1 ? "The session was opened." : "Nothing that a client sees.")]));
    },
  };
}

/** @param {string} kind @param {...import("../document/element.js").Child} children */
function item(kind, ...children) {
  return element("li", { "data-kind": kind }, ...children);
}

/** @param {any} change Of the window, such as `{"push":[2]}`. */
function changeItem(change) {
  const [[name, value]] = Object.entries(change);
  return item("window", element("strong", {}, name), " ", shown(typeof value === "string" ? value : plain(value), longest));
}

/** @param {any} value Ids without their brackets. */
function plain(value) {
  return Array.isArray(value) ? value.join(", ") : writeJSON(value);
}

/** @param {import("./session.js").State} before @param {import("./session.js").State} after */
function stateItems(before, after) {
  const found = stateDifferences(before, after), told = found.slice(0, mostDifferences);
  const items = told.map(({ place, before, after }) => item("state", element("code", {}, shown(place, longest)), ": ",
    before === undefined ? "new, " : element("del", {}, shown(value(before), longest)),
    before === undefined || after === undefined ? "" : " → ",
    after === undefined ? ", gone" : element("ins", {}, shown(value(after), longest))));
  return found.length > told.length ? [...items, item("none", "and more")] : items;
}

/** @param {any} value */
function value(value) {
  return clip(writeJSON(value), 4_000);
}

/** @param {import("./session.js").Tree} before @param {import("./session.js").Tree} after */
function coordinatorItems(before, after) {
  const { created, finished } = coordinatorDifferences(before.root ?? null, after.root ?? null);
  return [
    ...created.map(({ type }) => item("created", element("strong", {}, "created"), " ", shown(type, longest))),
    ...finished.map(({ type }) => item("finished", element("strong", {}, "finished"), " ", shown(type, longest))),
  ];
}
