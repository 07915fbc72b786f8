/** The semaphore of a browser's streams from one server, made of locks, which end with the tab that holds them. */
export class StreamSemaphore {
    /** @param {import("./world.js").World} world @param {string} url The session's. */
    constructor(world: import("./world.js").World, url: string);
    /** @returns {Promise<(() => void) | null>} Releases a permit; null where there is none. Without locks there always is one. */
    acquire(): Promise<(() => void) | null>;
    #private;
}
