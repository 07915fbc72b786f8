// A session: what a user does goes to the server once, and what is there is told to views.
import { Exchange } from "./exchange.js";
import { operations } from "./operations.js";
import { Outbox } from "./outbox.js";
import { Problem } from "./problem.js";
import { SharedWatcher } from "./shared-watcher.js";
import { Watcher } from "./watcher.js";
import { platform } from "./world.js";

/** @typedef {import("./protocol.js").State} State */
/** @typedef {import("./protocol.js").Screen} Screen */
/**
 * A view, or who else follows: each method may be missing.
 * @typedef {object} Observer
 * @property {(screen: Screen, at: number) => void} [insert]
 * @property {(id: number, isHidden: boolean) => void} [remove] Hidden: in a tab, and it may come back under its id.
 * @property {(screen: Screen) => void} [update]
 * @property {(tabs: import("./protocol.js").Tabs | null) => void} [select]
 * @property {(state: State) => void} [state] After the operations that lead to it.
 * @property {(connection: import("./watcher.js").Connection) => void} [connection]
 * @property {(event: import("./watcher.js").StreamEvent) => void} [event] What the stream tells beside states: the operator's
 *   of refused inputs. One may come twice, when the stream was opened anew.
 * @property {(count: number) => void} [waiting] How many inputs the server has not answered.
 * @property {(cause: Problem) => void} [delayed] An attempt at an input, or to open or to resume, has decided nothing: there
 *   will be another.
 * @property {(ending: Problem) => void} [gone] The session is over, or this client may not see it.
 */
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
  #watcher;
  #wait;
  /** @type {State} */ #now;
  /** Counts the states that were taken: which of two came first on the server, revisions alone do not tell after a crash. */
  #taken = 0;
  #takenAtConnect = -1;
  /** @type {import("./watcher.js").Connection} */ #connection = "reconnecting";
  /** @type {Set<Observer>} */ #observers = new Set();
  /** @type {Problem | null} */ #ending = null;
  #stopObserving;

  /** @param {string | URL} server @param {State} state @param {Settings} settings @param {string | null} [token] */
  constructor(server, state, settings, token = null) {
    const world = this.#world = settings.world ?? platform();
    this.id = state.session;
    this.#now = state;
    this.#wait = settings.wait;
    this.#url = address(server, `sessions/${encodeURIComponent(state.session)}`);
    this.#exchange = new Exchange(world, settings, token);
    this.#outbox = new Outbox(world, (body, key) => this.#deliver(body, key), settings.mostWaiting ?? usualBound, {
      changed: (count) => this.#tell((observer) => observer.waiting?.(count)),
      delayed: (cause) => this.#tell((observer) => observer.delayed?.(cause)),
    });
    this.#watcher = new SharedWatcher(world, this.#url, (told) => new Watcher(world, this.#exchange, this.#url, told), {
      connecting: () => { this.#takenAtConnect = this.#taken; },
      state: (next) => this.#take(next),
      event: (event) => this.#tell((observer) => observer.event?.(event)),
      connection: (connection) => this.#connect(connection),
      gone: (ending) => this.#end(ending),
    });
    this.#stopObserving = world.observeOnline(() => this.retryNow());
    if (settings.view) this.observe(settings.view);
    if (state.ended) this.#finish();
    else if (settings.isWatching ?? true) this.#watcher.start();
  }

  /** Opens the session to who has it, so it is kept as a password is; null where the server gave none. */
  get token() { return this.#exchange.token; }
  /** Of one that was rotated: from the next request on. */
  set token(token) { this.#exchange.token = token; }
  /** The newest that is known. */
  get state() { return this.#now; }
  get connection() { return this.#connection; }
  /** The visible screen; none where nothing is shown. */
  get visible() { return this.#now.stack.at(-1) ?? null; }
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
    show(observer, operations(null, this.#now), this.#now);
    observer.connection?.(this.#connection);
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
   * The user asks to go back.
   * @returns {Promise<State>}
   * @throws {Problem}
   */
  back() { return this.input({ back: true }); }
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
    this.#watcher.wake();
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
      if (ending.isDenied) this.#end(ending);
      if (!ending.isGone) throw ending;
    }
    this.#end(ending);
  }

  /** Lets go of the session, which stays on the server. Inputs that wait are rejected. */
  close() {
    this.#watcher.stop();
    this.#outbox.close();
    this.#stopObserving();
    this.#observers.clear();
  }

  /** @param {any} body @param {string} key */
  async #deliver(body, key) {
    try {
      const state = await this.#exchange.ask(`${this.#url}/events`, { method: "POST", body, ...this.#preference(key) });
      this.#take(state);
      return state;
    } catch (error) {
      const problem = Problem.from(error);
      if (problem.current) this.#take(problem.current);
      if (problem.isGone || problem.isDenied) this.#end(problem);
      throw problem;
    }
  }

  /** @param {string} key @returns {import("./exchange.js").Request} */
  #preference(key) {
    if (this.#wait === undefined) return { headers: { "Idempotency-Key": key } };
    const preference = this.#wait === 0 ? "respond-async" : `wait=${this.#wait}`;
    return { headers: { "Idempotency-Key": key, Prefer: preference }, patience: (this.#wait + patience) * 1000 };
  }

  /**
   * Answers and the stream come in any order, and a repeated answer is an old one: older states are passed over, but for
   * the first of a connection, since a crash may take back what was not yet durable.
   * @param {State} state
   */
  #take(state) {
    if (this.#ending) return;
    const isOlder = state.revision < this.#now.revision;
    if (isOlder && this.#takenAtConnect !== this.#taken) return;
    const list = operations(this.#now, state);
    const isNew = state.revision !== this.#now.revision || list.length > 0 || Boolean(state.ended) || isOlder;
    this.#takenAtConnect = -1;
    this.#now = state;
    this.#taken += 1;
    if (isNew) this.#tell((observer) => show(observer, list, state));
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
    this.#connect("ended");
  }

  /**
   * What one throws is reported, and keeps neither the others nor an input's answer.
   * @param {(observer: Observer) => void} tell
   */
  #tell(tell) {
    for (const observer of this.#observers) {
      try {
        tell(observer);
      } catch (error) {
        this.#world.report(error);
      }
    }
  }
}

/** @param {Observer} observer @param {import("./operations.js").Operation[]} list @param {State} state */
function show(observer, list, state) {
  for (const operation of list) {
    if ("remove" in operation) observer.remove?.(operation.remove, operation.hidden ?? false);
    else if ("select" in operation) observer.select?.(operation.select);
    else if ("insert" in operation) observer.insert?.(operation.insert, operation.at);
    else observer.update?.(operation.update);
  }
  observer.state?.(state);
}

/** @param {string | URL} server @param {string} path */
export function address(server, path) {
  return `${String(server).replace(/\/+$/, "")}/${path}`;
}
