// A session's inputs, loaded in pages and only where the user looks, because there may be 100,000.
import { inShort } from "../session/card.js";

/**
 * An entry, with the work that the input started, and the reason if the input dropped a waiting link.
 * @typedef {{ revision: number, time: string, kind: string, input: any, dropped?: string, begun?: { id: string, name: string }[], visible: string, nextIDs: { screen: number, coordinator: number }, digest: string, bytes: number }} Entry
 */

/** The number of entries in one request. */
export const pageSize = 200;

export class Journal {
  /**
   * @param {(after: number, limit: number) => Promise<{ entries: Entry[] }>} read
   * @param {() => void} [moved] Called when the oldest revision has changed.
   */
  constructor(read, moved = () => {}) {
    this.read = read;
    this.moved = moved;
    /** @type {Map<number, Entry>} */ this.entries = new Map();
    /** The revision of the oldest entry: 1, unless the session has started over. Known only from the entries that were read. */
    this.oldest = 1;
    /** @type {Map<string, Entry>} The entries with the result of work, by the work's id. */ this.ends = new Map();
  }

  /** @param {number} revision */
  entry(revision) { return this.entries.get(revision) ?? null; }

  /**
   * Loads the missing entries of a range.
   * @param {number} first
   * @param {number} last
   */
  async need(first, last) {
    for (let revision = Math.max(first, this.oldest); revision <= last; revision++) {
      if (this.entries.has(revision)) continue;
      this.take((await this.read(revision - 1, pageSize)).entries);
      revision = Math.max(revision, this.oldest);
      if (!this.entries.has(revision)) return;
    }
  }

  /**
   * Loads a range, the entry before it, and the entries that started work which ended within the range.
   * @param {number} first
   * @param {number} last
   */
  async needNamed(first, last) {
    await this.need(first - 1, last);
    for (const begun of this.unnamed(first, last)) await this.need(begun, begun);
  }

  /** Loads and returns the oldest entry that the server has. */
  async first() {
    if (!this.entries.has(this.oldest)) this.take((await this.read(0, 1)).entries);
    return this.entry(this.oldest);
  }

  /** @param {Entry[]} entries */
  take(entries) {
    const { oldest } = this;
    for (const entry of entries) this.keep(entry);
    if (this.oldest !== oldest) this.moved();
  }

  /** @param {Entry} told A creation is the oldest entry: earlier entries were deleted. */
  keep(told) {
    // A response to an earlier request may still contain deleted entries.
    if (told.revision < this.oldest) return;
    const entry = told.kind === "inputDroppingLink" ? { ...told, input: told.input.input, dropped: told.input.reason } : told;
    this.entries.set(entry.revision, entry);
    const work = workOf(entry.input);
    if (work) this.ends.set(work, entry);
    if (entry.kind !== "creation") return;
    this.oldest = entry.revision;
    this.drop((revision) => revision < this.oldest);
  }

  /** @param {(revision: number) => boolean} hasGone */
  drop(hasGone) {
    for (const known of this.entries.keys()) if (hasGone(known)) this.entries.delete(known);
    for (const [work, entry] of this.ends) if (hasGone(entry.revision)) this.ends.delete(work);
  }

  /**
   * Returns the duration of work in milliseconds; null if the entry with its result was not read.
   * @param {string} work Its id.
   */
  durationOf(work) {
    const begun = this.entry(begunAt(work)), end = this.ends.get(work);
    return begun && end ? Math.max(0, Date.parse(end.time) - Date.parse(begun.time)) : null;
  }

  /**
   * Returns the entry that created a screen or coordinator; null if it was not found. Ids grow, so a few pages are enough.
   * @param {"screen" | "coordinator"} kind
   * @param {number} id
   * @param {number} newest
   */
  async creationOf(kind, id, newest) {
    let [low, high] = [this.oldest, newest];
    while (low < high) {
      const middle = (low + high) >> 1;
      await this.need(middle, middle);
      const next = this.entry(Math.max(middle, this.oldest))?.nextIDs[kind];
      if (next === undefined) return null;
      if (next > id) high = middle;
      else low = middle + 1;
    }
    low = Math.max(low, this.oldest);
    await this.need(low, low);
    const entry = this.entry(low);
    return entry && entry.nextIDs[kind] > id ? entry : null;
  }

  /**
   * Returns the name of the work whose result an entry has; empty for other entries, or if the entry that started it was not read.
   * @param {Pick<Entry, "input">} entry
   */
  nameOf({ input }) {
    const id = workOf(input);
    return this.entry(begunAt(id))?.begun?.find((work) => work.id === id)?.name ?? "";
  }

  /**
   * Returns the revisions outside of a range that started work which ended within the range.
   * @param {number} first
   * @param {number} last
   */
  unnamed(first, last) {
    const found = new Set();
    for (let revision = first; revision <= last; revision++) {
      const begun = begunAt(workOf(this.entry(revision)?.input));
      if (begun && !this.entries.has(begun)) found.add(begun);
    }
    return found;
  }

  /**
   * Discards the entries after a revision: a crash can undo revisions that were not on disk yet.
   * @param {number} revision
   */
  forgetAfter(revision) {
    this.drop((known) => known > revision);
    if (this.oldest <= revision) return;
    // The new beginning was undone, too, so the earlier history exists again.
    this.oldest = 1;
    this.moved();
  }
}

/** @param {any} input @returns {string} The id of the work whose result the input is; empty for other inputs. */
function workOf(input) {
  return String(input?.effect ?? input?.timer ?? input?.refused ?? "");
}

/** @param {string} work The work's id: the revision that started the work, and a number. */
function begunAt(work) {
  return Number.parseInt(work) || 0;
}

/**
 * Returns why a revision does not exist; empty if it exists by now.
 * @param {number} missed
 * @param {number} oldest
 * @param {number} newest
 */
export function whyMissed(missed, oldest, newest) {
  if (missed > newest) return `There is no revision ${missed} yet: the newest is ${newest}.`;
  if (missed >= oldest) return "";
  return oldest > 1 ? `Revision ${missed} is gone: the session started over at revision ${oldest}, the oldest that is kept.` : "There is no revision 0: the first is 1.";
}

/**
 * Describes an input in a word or two.
 * @param {Pick<Entry, "kind" | "input">} entry
 * @param {string} [work] The name of the work whose result the input is.
 * @returns {string}
 */
export function summary({ kind, input }, work = "") {
  if (kind === "creation") return `${input.startedOver ? "start over" : "open"} ${input.app}`;
  if (kind === "divergence") return `resumed at ${input.resumed}`;
  if (input.effect !== undefined) return `${input.failure ? "failure" : "result"} of ${work || `effect ${input.effect}`}`;
  if (input.refused !== undefined) return `refused result of ${work || `effect ${input.refused}`}`;
  if (input.timer !== undefined) return work && work !== "timer" ? `timer ${work}` : "timer";
  const [name, value] = Object.entries(input).find(([member]) => member !== "screen") ?? ["input", ""];
  if (name === "event") return caseName(value);
  if (name === "open") return `open ${Array.isArray(value) ? value.map(caseName).join(" › ") : ""}`;
  if (typeof value === "object" && value !== null) return `${name} ${caseName(value)}`;
  return value === true ? name : `${name} ${value}`;
}

/** @param {any} value A case, with its payload if it has one. @returns {string} */
export function caseName(value) {
  return typeof value === "object" && value !== null ? Object.keys(value)[0] ?? "" : String(value);
}

/**
 * Returns the payload of an event or a message in short form; empty without a payload.
 * @param {any} input
 */
export function payload({ event, message }) {
  const value = event ?? message, carried = typeof value === "object" && value !== null ? Object.values(value)[0] : null;
  return carried !== null && typeof carried === "object" && Object.keys(carried).length ? inShort(carried) : "";
}
