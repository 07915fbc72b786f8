// The coordinator counts after each revision in the table. The server replays to compute them, so each range is requested once.

/** @typedef {{ revision: number, live: number, created: number, finished: number, leaked: number, bytes: number }} Figure */

/** The number of revisions in one request. */
export const stretch = 200;

export class Figures {
  /** @param {(after: number, revision: number) => Promise<{ points: Figure[] }>} read */
  constructor(read) {
    this.read = read;
    /** @type {Map<number, Figure>} */ this.known = new Map();
    /** @type {Set<string>} The ranges that were requested; a revision that was undone has no figure. */ this.asked = new Set();
  }

  /** @param {Figure[]} figures */
  note(figures) {
    for (const figure of figures) this.known.set(figure.revision, figure);
  }

  /** @param {number} revision */
  at(revision) { return this.known.get(revision) ?? null; }

  /**
   * Returns how many coordinators an input has created and finished; null if this is not known.
   * @param {number} revision
   * @param {{ created: number, finished: number } | null} before The counts before the input.
   */
  change(revision, before = this.at(revision - 1)) {
    const after = this.at(revision);
    return after && before && { created: after.created - before.created, finished: after.finished - before.finished };
  }

  /**
   * Loads the figures of a range, and of the revision before it.
   * @param {number} first
   * @param {number} last
   * @param {number} [oldest] The oldest existing revision.
   */
  async need(first, last, oldest = 1) {
    for (let start = Math.floor(Math.max(0, first - 2) / stretch) * stretch; start < last; start += stretch) {
      const end = Math.min(start + stretch, last), name = `${start} ${end}`;
      if (this.asked.has(name) || this.has(Math.max(start + 1, first - 1, oldest), end)) continue;
      this.asked.add(name);
      try {
        this.note((await this.read(start, end)).points);
      } catch (error) {
        this.asked.delete(name);
        throw error;
      }
    }
  }

  /** @param {number} first @param {number} last */
  has(first, last) {
    for (let revision = first; revision <= last; revision++) if (!this.known.has(revision)) return false;
    return true;
  }

  /**
   * Discards the figures after a revision: a crash can undo revisions that were not on disk yet.
   * @param {number} revision
   */
  forgetAfter(revision) {
    for (const known of this.known.keys()) if (known > revision) this.known.delete(known);
    this.asked.clear();
  }
}
