const shortest = 400, longest = 15_000;
/** The limit of a pause that a server requests; a timer longer than 24 days would fire at once. */
const longestAsked = 3_600_000;

/** Exponential backoff with jitter, so that the clients of a restarted server do not all reconnect at once. */
export class Backoff {
  #world;
  #pause = shortest;
  /** @type {(() => void) | null} */ #wake = null;

  /** @param {import("./world.js").World} world */
  constructor(world) { this.#world = world; }

  reset() { this.#pause = shortest; }

  /** Ends a pause early, for example when the network is back. */
  wake() { this.#wake?.(); }

  /**
   * Waits between half a pause and a whole one, and doubles the next pause.
   * @param {number} [least] The milliseconds that the server requested, up to an hour; jitter is added to them.
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
