// A session: it sends each input once and reports changes to views.
import { Exchange } from "./exchange.js";
import { inform, show } from "./observer.js";
import { operations } from "./operations.js";
import { Outbox } from "./outbox.js";
import { Problem } from "./problem.js";
import { SessionRecord } from "./session-record.js";
import { SharedWatcher } from "./shared-watcher.js";
import { snapshotOf } from "./snapshot.js";
import { Watcher } from "./watcher.js";
import { platform } from "./world.js";

/** @typedef {import("./protocol.js").State} State */
/** @typedef {import("./observer.js").Observer} Observer */
/**
 * @typedef {object} Settings
 * @property {import("./exchange.js").Headers} [headers] The header fields of each request, such as `Authorization`.
 * @property {boolean} [cookie] True to keep the session's token in a cookie, which no script can read. Only for a page in a
 *   browser whose origin is the server's, or an allowed origin of the same site.
 * @property {Observer} [view]
 * @property {number} [wait] The seconds that the response to an input waits for its effects, up to 60; 0 for no wait. The
 *   server's default is 5.
 * @property {number} [mostWaiting] The maximum number of inputs that wait for the server; 32 by default.
 * @property {boolean} [isWatching] False to open no stream, so that only responses bring states.
 * @property {AbortSignal} [signal] Ends the attempts to open or resume.
 * @property {import("./world.js").World} [world] For tests.
 */

const usualBound = 32;
/** The seconds that a response may take in addition to a requested wait. */
const patience = 30;

/** A session that this client follows. */
export class Session {
  #world;
  #url;
  #exchange;
  #outbox;
  #record;
  #wait;
  /** @type {SharedWatcher | null} */ #watcher = null;
  /** @type {import("./watcher.js").Connection} */ #connection = "reconnecting";
  /** @type {Set<Observer>} */ #observers = new Set();
  /** @type {Problem | null} */ #ending = null;
  #isClosed = false;
  #stopObserving;

  /** @param {string | URL} server @param {import("./snapshot.js").Snapshot} opened @param {Settings} settings @param {string | null} [token] */
  constructor(server, opened, settings, token = null) {
    const { state } = opened;
    const world = this.#world = settings.world ?? platform();
    this.id = state.session;
    this.#record = new SessionRecord(opened);
    this.#wait = settings.wait;
    this.#url = address(server, `sessions/${encodeURIComponent(state.session)}`);
    this.#exchange = new Exchange(world, settings, token);
    this.#outbox = new Outbox(world, (text, key) => this.#deliver(text, key), settings.mostWaiting ?? usualBound, {
      changed: (count) => this.#tell((observer) => observer.waiting?.(count)),
      delayed: (cause) => this.#tell((observer) => observer.delayed?.(cause)),
    });
    this.#stopObserving = world.observeOnline(() => this.retryNow());
    if (settings.view) this.observe(settings.view);
    if (state.ended) this.#finish();
    else if (settings.isWatching ?? true) this.#watch();
  }

  /** The session's token, which gives access and must be kept secret; null if the server issued none. */
  get token() { return this.#exchange.token; }
  /**
   * Set the new token after a rotation: denied requests are sent again with the new token, and a denied session is
   * followed again.
   */
  set token(token) {
    this.#exchange.token = token;
    if (!this.#ending?.isDenied || this.#isClosed) return;
    this.#ending = null;
    this.#connect("reconnecting");
    this.#watch();
  }
  /** The newest known state. */
  get state() { return this.#record.state; }
  /** The entity tag of the state, for `If-Match`. */
  get tag() { return this.#record.tag; }
  get connection() { return this.#connection; }
  /** The visible screen; null if there is none. */
  get visible() { return this.state.stack.at(-1) ?? null; }
  /** The number of inputs that the server has not answered. */
  get waiting() { return this.#outbox.count; }
  /** The reason for the session's end, if the last state does not contain the reason. */
  get ending() { return this.#ending; }

  /**
   * Adds an observer, which first receives the current state and then each change.
   * @param {Observer} observer
   * @returns {() => void} Removes the observer.
   */
  observe(observer) {
    this.#observers.add(observer);
    inform(this.#world, observer, () => show(observer, operations(null, this.state), this.state));
    inform(this.#world, observer, () => observer.connection?.(this.#connection));
    return () => { this.#observers.delete(observer); };
  }

  /**
   * Sends a screen's event, to the visible screen by default. The input names the screen, so that the server refuses a double
   * tap, or a tap that waited while the display changed, instead of applying it to another screen.
   * @param {string} event
   * @param {Record<string, any>} [payload]
   * @param {number} [screen]
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  send(event, payload, screen = this.visible?.id) {
    return this.input({ ...(screen === undefined ? {} : { screen }), event: payload === undefined ? event : { [event]: payload } });
  }

  /**
   * Asks to go back from a screen, by default from the visible one. The input names the screen for the same reason as `send`.
   * @param {number} [screen]
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  back(screen = this.visible?.id) {
    return this.input({ ...(screen === undefined ? {} : { screen }), back: true });
  }
  /**
   * Reports that the user has popped a screen, by a swipe.
   * @param {number} screen
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  popped(screen) { return this.input({ popped: screen }); }
  /**
   * Reports that the user has dismissed a sheet.
   * @param {number} screen The sheet's first screen.
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  dismissed(screen) { return this.input({ dismissed: screen }); }
  /**
   * Selects a tab that the user tapped.
   * @param {string} tab
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  select(tab) { return this.input({ select: tab }); }
  /**
   * Opens a deep link.
   * @param {any[]} flows
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  follow(flows) { return this.input({ open: flows }); }

  /**
   * Sends an input in the format of docs/protocol.md.
   * @param {any} body
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  input(body) { return this.#outbox.add(body); }

  /** Makes the next attempt of waiting requests at once. */
  retryNow() {
    this.#outbox.wake();
    this.#watcher?.wake();
  }

  /**
   * Ends the session on the server and here.
   * @throws {Problem}
   */
  async end() {
    let ending = Problem.own("ended", "this client ended the session");
    try {
      await this.#exchange.ask(this.#url, { method: "DELETE" });
    } catch (error) {
      ending = Problem.from(error);
      if (!ending.isGone) throw ending;
    }
    this.#end(ending);
  }

  /** Stops using the session, which stays on the server. Waiting inputs are rejected. */
  close() {
    this.#isClosed = true;
    this.#watcher?.stop();
    this.#outbox.close();
    this.#stopObserving();
    this.#observers.clear();
  }

  /** @param {string} text @param {string} key */
  async #deliver(text, key) {
    try {
      const answer = await this.#exchange.askForState(`${this.#url}/events`, { method: "POST", text, ...this.#preference(key) });
      if (!answer) throw new Problem(0, "the server did not answer with a state");
      this.#take(() => this.#record.answer(answer));
      return answer.state;
    } catch (error) {
      const problem = Problem.from(error), { current, tag } = problem;
      if (current) this.#take(() => this.#record.answer(snapshotOf(current, tag)));
      // A client that may not send inputs may still read the session; the watcher finds out whether it may.
      if (problem.isGone || problem.isHeld) this.#end(problem);
      throw problem;
    }
  }

  /** @param {string} key @returns {import("./exchange.js").Request} */
  #preference(key) {
    if (this.#wait === undefined) return { headers: { "Idempotency-Key": key } };
    const preference = this.#wait === 0 ? "respond-async" : `wait=${this.#wait}`;
    return { headers: { "Idempotency-Key": key, Prefer: preference }, patience: (this.#wait + patience) * 1000 };
  }

  #watch() {
    const make = (/** @type {import("./watcher.js").Watching} */ told) => new Watcher(this.#world, this.#exchange, this.#url, told);
    this.#watcher = new SharedWatcher(this.#world, this.#url, make, {
      connecting: () => this.#record.connecting(),
      state: (snapshot) => this.#take(() => this.#record.follow(snapshot)),
      event: (event) => this.#tell((observer) => observer.event?.(event)),
      connection: (connection) => this.#connect(connection),
      gone: (ending) => this.#end(ending),
    });
    this.#watcher.start();
  }

  /** @param {() => import("./operations.js").Operation[] | null} take Adopts a state, returns operations. */
  #take(take) {
    const list = this.#ending ? null : take();
    if (!list) return;
    const { state } = this;
    this.#tell((observer) => show(observer, list, state));
    if (state.ended) this.#finish();
  }

  /** @param {import("./watcher.js").Connection} connection */
  #connect(connection) {
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.#tell((observer) => observer.connection?.(connection));
  }

  /** @param {Problem} ending */
  #end(ending) {
    if (this.#ending) return;
    this.#ending = ending;
    this.#finish();
    this.#tell((observer) => observer.gone?.(ending));
  }

  #finish() {
    this.#watcher?.stop();
    // A client whose token was denied may continue with another token.
    if (!this.#ending?.isDenied) this.#stopObserving();
    this.#connect("ended");
  }

  /** @param {(observer: Observer) => void} tell */
  #tell(tell) {
    for (const observer of this.#observers) inform(this.#world, observer, tell);
  }
}

/** @param {string | URL} server @param {string} path */
export function address(server, path) {
  return `${String(server).replace(/\/+$/, "")}/${path}`;
}
