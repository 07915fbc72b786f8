// Follows a session's stream, and decides what a broken one means.
import { problem } from "./client.js";

/** @typedef {"live" | "reconnecting" | "ended" | "server unreachable"} Connection */
/** @typedef {import("../session/session.js").State} State */
/**
 * What a follower needs of the world, so that tests can bring their own.
 * @typedef {object} World
 * @property {() => EventSource} open The stream.
 * @property {(data: string) => State} read What an event holds.
 * @property {() => Promise<State>} look The state, by another way.
 * @property {(run: () => void, milliseconds: number) => number} wait
 * @property {(waiting: number) => void} stopWaiting
 */
/**
 * Whom a follower tells.
 * @typedef {object} Listener
 * @property {(state: State, isFirst: boolean) => void} state A state; the first of a connection may be older than one seen before.
 * @property {(connection: Connection) => void} connection
 * @property {(ending: import("./client.js").Problem) => void} gone
 */

const shortestPause = 400, longestPause = 8_000;

/** Follows one session until told to stop, or until the session is over. */
export class Follower {
  /** @param {World} world @param {Listener} listener */
  constructor(world, listener) {
    this.world = world;
    this.listener = listener;
    /** @type {EventSource | null} */
    this.source = null;
    this.pause = shortestPause;
    this.waiting = 0;
    this.isStopped = false;
  }

  start() {
    if (this.isStopped) return;
    const source = this.world.open();
    this.source = source;
    let isFirst = true;
    source.addEventListener("state", (event) => {
      if (source !== this.source) return;
      this.pause = shortestPause;
      this.listener.connection("live");
      this.take(/** @type {MessageEvent} */ (event).data, isFirst);
      isFirst = false;
    });
    source.addEventListener("end", () => this.lookAgain(source));
    source.addEventListener("error", () => this.lookAgain(source));
  }

  stop() {
    this.isStopped = true;
    this.source?.close();
    this.source = null;
    this.world.stopWaiting(this.waiting);
  }

  /** @param {string | State} data @param {boolean} isFirst */
  take(data, isFirst) {
    const state = typeof data === "string" ? this.world.read(data) : data;
    this.listener.state(state, isFirst);
    if (state.ended) {
      this.stop();
      this.listener.connection("ended");
    }
  }

  /**
   * A stream does not tell why it broke, so the session is asked for.
   * @param {EventSource} source
   */
  async lookAgain(source) {
    if (source !== this.source) return;
    source.close();
    this.source = null;
    this.listener.connection("reconnecting");
    await this.decide();
  }

  /** @returns {Promise<void>} */
  async decide() {
    try {
      const state = await this.world.look();
      if (this.isStopped) return;
      this.listener.connection("reconnecting");
      this.take(state, true);
    } catch (error) {
      if (this.isStopped) return;
      const cause = problem(error);
      if (cause.isGone || cause.status === 403) {
        this.stop();
        this.listener.connection("ended");
        return this.listener.gone(cause);
      }
      this.listener.connection(cause.isUnreachable ? "server unreachable" : "reconnecting");
      return this.later(() => this.decide());
    }
    this.later(() => this.start());
  }

  /** @param {() => void} run */
  later(run) {
    if (this.isStopped) return;
    this.waiting = this.world.wait(run, this.pause);
    this.pause = Math.min(this.pause * 1.6, longestPause);
  }
}
