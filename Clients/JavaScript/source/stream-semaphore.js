/** A browser opens six connections to an HTTP/1.1 server; the other connections are for inputs. */
const most = 4;

/** A semaphore for a browser's streams from one server, made of locks, which a closed tab releases. */
export class StreamSemaphore {
  #world;
  #name;

  /** @param {import("./world.js").World} world @param {string} url The session's URL. */
  constructor(world, url) {
    this.#world = world;
    this.#name = `usher streams ${url.slice(0, url.lastIndexOf("/sessions/"))}`;
  }

  /**
   * @returns {Promise<(() => void) | null>} Releases the permit; null if no permit is free. Without locks, a permit is
   * always free.
   */
  async acquire() {
    for (let number = 1; this.#world.tabs && number <= most; number++) {
      const release = await this.#lock(this.#world.tabs.locks, `${this.#name} ${number}`);
      if (release) return release;
    }
    return this.#world.tabs ? null : () => {};
  }

  /** @param {Pick<LockManager, "request">} locks @param {string} name @returns {Promise<(() => void) | null>} */
  #lock(locks, name) {
    return new Promise((resolve) => {
      const hold = (/** @type {Lock | null} */ lock) =>
        (lock ? new Promise((/** @type {(value?: any) => void} */ release) => resolve(release)) : resolve(null));
      locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(null));
    });
  }
}
