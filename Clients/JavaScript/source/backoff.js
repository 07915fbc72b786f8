const shortest = 400, longest = 15_000;
/** A server may ask for any pause, and a timer that is set for more than 24 days ends at once. */
const longestAsked = 3_600_000;

/** Exponential back-off with jitter, so that the clients of a server that restarts do not come back all at once. */
export class Backoff {
  #world;
  #pause = shortest;
  /** @type {(() => void) | null} */ #wake = null;

  /** @param {import("./world.js").World} world */
  constructor(world) { this.#world = world; }

  reset() { this.#pause = shortest; }

  /** Ends a pause early: the network is back. */
  wake() { this.#wake?.(); }

  /**
   * Waits for between half a pause and a whole one; the next is twice as long.
   * @param {number} [least] Milliseconds that the server asked for, which jitter only adds to; an hour at most counts.
   * @returns {Promise<void>}
   */
  async wait(least = 0) {
    const asked = Math.min(least, longestAsked);
    const jittered = this.#pause * (0.5 + this.#world.random() / 2);
    this.#pause = Math.min(this.#pause * 2, longest);
    await new Promise((/** @type {(value?: any) => void} */ resolve) => {
      const timer = this.#world.setTimer(resolve, asked ? asked + jittered / 2 : jittered);
      this.#wake = () => {
        this.#world.clearTimer(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
