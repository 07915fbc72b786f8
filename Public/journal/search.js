// Selects the inputs that the table shows. The whole journal is searched in pages, the newest first.
import { writeJSON } from "../client/exact-json.js";
import { pageSize, summary } from "./journal.js";

/** @typedef {import("./journal.js").Entry} Entry */
/** @typedef {{ text: string, kind: Kind }} Filter */

export const kinds = { all: "all inputs", user: "user", work: "effects, timers", outside: "links, messages", refused: "refused" };
/** @typedef {keyof typeof kinds} Kind */

const members = {
  user: ["event", "back", "popped", "dismissed", "select"],
  work: ["effect", "timer", "refused"],
  outside: ["open", "message"],
};

/** @param {Filter} filter */
export function isForAll({ text, kind }) {
  return !text.trim() && kind === "all";
}

/** @type {WeakMap<object, string>} */
const texts = new WeakMap();

/**
 * Returns the text of an entry that the search compares.
 * @param {Entry} entry
 * @param {string} work The name of the work whose result the entry is.
 */
function textOf(entry, work) {
  let text = texts.get(entry);
  if (text === undefined) {
    const begun = (entry.begun ?? []).map(({ name }) => name).join(" ");
    texts.set(entry, text = `${summary(entry, work)} ${work} ${begun} ${entry.visible} ${writeJSON(entry.input)}`.toLowerCase());
  }
  return text;
}

/**
 * @param {Entry} entry
 * @param {string} work The name of the work whose result the entry is.
 * @param {Filter} filter
 */
export function isFound(entry, work, { text, kind }) {
  if (kind === "refused") return false;
  if (kind !== "all" && !members[kind].some((member) => member in entry.input)) return false;
  return textOf(entry, work).includes(text.trim().toLowerCase());
}

/**
 * @param {import("../session/moments.js").Refusal} refusal
 * @param {Filter} filter
 */
export function isRefusalFound({ status, detail, input }, { text, kind }) {
  if (kind !== "all" && kind !== "refused" && !(input && members[kind].some((member) => member in input))) return false;
  const what = input === undefined ? "" : `${summary({ kind: "input", input })} ${writeJSON(input)}`;
  return `refused ${status} ${detail} ${what}`.toLowerCase().includes(text.trim().toLowerCase());
}

/** A search of a journal; a new search replaces the previous one. */
export class Search {
  /** @param {import("./journal.js").Journal} journal @param {() => void} changed Called after each page. */
  constructor(journal, changed) {
    this.journal = journal;
    this.changed = changed;
    /** @type {number[]} */ this.hits = [];
    /** @type {Filter} */ this.filter = { text: "", kind: "all" };
    /** The lowest and the highest revision that were searched. */
    this.first = 1;
    this.last = 0;
    this.run = 0;
    this.fault = "";
  }

  get isDone() { return this.first <= this.journal.oldest; }

  /** The found revisions that still exist, in order. */
  get found() {
    const { hits, journal } = this;
    if (hits[0] < journal.oldest) this.hits = hits.slice(lowerBound(hits, journal.oldest));
    return this.hits;
  }

  /** The number of searched revisions, and the number of all. */
  get extent() {
    const { first, last, journal: { oldest } } = this;
    return { searched: last - Math.max(first, oldest) + 1, all: last - oldest + 1 };
  }

  /**
   * @param {Filter} filter
   * @param {number} newest
   */
  begin(filter, newest) {
    this.filter = filter;
    this.hits = [];
    this.fault = "";
    this.last = newest;
    this.first = newest + 1;
    this.run++;
    if (isForAll(filter) || filter.kind === "refused") this.first = this.journal.oldest;
    else this.goOn(this.run);
  }

  /** @param {number} run */
  async goOn(run) {
    while (run === this.run && !this.isDone) {
      const end = this.first - 1, start = Math.max(this.journal.oldest, Math.floor((end - 1) / pageSize) * pageSize + 1);
      // Searches each page in its own task, so that the browser stays responsive.
      await new Promise((resolve) => setTimeout(resolve));
      try {
        const found = await this.look(start, end);
        if (run !== this.run) return;
        this.hits = [...found, ...this.hits];
        this.first = start;
      } catch (error) {
        if (run !== this.run) return;
        this.fault = /** @type {Error} */ (error).message;
        this.run++;
      }
      this.changed();
    }
  }

  /**
   * Searches the revisions that were added since the last search.
   * @param {number} newest
   */
  async extend(newest) {
    if (newest <= this.last) return;
    const first = this.last + 1, { run } = this;
    this.last = newest;
    if (isForAll(this.filter) || this.filter.kind === "refused") return;
    const found = await this.look(first, newest).catch(() => []);
    if (run !== this.run || !found.length) return;
    this.hits = [...this.hits, ...found];
    this.changed();
  }

  /** @param {number} first @param {number} last @returns {Promise<number[]>} */
  async look(first, last) {
    const { journal, filter } = this, found = [];
    await journal.need(first, last);
    for (let revision = first; revision <= last; revision++) {
      const entry = journal.entry(revision);
      if (entry && isFound(entry, journal.nameOf(entry), filter)) found.push(revision);
    }
    return found;
  }
}

/**
 * Returns how many of the numbers are below a limit.
 * @param {number[]} numbers In ascending order.
 * @param {number} limit
 */
export function lowerBound(numbers, limit) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
