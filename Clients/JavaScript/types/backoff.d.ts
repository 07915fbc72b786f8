/** Exponential back-off with jitter, so that the clients of a server that restarts do not come back all at once. */
export class Backoff {
    /** @param {import("./world.js").World} world */
    constructor(world: import("./world.js").World);
    reset(): void;
    /** Ends a pause early: the network is back. */
    wake(): void;
    /**
     * Waits for between half a pause and a whole one; the next is twice as long.
     * @param {number} [least] Milliseconds that the server asked for, which jitter only adds to; an hour at most counts.
     * @returns {Promise<void>}
     */
    wait(least?: number | undefined): Promise<void>;
    #private;
}
