/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** The record of the newest state that is known, and the rule by which another takes its place. */
export class SessionRecord {
    /** @param {Snapshot} snapshot */
    constructor(snapshot: Snapshot);
    get state(): import("./protocol.js").State;
    get tag(): string;
    /** A connection is made. */
    connecting(): void;
    /**
     * Takes an answer, unless it is older.
     * @param {Snapshot} snapshot
     * @returns {import("./operations.js").Operation[] | null} Those that lead to it; null where it is no news.
     */
    answer(snapshot: Snapshot): import("./operations.js").Operation[] | null;
    /**
     * Takes what the connection tells, of which the first state may be older: a crash takes back what was not yet durable, and
     * a backup more than that.
     * @param {Snapshot} snapshot
     */
    follow(snapshot: Snapshot): import("./operations.js").Operation[] | null;
    #private;
}
export type Snapshot = import("./snapshot.js").Snapshot;
