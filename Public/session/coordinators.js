// The coordinators: their counts, the leaks, and the tree of the coordinators in memory.
import { clockTime, count, element, shown, write } from "../document/element.js";
import { makeCoordinator } from "../inspector/coordinator.js";
import { makeOwnTree } from "./own-tree.js";
import { makeTreeDrawing } from "./tree-drawing.js";

const explanations = {
  live: "in memory now", created: "since the session was opened", finished: "no longer in the tree",
  reclaimed: "finished, and no longer in memory", leaked: "finished, but still in memory",
};
/** @typedef {keyof typeof explanations} Figure */

/**
 * Returns the counts; if the session has ended, all its coordinators count as finished.
 * @param {import("./session.js").Counts} counts
 * @param {boolean} hasEnded
 * @param {boolean} [isResting] Whether the session hibernates, so that its unfinished coordinators are not in memory.
 * @returns {import("./session.js").Counts}
 */
export function counted(counts, hasEnded, isResting = false) {
  if (hasEnded) return { ...counts, live: 0, finished: counts.created };
  return isResting ? { ...counts, live: 0 } : counts;
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("../journal/journal.js").Journal} journal
 * @returns {import("./view.js").Part}
 */
export function makeCoordinators(session, journal) {
  const one = makeCoordinator(session, journal, () => drawing.leave()), other = makeCoordinator(session, journal, () => own.leave());
  const drawing = makeTreeDrawing("Tree of coordinators", one.show);
  const own = makeOwnTree(other.show);
  const figures = /** @type {Record<Figure, HTMLElement>} */ (
    Object.fromEntries(Object.keys(explanations).map((name) => [name, element("dd", {}, "–")])));
  const leaks = element("ul", { class: "leaks", "aria-label": "Leaks" });
  const fault = element("p", { class: "fault", hidden: true });
  let leaked = "";

  /** @param {import("./session.js").Leak[]} found */
  function updateLeaks(found) {
    const text = JSON.stringify(found);
    if (text === leaked) return;
    leaked = text;
    leaks.replaceChildren(...found.map((leak) => element("li", {},
      element("strong", {}, shown(leak.type, 80)), " leaked at revision ", String(leak.revision), ", by ", shown(leak.input, 80),
      leak.holder ? element("span", {}, "; held by ", element("code", {}, shown(leak.holder))) : "; looking for its holder …")));
  }

  const none = element("p", { class: "empty", hidden: true }, "No coordinator is in memory.");
  const rest = element("p", { class: "hint", role: "status", hidden: true });
  const guide = element("p", { class: "hint", hidden: true }, "Choose a coordinator to see why it is alive.");
  const when = element("span", { class: "when" });

  return {
    root: element("section", { class: "coordinators", "aria-label": "Coordinators" },
      element("div", { class: "head" }, element("h3", {}, "Coordinators", when),
        element("dl", { class: "figures slim", "aria-label": "Coordinators of this session" },
          ...Object.entries(figures).map(([name, figure]) =>
            element("div", { "data-figure": name, title: explanations[/** @type {Figure} */ (name)] }, element("dt", {}, name), figure)))),
      fault, guide, element("div", { class: "trees" }, none, rest, drawing.root, own.root), one.root, other.root, leaks),
    update({ tree: newest, treeFault, treeKnown, past, pastRevision, before, now, isOver, hasEnded, denied, isAsleep }) {
      // If a session is on hold, or its end is unknown, it is also unknown what is in memory.
      const tree = past ? past.tree : isOver && !hasEnded ? null : newest;
      const problem = past || isOver ? null : treeFault;
      const isStale = !past && !isOver && treeKnown > 0 && (problem !== null || denied > 0);
      const isResting = isAsleep && !past && !isOver && tree !== null;
      write(when, past ? ` at revision ${pastRevision}` : hasEnded ? " at the end" : isResting ? " hibernated" : isStale ? ` as of ${clockTime(treeKnown)}` : "");
      fault.hidden = !problem && !(past?.state && !tree);
      if (!fault.hidden) write(fault, problem?.message ?? "The coordinators of this revision cannot be shown.");
      const counts = tree && counted(tree.coordinators, hasEnded && !past, isResting);
      for (const [name, figure] of Object.entries(figures)) {
        const number = counts && (name === "reclaimed" ? counts.finished - counts.leaked : counts[/** @type {keyof typeof counts} */ (name)]);
        write(figure, number ?? "–");
      }
      figures.leaked.parentElement?.toggleAttribute("data-alarm", Boolean(counts?.leaked));
      // The state arrives before the tree, but only the tree has the holders of leaks.
      const early = past ? past.state?.leaks : now?.leaks;
      const found = tree && tree.leaks.length >= (early?.length ?? 0) ? tree.leaks : early ?? [];
      updateLeaks(found);
      rest.hidden = !isResting;
      if (isResting) write(rest, `${count(tree.coordinators.live)} coordinators have left memory. The next use of the session rebuilds them from the journal.`);
      none.hidden = !hasEnded || Boolean(past);
      // At the newest revision, finished coordinators disappear visibly; at an earlier revision, they stay as ghosts.
      const ghosts = pastRevision && tree && before?.revision === pastRevision - 1 ? before.tree?.root ?? null : null;
      const drawn = isOver && !past ? null : tree?.root ?? null;
      guide.hidden = !drawn;
      drawing.update(drawn, found, Boolean(past), ghosts);
      own.update(isOver && !past ? null : tree?.own ?? null, Boolean(past));
    },
  };
}
