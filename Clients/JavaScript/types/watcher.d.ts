/**
 * Follows a session by its stream, or by long polls if a proxy lets no stream through, or by occasional requests while this
 * browser already has its maximum of streams.
 */
export class Watcher {
    /**
     * @param {import("./world.js").World} world
     * @param {import("./exchange.js").Exchange} exchange
     * @param {string} url The session's URL.
     * @param {Watching} told
     */
    constructor(world: import("./world.js").World, exchange: import("./exchange.js").Exchange, url: string, told: Watching);
    stop(): void;
    /** Makes the next attempt at once. */
    wake(): void;
    start(): Promise<void>;
    #private;
}
export type Connection = "live" | "reconnecting" | "unreachable" | "hidden" | "ended";
export type Snapshot = import("./snapshot.js").Snapshot;
/**
 * An event of a stream that is not a state.
 */
export type StreamEvent = {
    type: string;
    data: any;
};
/**
 * The callbacks of a watcher.
 */
export type Watching = {
    /**
     * A connection begins, whose first state may be older than an earlier state.
     */
    connecting: () => void;
    state: (snapshot: Snapshot) => void;
    event: (event: StreamEvent) => void;
    connection: (connection: Connection) => void;
    gone: (ending: Problem) => void;
};
import { Problem } from "./problem.js";
