import { Backoff } from "./backoff.js";
import { EventReader } from "./event-reader.js";
import { Problem } from "./problem.js";
import { snapshotOf } from "./snapshot.js";
import { StreamSemaphore } from "./stream-semaphore.js";

/** @typedef {"live" | "reconnecting" | "unreachable" | "hidden" | "ended"} Connection */
/** @typedef {import("./snapshot.js").Snapshot} Snapshot */
/** @typedef {{ type: string, data: any }} StreamEvent An event of a stream that is not a state. */
/**
 * The callbacks of a watcher.
 * @typedef {object} Watching
 * @property {() => void} connecting A connection begins, whose first state may be older than an earlier state.
 * @property {(snapshot: Snapshot) => void} state
 * @property {(event: StreamEvent) => void} event
 * @property {(connection: Connection) => void} connection
 * @property {(ending: Problem) => void} gone
 */

/**
 * The first state comes with the stream's head, and a comment every 15 s. If neither arrives in time, a proxy holds the
 * stream back.
 */
const firstPatience = 5_000, silence = 45_000;
const pollWait = 25, pollingFor = 300_000, suspiciouslyShort = 500;
/** The pause between two requests if no connection may stay open. */
const glancePause = 2_000;

/** Thrown if a stream is unavailable although the server responds. */
class NoStream extends Error {}

/**
 * Follows a session by its stream, or by long polls if a proxy lets no stream through, or by occasional requests while this
 * browser already has its maximum of streams.
 */
export class Watcher {
  #world;
  #exchange;
  #url;
  #told;
  #backoff;
  #semaphore;
  #stopping = new AbortController();
  #pollsUntil = 0;
  #leastPause = 0;
  #tag = "";

  /**
   * @param {import("./world.js").World} world
   * @param {import("./exchange.js").Exchange} exchange
   * @param {string} url The session's URL.
   * @param {Watching} told
   */
  constructor(world, exchange, url, told) {
    this.#world = world;
    this.#exchange = exchange;
    this.#url = url;
    this.#told = told;
    this.#backoff = new Backoff(world);
    this.#semaphore = new StreamSemaphore(world, url);
  }

  stop() {
    this.#stopping.abort();
    this.#backoff.wake();
  }

  /** Makes the next attempt at once. */
  wake() { this.#backoff.wake(); }

  async start() {
    while (!this.#isStopped) {
      try {
        this.#told.connecting();
        await this.#follow();
      } catch (error) {
        if (this.#isStopped) return;
        if (error instanceof NoStream) {
          this.#pollsUntil = this.#world.uptime() + pollingFor;
          continue;
        }
        const problem = Problem.from(error);
        // Any other response may be a proxy's and says nothing about the session.
        if (problem.isFinal) return this.#told.gone(problem);
        this.#told.connection(problem.isUnreachable ? "unreachable" : "reconnecting");
        await this.#backoff.wait(Math.max(problem.retryAfter * 1000, this.#leastPause));
        this.#leastPause = 0;
      }
    }
  }

  get #isStopped() { return this.#stopping.signal.aborted; }

  async #follow() {
    const release = await this.#semaphore.acquire();
    try {
      if (this.#isStopped) return;
      if (!release) await this.#glance();
      else await (this.#world.uptime() < this.#pollsUntil ? this.#poll() : this.#stream());
    } finally {
      release?.();
    }
  }

  async #glance() {
    this.#tell(await this.#look());
    this.#backoff.reset();
    await this.#backoff.wait(glancePause);
  }

  /** Follows the stream until it breaks, and throws the reason. */
  async #stream() {
    const connection = new AbortController(), reader = new EventReader();
    const abort = () => connection.abort();
    this.#stopping.signal.addEventListener("abort", abort);
    let hasSpoken = false, timer = this.#world.setTimer(abort, firstPatience * 2);
    const restart = (/** @type {number} */ patience) => {
      this.#world.clearTimer(timer);
      timer = this.#world.setTimer(abort, patience);
    };
    let hasHead = false;
    try {
      const body = await this.#open(connection.signal);
      hasHead = true;
      restart(firstPatience);
      for (;;) {
        const { done, value } = await body.read();
        if (done) throw new Problem(503, "the stream ended");
        const events = reader.read(value);
        hasSpoken ||= events.some(({ type }) => type === "state");
        if (hasSpoken) restart(silence);
        for (const event of events) await this.#take(event);
      }
    } catch (error) {
      if (error instanceof Problem || error instanceof NoStream || !hasHead) throw error;
      if (!hasSpoken && connection.signal.aborted && !this.#isStopped) throw new NoStream();
      throw new Problem(503, `the stream broke: ${error}`);
    } finally {
      this.#leastPause = reader.retry;
      this.#world.clearTimer(timer);
      this.#stopping.signal.removeEventListener("abort", abort);
      connection.abort();
    }
  }

  /** @param {AbortSignal} signal */
  async #open(signal) {
    const response = await this.#exchange.begin(`${this.#url}/stream`, { headers: { Accept: "text/event-stream" }, signal });
    const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
    if (!isStream || !response.body) throw new NoStream();
    return response.body.pipeThrough(/** @type {any} */ (new TextDecoderStream())).getReader();
  }

  /** @param {import("./event-reader.js").ServerSentEvent} event */
  async #take(event) {
    if (this.#isStopped) return;
    if (event.type === "state") {
      this.#backoff.reset();
      this.#tell(snapshotOf(this.#world.read(event.data), event.id && `"${event.id}"`));
    }
    // Read from the session how it ended or why it is held. If the session continues after all, the stream is opened
    // again.
    else if (event.type === "end" || event.type === "held") this.#tell(await this.#look());
    else if (event.type !== "gap") this.#told.event({ type: event.type, data: this.#world.read(event.data) });
  }

  /** Polls until it is time to try a stream again. */
  async #poll() {
    this.#tell(await this.#look());
    while (!this.#isStopped && this.#world.uptime() < this.#pollsUntil) {
      const began = this.#world.uptime();
      const snapshot = await this.#look({ "If-None-Match": this.#tag, Prefer: `wait=${pollWait}` });
      const isNews = snapshot !== null && snapshot.tag !== this.#tag;
      this.#tell(snapshot);
      if (isNews || this.#world.uptime() - began >= suspiciouslyShort) this.#backoff.reset();
      // A proxy may have removed the wait or the known state from the request.
      else await this.#backoff.wait();
    }
  }

  /** @param {Record<string, string>} [headers] */
  #look(headers = {}) {
    const patience = (pollWait + 10) * 1000;
    return this.#exchange.askForState(this.#url, { headers, patience, signal: this.#stopping.signal });
  }

  /** @param {Snapshot | null} snapshot Null if the previous snapshot is still the newest. */
  #tell(snapshot) {
    if (this.#isStopped || !snapshot) return;
    this.#tag = snapshot.tag;
    this.#told.connection("live");
    this.#told.state(snapshot);
  }
}
