/**
 * One watcher of a session for all tabs of a browser that show the session. The tab that holds a lock watches the
 * session and informs the other tabs. A hidden tab releases the lock, so a session without a visible tab has no
 * connection. Without locks, each tab watches by itself.
 */
export class SharedWatcher {
    /**
     * @param {import("./world.js").World} world
     * @param {string} name The session's URL.
     * @param {(told: Watching) => Watcher} make
     * @param {Watching} told
     */
    constructor(world: import("./world.js").World, name: string, make: (told: Watching) => Watcher, told: Watching);
    start(): void;
    stop(): void;
    wake(): void;
    #private;
}
export type Watching = import("./watcher.js").Watching;
export type Message = {
    kind: keyof Watching;
    value?: any;
    tag?: string;
} | {
    kind: "ask";
};
import { Watcher } from "./watcher.js";
