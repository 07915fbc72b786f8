// One coordinator: why it is in memory, which input created it and when, its parent, its screens, and its pending work.
import { age, clip, element, set, shown, write } from "../document/element.js";
import { summary } from "../journal/journal.js";

/** @typedef {import("../session/tree-drawing.js").Node} Node */

/**
 * Returns, in one sentence, why a coordinator is in memory.
 * @param {Node} node
 * @param {boolean} isTop
 */
export function reason({ screens, work = [], children, leak, zombie, isGhost }, isTop) {
  if (isGhost) return "It finished with this input, and is no longer in memory.";
  if (leak) return `It finished, but ${leak.holder ? `${leak.holder} holds it` : "something holds it"}: a leak.`;
  if (zombie) return "It shows nothing any more, but the app still keeps it: a zombie.";
  const reasons = [];
  if (screens.length) reasons.push(`it shows ${listed(screens.map(({ id, screen }) => `${screen} ${id}`))}`);
  if (work.length) reasons.push(`it waits for ${listed(work.map(workInWords))}`);
  if (children.length) reasons.push(`${listed(children.map(({ type }) => type))} ${children.length === 1 ? "runs" : "run"} below it`);
  if (!reasons.length) return isTop ? "It is the root, so it is alive as long as the session is." : "It has neither screens nor work nor children.";
  return clip(`It is alive because ${listed(reasons)}.`, 400);
}

/** @param {{ name: string }} work A timer has no name of its own. */
function workInWords({ name }) {
  return name === "timer" ? "a timer" : name;
}

/** @param {string[]} names */
function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/**
 * @param {import("../session/session.js").Session} session
 * @param {import("../journal/journal.js").Journal} journal
 * @param {() => void} leave Called when no coordinator is selected any more.
 */
export function makeCoordinator(session, journal, leave) {
  const name = element("h4"), why = element("p"), facts = element("dl", { class: "facts-of-one" });
  const root = element("section", { class: "one", "aria-label": "Coordinator", hidden: true },
    element("div", { class: "row between" }, name, element("button", { type: "button", class: "quiet", onclick: leave }, "Close")), why, facts);
  const since = element("dd", {}, "…");
  /** @type {string | null} The node of the last request, with the newest revision that may have created the node. */
  let asked = null;
  let drawn = "";

  /** @param {Node} node */
  async function tellSince(node) {
    const [kind, id] = typeof node.id === "number" ? /** @type {const} */ (["coordinator", node.id]) : /** @type {const} */ (["screen", node.screens[0]?.id]);
    const key = `${kind} ${id}`;
    if (asked === key) return;
    asked = key;
    if (id === undefined) return write(since, "unknown, because the coordinator has no screen");
    write(since, "…");
    const entry = await journal.creationOf(kind, id, session.now?.revision ?? 1).catch(() => null);
    if (asked !== key) return;
    if (!entry) return write(since, "unknown");
    const jump = element("button", { type: "button", class: "quiet", onclick: () => session.travel(entry.revision) }, `revision ${entry.revision}`);
    since.replaceChildren(kind === "screen" ? "no later than " : "", jump, ` by ${summary(entry, journal.nameOf(entry))}, ${age(entry.time, Date.now())} ago`);
  }

  return {
    root,
    /** @param {Node | null} node @param {Node | null} parent */
    show(node, parent) {
      root.hidden = !node;
      if (!node) return;
      write(name, typeof node.id === "number" ? `${node.type} ${node.id}` : node.type);
      write(why, reason(node, parent === null));
      const text = JSON.stringify([node.id, node.screens, node.work, parent?.id, node.children.map(({ id }) => id)]);
      if (text !== drawn) {
        drawn = text;
        facts.replaceChildren(
          ...fact("Since", since), ...fact("Parent", parent ? parent.type : "none: it is the root"),
          ...fact("Screens", listed(node.screens.map(({ id, screen }) => `${screen} ${id}`)) || "none"),
          ...fact("Waits for", listed((node.work ?? []).map(workInWords)) || "nothing"),
          ...fact("Children", listed(node.children.map(({ type }) => type)) || "none"));
      }
      set(root, "data-screens", node.screens.map(({ id }) => id).join(" ") || null);
      if (node.leak || node.isGhost) write(since, node.leak ? `leaked at revision ${node.leak.revision}, by ${node.leak.input}` : "gone");
      else tellSince(node);
    },
  };
}

/** @param {string} name @param {HTMLElement | string} value */
function fact(name, value) {
  return [element("dt", {}, name), typeof value === "string" ? element("dd", {}, shown(value, 200)) : value];
}
