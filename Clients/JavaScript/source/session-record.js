import { operations } from "./operations.js";
import { isOfAnotherRun } from "./snapshot.js";

/** @typedef {import("./snapshot.js").Snapshot} Snapshot */

/** The newest known state, and the rule for replacing it. */
export class SessionRecord {
  #newest;
  /** The number of adopted states, to detect a response that arrived while a connection was made. */
  #taken = 0;
  #takenAtConnect = -1;

  /** @param {Snapshot} snapshot */
  constructor(snapshot) { this.#newest = snapshot; }

  get state() { return this.#newest.state; }
  get tag() { return this.#newest.tag; }

  /** Notes that a connection begins. The connection's first state may be older than a known state. */
  connecting() { this.#takenAtConnect = this.#taken; }

  /**
   * Adopts the state in a response, unless it is older.
   * @param {Snapshot} snapshot
   * @returns {import("./operations.js").Operation[] | null} The operations that lead to the state; null if nothing is new.
   */
  answer(snapshot) {
    return this.#isOlder(snapshot) ? null : this.#take(snapshot);
  }

  /**
   * Adopts a state from the connection. The connection's first state may be older, because a crash undoes revisions
   * that were not durable, and a restored backup undoes even more.
   * @param {Snapshot} snapshot
   */
  follow(snapshot) {
    return this.#isOlder(snapshot) && this.#takenAtConnect !== this.#taken ? null : this.#take(snapshot);
  }

  /**
   * Responses and the stream arrive in any order, and a repeated response may be old.
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
