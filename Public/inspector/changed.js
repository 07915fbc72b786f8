// The changes by one input, or between a pinned revision A and the revision on display: screens, state, coordinators, and time.
import { writeJSON } from "../client/exact-json.js";
import { clip, element, shown } from "../document/element.js";
import { coordinatorDifferences, mostDifferences, span, stateDifferences } from "./difference.js";
import { makePin } from "./pin.js";

/** The maximum length of a shown value. */
const longest = 120;

/** @param {import("../session/session.js").Session} session */
export function makeChanged(session) {
  const list = element("ul", { class: "differences" });
  const comparison = makePin(session);
  let drawn = "";

  /** Shows that a refused input has changed nothing. */
  function showNone() {
    drawn = "";
    list.replaceChildren(item("none", "Nothing changed, because the input was refused."));
  }

  /** Shows the differences from the pinned revision. */
  function compare() {
    const { state, pinned } = session, tree = session.past ? session.past.tree : session.tree;
    const text = [session.pin?.session, session.pin?.revision, Boolean(pinned), pinned?.fault?.message, state?.revision, Boolean(tree)].join();
    if (!state || text === drawn) return;
    drawn = text;
    if (pinned?.fault) return list.replaceChildren(item("none", pinned.fault.message));
    if (!pinned?.state) return list.replaceChildren(item("none", "Reading revision A …"));
    const items = [...screenItems(pinned.state, state), ...stateItems(pinned.state, state), ...(pinned.tree && tree ? coordinatorItems(pinned.tree, tree) : [])];
    list.replaceChildren(...(items.length ? items : [item("none", "Nothing differs.")]));
  }

  return {
    root: element("div", { class: "compared" }, comparison.root,
      element("div", { class: "changed", role: "group", tabindex: 0, "aria-label": "What changed" }, list)),
    /** @param {number | null} gap Milliseconds since the previous revision. */
    update(gap) {
      comparison.update();
      if (session.pin) return compare();
      if (session.refusal) return showNone();
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
      list.replaceChildren(...(items.length ? items : [item("none", state.revision === 1 ? "The session was opened." : "Nothing changed that a client sees.")]));
    },
  };
}

/** @param {string} kind @param {...import("../document/element.js").Child} children */
function item(kind, ...children) {
  return element("li", { "data-kind": kind }, ...children);
}

/** @param {any} change A change of the window, such as `{"push":[2]}`. */
function changeItem(change) {
  const [[name, value]] = Object.entries(change);
  return item("window", element("strong", {}, name), " ", shown(typeof value === "string" ? value : plain(value), longest));
}

/** @param {any} value Ids are shown without brackets. */
function plain(value) {
  return Array.isArray(value) ? value.join(", ") : writeJSON(value);
}

/**
 * Lists the screens that only one of the two states has.
 * @param {import("../session/session.js").State} before
 * @param {import("../session/session.js").State} after
 */
function screenItems(before, after) {
  /** @param {import("../session/session.js").State} one @param {import("../session/session.js").State} other */
  const only = (one, other) => {
    const known = new Set(other.stack.map(({ id, screen }) => `${screen} ${id}`));
    return one.stack.map(({ id, screen }) => `${screen} ${id}`).filter((name) => !known.has(name));
  };
  return [
    ...only(before, after).map((name) => item("state", "screen ", element("del", {}, shown(name, longest)))),
    ...only(after, before).map((name) => item("state", "screen ", element("ins", {}, shown(name, longest)))),
  ];
}

/** @param {import("../session/session.js").State} before @param {import("../session/session.js").State} after */
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

/** @param {import("../session/session.js").Tree} before @param {import("../session/session.js").Tree} after */
function coordinatorItems(before, after) {
  const { created, finished } = coordinatorDifferences(before.root ?? null, after.root ?? null);
  return [
    ...created.map(({ type }) => item("created", element("strong", {}, "created"), " ", shown(type, longest))),
    ...finished.map(({ type }) => item("finished", element("strong", {}, "finished"), " ", shown(type, longest))),
  ];
}
