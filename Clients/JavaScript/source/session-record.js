import { operations } from "./operations.js";
import { isOfAnotherRun } from "./snapshot.js";

/** @typedef {import("./snapshot.js").Snapshot} Snapshot */

/** The record of the newest state that is known, and the rule by which another takes its place. */
export class SessionRecord {
  #newest;
  /** Counts the states that were taken: one that came while a connection was made goes before the connection's first. */
  #taken = 0;
  #takenAtConnect = -1;

  /** @param {Snapshot} snapshot */
  constructor(snapshot) { this.#newest = snapshot; }

  get state() { return this.#newest.state; }
  get tag() { return this.#newest.tag; }

  /** A connection is made. */
  connecting() { this.#takenAtConnect = this.#taken; }

  /**
   * Takes an answer, unless it is older.
   * @param {Snapshot} snapshot
   * @returns {import("./operations.js").Operation[] | null} Those that lead to it; null where it is no news.
   */
  answer(snapshot) {
    return this.#isOlder(snapshot) ? null : this.#take(snapshot);
  }

  /**
   * Takes what the connection tells, of which the first state may be older: a crash takes back what was not yet durable, and
   * a backup more than that.
   * @param {Snapshot} snapshot
   */
  follow(snapshot) {
    return this.#isOlder(snapshot) && this.#takenAtConnect !== this.#taken ? null : this.#take(snapshot);
  }

  /**
   * Answers and the stream come in any order, and an answer that is given again may be of long ago.
   * @param {Snapshot} snapshot
   */
  #isOlder(snapshot) {
    if (snapshot.state.revision >= this.state.revision) return false;
    return snapshot.isReplayed || !isOfAnotherRun(snapshot, this.#newest);
  }

  /** @param {Snapshot} snapshot */
  #take(snapshot) {
    const { state } = snapshot, list = operations(this.state, state);
    const isNews = state.revision !== this.state.revision || list.length > 0 || Boolean(state.ended);
    this.#newest = snapshot;
    this.#taken += 1;
    this.#takenAtConnect = -1;
    return isNews ? list : null;
  }
}
