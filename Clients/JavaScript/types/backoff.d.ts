/** Exponential backoff with jitter, so that the clients of a restarted server do not all reconnect at once. */
export class Backoff {
    /** @param {import("./world.js").World} world */
    constructor(world: import("./world.js").World);
    reset(): void;
    /** Ends a pause early, for example when the network is back. */
    wake(): void;
    /**
     * Waits between half a pause and a whole one, and doubles the next pause.
     * @param {number} [least] The milliseconds that the server requested, up to an hour; jitter is added to them.
     * @returns {Promise<void>}
     */
    wait(least?: number | undefined): Promise<void>;
    #private;
}
