/** @typedef {import("./protocol.js").State} State */
/**
 * A state with its entity tag: after a crash revisions alone do not tell which of two is newer.
 * @typedef {object} Snapshot
 * @property {State} state
 * @property {string} tag As a condition takes it.
 * @property {boolean} isReplayed An answer that is given again for its idempotency key: the session may have moved on.
 */
/**
 * @param {State} state
 * @param {string | null} [tag] As it came; where something on the way has lost it, the revision has to do.
 * @param {boolean} [isReplayed]
 * @returns {Snapshot}
 */
export function snapshotOf(state: State, tag?: string | null | undefined, isReplayed?: boolean | undefined): Snapshot;
/**
 * True where a state is of another run than one that was there before: then its revision does not tell which is older.
 * @param {Snapshot} snapshot
 * @param {Snapshot} before
 */
export function isOfAnotherRun(snapshot: Snapshot, before: Snapshot): boolean;
export type State = import("./protocol.js").State;
/**
 * A state with its entity tag: after a crash revisions alone do not tell which of two is newer.
 */
export type Snapshot = {
    state: State;
    /**
     * As a condition takes it.
     */
    tag: string;
    /**
     * An answer that is given again for its idempotency key: the session may have moved on.
     */
    isReplayed: boolean;
};
