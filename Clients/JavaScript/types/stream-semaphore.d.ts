/** A semaphore for a browser's streams from one server, made of locks, which a closed tab releases. */
export class StreamSemaphore {
    /** @param {import("./world.js").World} world @param {string} url The session's URL. */
    constructor(world: import("./world.js").World, url: string);
    /**
     * @returns {Promise<(() => void) | null>} Releases the permit; null if no permit is free. Without locks, a permit is
     * always free.
     */
    acquire(): Promise<(() => void) | null>;
    #private;
}
