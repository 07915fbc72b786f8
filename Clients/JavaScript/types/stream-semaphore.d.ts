/** A semaphore for a browser's streams from one server, made of locks, which a closed tab releases. */
export class StreamSemaphore {
    /** @param {import("./world.js").World} world @param {string} url The session's URL. */
    constructor(world: import("./world.js").World, url: string);
    /** @returns {Promise<(() => void) | null>} Releases the permit; null if none is free. Without locks there always is one. */
    acquire(): Promise<(() => void) | null>;
    #private;
}
