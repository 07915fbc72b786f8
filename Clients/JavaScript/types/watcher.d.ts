/**
 * Follows a session: by its stream, or by long polls where something on the way lets no stream through; and by a look now and
 * then while this browser keeps as many connections as it may.
 */
export class Watcher {
    /**
     * @param {import("./world.js").World} world
     * @param {import("./exchange.js").Exchange} exchange
     * @param {string} url The session's.
     * @param {Watching} told
     */
    constructor(world: import("./world.js").World, exchange: import("./exchange.js").Exchange, url: string, told: Watching);
    stop(): void;
    /** Tries at once what waits for its next attempt. */
    wake(): void;
    start(): Promise<void>;
    #private;
}
export type Connection = "live" | "reconnecting" | "unreachable" | "hidden" | "ended";
export type Snapshot = import("./snapshot.js").Snapshot;
/**
 * What a stream tells beside states.
 */
export type StreamEvent = {
    type: string;
    data: any;
};
/**
 * Whom a watcher tells.
 */
export type Watching = {
    /**
     * The next state may be older than one seen before.
     */
    connecting: () => void;
    state: (snapshot: Snapshot) => void;
    event: (event: StreamEvent) => void;
    connection: (connection: Connection) => void;
    gone: (ending: Problem) => void;
};
import { Problem } from "./problem.js";
