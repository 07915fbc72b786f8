import { Problem } from "./problem.js";
import { snapshotOf } from "./snapshot.js";
import { Watcher } from "./watcher.js";

/** @typedef {import("./watcher.js").Watching} Watching */
/** @typedef {{ kind: keyof Watching, value?: any, tag?: string } | { kind: "ask" }} Message */

/** The maximum number of events, except states, that are stored for tabs that open later. */
const mostEvents = 64;

/**
 * One watcher of a session for all tabs of a browser that show the session. The tab that holds a lock watches the
 * session and informs the other tabs. A hidden tab releases the lock, so a session without a visible tab has no
 * connection. Without locks, each tab watches by itself.
 */
export class SharedWatcher {
  #world;
  #make;
  #told;
  #name;
  /** @type {BroadcastChannel | null} */ #channel = null;
  /** @type {Watcher | null} */ #watcher = null;
  /** @type {AbortController | null} */ #seeking = null;
  #stopObserving = () => {};
  #isStopped = false;
  /** @type {import("./snapshot.js").Snapshot | null} */ #last = null;
  /** @type {import("./watcher.js").StreamEvent[]} */ #events = [];

  /**
   * @param {import("./world.js").World} world
   * @param {string} name The session's URL.
   * @param {(told: Watching) => Watcher} make
   * @param {Watching} told
   */
  constructor(world, name, make, told) {
    this.#world = world;
    this.#name = `usher ${name}`;
    this.#make = make;
    this.#told = told;
  }

  start() {
    if (this.#world.tabs) {
      this.#channel = this.#world.tabs.channel(this.#name);
      this.#channel.onmessage = ({ data }) => this.#hear(this.#world.read(data));
    }
    this.#stopObserving = this.#world.visibility?.observe(() => this.#see()) ?? this.#stopObserving;
    this.#see();
  }

  stop() {
    this.#isStopped = true;
    this.#stopObserving();
    this.#letGo();
    this.#channel?.close();
    this.#channel = null;
  }

  wake() { this.#watcher?.wake(); }

  #see() {
    if (this.#world.visibility?.isHidden()) {
      this.#letGo();
      this.#told.connection("hidden");
    } else if (!this.#seeking) this.#seek();
  }

  /** Watches as soon as no other tab does; until then, asks the watching tab for what it has received. */
  #seek() {
    const seeking = this.#seeking = new AbortController();
    if (!this.#world.tabs) return this.#watch(seeking.signal);
    this.#say({ kind: "ask" });
    this.#world.tabs.locks.request(this.#name, { signal: seeking.signal }, () => this.#watch(seeking.signal)).catch(() => {});
  }

  /** @param {AbortSignal} signal @returns {Promise<void>} Resolves when the lock is released. */
  async #watch(signal) {
    if (signal.aborted) return;
    const watcher = this.#watcher = this.#make(this.#telling());
    const isOver = new Promise((/** @type {(value?: any) => void} */ resolve) => signal.addEventListener("abort", resolve));
    watcher.start();
    await isOver;
    watcher.stop();
    if (this.#watcher === watcher) this.#watcher = null;
  }

  #letGo() {
    // This listener runs at once, so the connection is closed before a browser freezes the tab.
    this.#watcher?.stop();
    this.#watcher = null;
    this.#seeking?.abort();
    this.#seeking = null;
  }

  /** @returns {Watching} Callbacks that inform this tab and the others. */
  #telling() {
    const tell = (/** @type {keyof Watching} */ kind) => (/** @type {any} */ value) => {
      if (kind === "state") this.#last = value;
      if (kind === "event") this.#events = [...this.#events, value].slice(-mostEvents);
      // Inform this tab first, because an ending closes the channel. A denial of this tab's token does not concern other tabs.
      if (kind === "state") this.#sayState(value);
      else if (kind !== "gone") this.#say({ kind, value });
      else if (!value.isDenied) this.#say({ kind, value: { status: value.status, detail: value.message, members: value.members } });
      this.#pass(kind, value);
    };
    return { connecting: tell("connecting"), state: tell("state"), event: tell("event"), connection: tell("connection"), gone: tell("gone") };
  }

  /** @param {any} message */
  #hear({ kind, value, tag }) {
    if (this.#isStopped) return;
    if (kind === "gone") return this.#pass(kind, new Problem(value.status, value.detail, value.members));
    if (kind === "state") return this.#pass(kind, snapshotOf(value, tag));
    if (kind !== "ask") return this.#pass(kind, value);
    if (!this.#watcher || !this.#last) return;
    this.#sayState(this.#last);
    for (const value of this.#events) this.#say({ kind: "event", value });
    this.#say({ kind: "connection", value: "live" });
  }

  /** @param {keyof Watching} kind @param {any} [value] */
  #pass(kind, value) {
    if (this.#isStopped) return;
    if (kind === "connection" && this.#world.visibility?.isHidden()) return;
    this.#told[kind](value);
  }

  /**
   * The tag is sent beside the state, so that a tab with an older client can ignore it.
   * @param {import("./snapshot.js").Snapshot} snapshot
   */
  #sayState({ state, tag }) { this.#say({ kind: "state", value: state, tag }); }

  /**
   * Sends text, because a world may parse numbers into values that a browser cannot clone.
   * @param {Message} message
   */
  #say(message) { this.#channel?.postMessage(this.#world.write(message)); }
}
