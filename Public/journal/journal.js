// A session's inputs, read a page at a time and only where they are looked at: there may be 100,000.

/**
 * With the work that the input has begun, and why the link that waited was dropped with it.
 * @typedef {{ revision: number, time: string, kind: string, input: any, dropped?: string, begun?: { id: string, name: string }[], visible: string, nextIDs: { screen: number, coordinator: number }, digest: string, bytes: number }} Entry
 */

/** How many entries the server is asked for at once. */
export const pageSize = 200;

export class Journal {
  /**
   * @param {(after: number, limit: number) => Promise<{ entries: Entry[] }>} read
   * @param {() => void} [moved] Called after the oldest revision has changed.
   */
  constructor(read, moved = () => {}) {
    this.read = read;
    this.moved = moved;
    /** @type {Map<number, Entry>} */ this.entries = new Map();
    /** The revision of the oldest entry: 1, unless the session has started over. As far as is known from what was read. */
    this.oldest = 1;
    /** @type {Map<string, Entry>} The entries that tell the end of work, by its id. */ this.ends = new Map();
  }

  /** @param {number} revision */
  entry(revision) { return this.entries.get(revision) ?? null; }

  /**
   * Sees to it that a range is there; asks for what is missing, and for nothing else.
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
   * Sees to it that a range is there, with the entry before it, and those that began work which ended within it.
   * @param {number} first
   * @param {number} last
   */
  async needNamed(first, last) {
    await this.need(first - 1, last);
    for (const begun of this.unnamed(first, last)) await this.need(begun, begun);
  }

  /** The oldest entry that the server has. */
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

  /** @param {Entry} told A creation is the oldest: what was before has gone. */
  keep(told) {
    // An answer that was under way meanwhile may bring what has gone.
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
   * How long work took, in milliseconds; null if its end is in no entry that was read.
   * @param {string} work Its id.
   */
  durationOf(work) {
    const begun = this.entry(begunAt(work)), end = this.ends.get(work);
    return begun && end ? Math.max(0, Date.parse(end.time) - Date.parse(begun.time)) : null;
  }

  /**
   * The entry that has created something; null if the server does not tell. Ids grow, so a few pages are enough.
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
   * The name of the work that an entry tells the end of; empty if it tells of none, or if the entry that began it is not read.
   * @param {Pick<Entry, "input">} entry
   */
  nameOf({ input }) {
    const id = workOf(input);
    return this.entry(begunAt(id))?.begun?.find((work) => work.id === id)?.name ?? "";
  }

  /**
   * The revisions outside a range that began work which ended within it.
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
   * Forgets what came after a revision: a crash can take back what was not yet on disk.
   * @param {number} revision
   */
  forgetAfter(revision) {
    this.drop((known) => known > revision);
    if (this.oldest <= revision) return;
    // The new beginning was taken back, too, and the history before it is there again.
    this.oldest = 1;
    this.moved();
  }
}

/** @param {any} input @returns {string} The id of the work whose end it tells; empty if it tells of none. */
function workOf(input) {
  return String(input?.effect ?? input?.timer ?? input?.refused ?? "");
}

/** @param {string} work Its id: the revision that began it, and a number. */
function begunAt(work) {
  return Number.parseInt(work) || 0;
}

/**
 * Why there is no such revision; empty if there is one by now.
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
 * An input in a word or two.
 * @param {Pick<Entry, "kind" | "input">} entry
 * @param {string} [work] The name of the work whose end it tells.
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
