// A table row for an input: time, name, outcome, changes, the work that it started, and the number of coordinators.
import { count, element, set, write } from "../document/element.js";
import { span } from "../inspector/difference.js";
import { screensOf } from "../session/lights.js";
import { payload, summary } from "./journal.js";

/** @typedef {import("./journal.js").Entry} Entry */
/** @typedef {import("../session/moments.js").Refusal} Refusal */
/** @typedef {{ revision: number, refusal: Refusal | null }} Item A revision, or an input that was refused at this revision. */

export const columns = /** @type {const} */ ([
  { name: "#", title: "Revision" }, { name: "Time", title: "Time of day in UTC" }, { name: "Input" }, { name: "Outcome" },
  { name: "Changed" }, { name: "Effects", title: "Work that the input started, and its duration" },
  { name: "Live", title: "Coordinators in the tree after the input" },
]);

const longest = 60, mostWork = 3;

/** @param {Item} item */
export function keyOf({ revision, refusal }) {
  return refusal ? `refused ${refusal.number} ${refusal.time}` : String(revision);
}

/**
 * Returns the outcome in one word.
 * @param {Pick<Entry, "kind" | "input">} entry
 */
export function outcome({ kind, input }) {
  if (kind === "creation") return input.startedOver ? "started over" : "opened";
  if (kind === "divergence") return "resumed";
  if (input.refused !== undefined) return "rejected";
  return input.failure === undefined ? "accepted" : "failed";
}

/**
 * Returns what an input has changed, in short form.
 * @param {string} visible The visible screen after the input, with its id.
 * @param {string | null} before The visible screen before the input; null if that is not known.
 * @param {{ created: number, finished: number } | null} coordinators
 */
export function changeInWords(visible, before, coordinators) {
  const words = [];
  if (before === null || before !== visible) words.push(visible ? `→ ${visible}` : "→ no screen");
  if (coordinators?.created) words.push(`+${coordinators.created}`);
  if (coordinators?.finished) words.push(`−${coordinators.finished}`);
  return words.join(" ") || "same screen";
}

/** @param {Item} item @param {() => void} choose */
export function makeRow({ revision, refusal }, choose) {
  const texts = columns.slice(1).map(({ name }) => (name === "Effects" ? [element("div", { class: "effects" })]
    : name === "Input" ? [element("bdi"), element("bdi", { class: "carried" })] : [element("bdi")]));
  const row = element("tr", { onclick: choose, "data-revision": refusal ? null : revision, "data-refused": refusal ? "" : null },
    element("td", { "data-column": "#" }, element("button", { type: "button", class: "ordinal" }, refusal ? "–" : String(revision))),
    ...columns.slice(1).map(({ name }, place) => element("td", { "data-column": name }, ...texts[place])));
  return row;
}

/**
 * @param {HTMLTableRowElement} row
 * @param {Item} item
 * @param {import("./journal.js").Journal} journal
 * @param {import("./figures.js").Figures} figures
 * @param {{ isChosen: boolean, isPinned: boolean, isDisabled: boolean }} state
 */
export function fillRow(row, { revision, refusal }, journal, figures, { isChosen, isPinned, isDisabled }) {
  const button = /** @type {HTMLElement} */ (row.cells[0].firstElementChild);
  const entry = journal.entry(revision), name = entry ? journal.nameOf(entry) : "";
  const what = refusal ? nameOfRefusal(refusal) : entry ? summary(entry, name).slice(0, longest) : "…";
  set(button, "aria-label", refusal ? `refused ${refusal.status} ${what}` : `${revision} ${what}${isPinned ? ", pinned as A" : ""}`);
  set(button, "aria-current", isChosen && "step");
  set(button, "disabled", isDisabled);
  set(row, "data-chosen", isChosen);
  set(row, "data-pinned", isPinned);
  set(row, "data-screens", refusal ? screensOf({ input: refusal.input }) : entry && screensOf(entry));
  if (refusal) return tell(row, refusal.time, what, payload(refusal.input ?? {}), `${refusal.status} refused`, refusal.detail, "refused");
  if (!entry) return tell(row, "", what, "", "", "", "unread");
  // A new beginning has ended all earlier coordinators.
  const ended = entry.input.startedOver?.ended ?? 0, before = journal.entry(revision - 1)?.visible ?? null;
  const change = figures.change(revision, entry.kind === "creation" ? { created: ended, finished: ended } : undefined);
  tell(row, entry.time, what, payload(entry.input), outcome(entry), changeInWords(entry.visible, before, change), entry.kind);
  fillWork(/** @type {HTMLElement} */ (row.cells[5].firstElementChild), entry, journal);
  const figure = figures.at(revision);
  write(row.cells[6].firstElementChild ?? row, figure ? count(figure.live) : "");
}

/** @param {HTMLTableRowElement} row @param {string} time @param {string} what @param {string} carried @param {string} outcome @param {string} change @param {string} kind */
function tell(row, time, what, carried, outcome, change, kind) {
  const cells = row.cells;
  [time.slice(11, 19), what, outcome, change].forEach((text, place) => write(cells[place + 1].firstElementChild ?? row, text));
  set(cells[1], "title", time || null);
  write(cells[2].lastElementChild ?? row, carried && ` ${carried}`);
  set(cells[2], "title", carried ? `${what} ${carried}` : what);
  set(cells[4], "title", change.slice(0, 400));
  set(row, "data-kind", kind);
  set(row, "data-outcome", kind === "refused" ? kind : outcome || null);
}

/** @param {Refusal} refusal */
function nameOfRefusal({ input }) {
  return input === undefined ? "unreadable input" : summary({ kind: "input", input }).slice(0, longest);
}

/**
 * Returns the length of a bar: a time that is ten times longer adds one step.
 * @param {number} milliseconds
 */
export function barLength(milliseconds) {
  return Math.round(4 + 6 * Math.log10(1 + milliseconds));
}

/** @param {HTMLElement} place @param {Entry} entry @param {import("./journal.js").Journal} journal */
function fillWork(place, entry, journal) {
  const begun = (entry.begun ?? []).map((work) => ({ ...work, time: journal.durationOf(work.id) }));
  const text = JSON.stringify(begun);
  if (place.getAttribute("data-drawn") === text) return;
  set(place, "data-drawn", text);
  const told = begun.map(({ name, time }) => `${name}${time === null ? "" : ` ${span(time)}`}`);
  set(place, "title", told.join(", ") || null);
  place.replaceChildren(...begun.slice(0, mostWork).map(({ time }, work) => {
    const bar = element("span", { class: "lasting", "data-open": time === null });
    bar.style.width = `${time === null ? 36 : barLength(time)}px`;
    return element("span", { class: "effect" }, bar, element("bdi", {}, told[work]));
  }), ...(begun.length > mostWork ? [element("span", { class: "hint" }, `+${begun.length - mostWork}`)] : []));
}
