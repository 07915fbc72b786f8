/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** The newest known state, and the rule for replacing it. */
export class SessionRecord {
    /** @param {Snapshot} snapshot */
    constructor(snapshot: Snapshot);
    get state(): import("./protocol.js").State;
    get tag(): string;
    /** Notes that a connection begins. The connection's first state may be older than a known state. */
    connecting(): void;
    /**
     * Adopts the state in a response, unless it is older.
     * @param {Snapshot} snapshot
     * @returns {import("./operations.js").Operation[] | null} The operations that lead to the state; null if nothing is new.
     */
    answer(snapshot: Snapshot): import("./operations.js").Operation[] | null;
    /**
     * Adopts a state from the connection. The connection's first state may be older, because a crash undoes revisions
     * that were not durable, and a restored backup undoes even more.
     * @param {Snapshot} snapshot
     */
    follow(snapshot: Snapshot): import("./operations.js").Operation[] | null;
    #private;
}
export type Snapshot = import("./snapshot.js").Snapshot;
