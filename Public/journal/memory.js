// Memory over time: the coordinators and bytes of all revisions, and where memory was reclaimed or leaked.
import { bytes, count, element, write } from "../document/element.js";
import { makePlot } from "../session/plot.js";

/** @typedef {import("../session/session.js").Sample} Sample */

/**
 * Returns the revisions at which memory was reclaimed, and the revisions at which memory leaked.
 * @param {Sample[]} samples In the order of their revisions.
 * @returns {{ returned: number[], leaked: number[] }}
 */
export function turns(samples) {
  /** @type {{ returned: number[], leaked: number[] }} */
  const found = { returned: [], leaked: [] };
  samples.forEach(({ revision, finished, leaked }, index) => {
    const before = samples[index - 1];
    if (!before) return;
    if (leaked > before.leaked) found.leaked.push(revision);
    if (finished - leaked > before.finished - before.leaked) found.returned.push(revision);
  });
  return found;
}

/** @returns {import("../session/view.js").Part} */
export function makeMemory() {
  const live = makePlot("Coordinators live", count);
  const size = makePlot("Bytes of state", bytes);
  const when = element("span", { class: "when" }), scope = element("p", { class: "hint" });
  let drawn = "";
  return {
    root: element("section", { class: "memory", "aria-label": "Memory" },
      element("div", { class: "memory-head" }, element("h3", {}, "Memory", when), scope),
      element("div", { class: "plots" }, live.root, size.root)),
    update({ samples, past, pastRevision, hasEnded, isAsleep }) {
      const end = samples.at(-1), text = [samples.length, end?.revision, end?.live, end?.bytes, past?.revision, pastRevision, Boolean(past?.tree), hasEnded, isAsleep].join();
      if (text === drawn) return;
      drawn = text;
      // The lines show all revisions; the figures belong to the tree of the earlier revision on display.
      const marked = past && { x: pastRevision ?? past.revision, y: past.tree?.coordinators.live ?? null };
      const found = turns(samples);
      write(when, past ? ` at revision ${pastRevision}` : hasEnded ? " at the end" : isAsleep ? " before the session hibernated" : "");
      write(scope, told(samples, found));
      live.update(samples.map((sample) => ({ x: sample.revision, y: sample.live })), marked, found);
      size.update(samples.map((sample) => ({ x: sample.revision, y: sample.bytes })), marked && { ...marked, y: past?.tree?.bytes ?? null });
    },
  };
}

/**
 * @param {Sample[]} samples
 * @param {{ returned: number[], leaked: number[] }} turns
 */
function told([first], { returned, leaked }) {
  if (!first) return "";
  const since = first.revision > 1 ? `Known since revision ${count(first.revision)}. ` : "";
  const back = returned.length ? `Memory was reclaimed at ${plural(returned.length, "revision")}` : "No memory was reclaimed yet";
  return `${since}${back}${leaked.length ? `; coordinators leaked at revision ${leaked.map(count).join(", ")}` : ""}.`;
}

/** @param {number} number @param {string} noun */
function plural(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}
