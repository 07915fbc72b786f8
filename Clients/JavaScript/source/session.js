// A session: what a user does goes to the server once, and what is there is told to views.
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
 * @property {import("./exchange.js").Headers} [headers] Of each request, such as `Authorization`.
 * @property {boolean} [cookie] True: a cookie has the session's token, which no script can read; for a page in a browser, whose
 *   origin is the server's or one that it allows, of the same site.
 * @property {Observer} [view]
 * @property {number} [wait] Seconds that the answer to an input waits for the effects which that began, up to 60; 0 is none,
 *   and the server's usual 5 where it is left out.
 * @property {number} [mostWaiting] How many inputs may wait for the server; 32 where it is left out.
 * @property {boolean} [isWatching] False: no stream, and only answers tell of states.
 * @property {AbortSignal} [signal] Ends the tries to open, or to resume.
 * @property {import("./world.js").World} [world] For tests.
 */

const usualBound = 32;
/** Seconds on top of a wait that was asked for. */
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

  /** Opens the session to who has it, so it is kept as a password is; null where the server gave none. */
  get token() { return this.#exchange.token; }
  /** Of one that was rotated: for all requests that come to nothing without it. A session that was denied is followed again. */
  set token(token) {
    this.#exchange.token = token;
    if (!this.#ending?.isDenied || this.#isClosed) return;
    this.#ending = null;
    this.#connect("reconnecting");
    this.#watch();
  }
  /** The newest that is known. */
  get state() { return this.#record.state; }
  /** The entity tag of the state, as `If-Match` takes it. */
  get tag() { return this.#record.tag; }
  get connection() { return this.#connection; }
  /** The visible screen; none where nothing is shown. */
  get visible() { return this.state.stack.at(-1) ?? null; }
  /** How many inputs the server has not answered. */
  get waiting() { return this.#outbox.count; }
  /** Why the session is over, where it did not say so in a last state. */
  get ending() { return this.#ending; }

  /**
   * Has a view follow: it is told of what is there already, then of what changes.
   * @param {Observer} observer
   * @returns {() => void} Ends it.
   */
  observe(observer) {
    this.#observers.add(observer);
    inform(this.#world, observer, () => show(observer, operations(null, this.state), this.state));
    inform(this.#world, observer, () => observer.connection?.(this.#connection));
    return () => { this.#observers.delete(observer); };
  }

  /**
   * Sends a screen's event: of the visible one where none is named. It names the screen, so that a second tap, or one that
   * waited while others went on, is refused instead of meaning another screen.
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
   * Asks to go back from a screen: from the visible one if none is named. It names the screen for the same reason as `send`.
   * @param {number} [screen]
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  back(screen = this.visible?.id) {
    return this.input({ ...(screen === undefined ? {} : { screen }), back: true });
  }
  /**
   * The user has popped a screen, by a swipe.
   * @param {number} screen
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  popped(screen) { return this.input({ popped: screen }); }
  /**
   * The user has pulled a sheet down.
   * @param {number} screen Its first.
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  dismissed(screen) { return this.input({ dismissed: screen }); }
  /**
   * The user tapped a tab.
   * @param {string} tab
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  select(tab) { return this.input({ select: tab }); }
  /**
   * Follows a deep link.
   * @param {any[]} flows
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  follow(flows) { return this.input({ open: flows }); }

  /**
   * Sends an input as docs/protocol.md has it.
   * @param {any} body
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  input(body) { return this.#outbox.add(body); }

  /** Tries at once what waits for its next attempt. */
  retryNow() {
    this.#outbox.wake();
    this.#watcher?.wake();
  }

  /**
   * Ends the session on the server, and then here.
   * @throws {Problem}
   */
  async end() {
    let ending = Problem.own("ended", "the session was ended here");
    try {
      await this.#exchange.ask(this.#url, { method: "DELETE" });
    } catch (error) {
      ending = Problem.from(error);
      if (!ending.isGone) throw ending;
    }
    this.#end(ending);
  }

  /** Lets go of the session, which stays on the server. Inputs that wait are rejected. */
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
      if (!answer) throw new Problem(0, "the answer is none to an input");
      this.#take(() => this.#record.answer(answer));
      return answer.state;
    } catch (error) {
      const problem = Problem.from(error), { current, tag } = problem;
      if (current) this.#take(() => this.#record.answer(snapshotOf(current, tag)));
      // A reader may not send, and reads on: the watcher finds out.
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

  /** @param {() => import("./operations.js").Operation[] | null} take A state into the record, and what leads to it. */
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
    // One that was denied may go on with another token.
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
