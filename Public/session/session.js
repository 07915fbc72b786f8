// One session as this page knows it: all that is shown follows from here, and only what is done here changes it.
import { ask, coalesced, problem, Problem } from "../client/client.js";
import { readJSON } from "../client/exact-json.js";
import { Follower } from "../client/follower.js";

/** @typedef {"root" | "push" | "sheet" | "formSheet" | "popover" | "fullScreen" | "overFullScreen" | "alert" | "actionSheet"} Shown */
/** @typedef {{ id: number, screen: string, coordinator: string, shown: Shown, state: any, events?: Record<string, any> }} Card */
/**
 * @typedef {object} State
 * @property {string} session
 * @property {string} app
 * @property {number} revision
 * @property {Card[]} stack
 * @property {{ selected: string, names: string[] }} [tabs]
 * @property {boolean | { refused: string }} back
 * @property {any[]} changes
 * @property {string[]} pending
 * @property {string[]} [warnings]
 * @property {Leak[]} [leaks]
 * @property {{ reason: string, result?: any }} [ended]
 */
/** @typedef {{ type: string, coordinator: string, revision: number, input: string, holder?: string }} Leak */
/** @typedef {{ id: number, type: string, name: string, screens: { id: number, screen: string }[], work: any[], children: Coordinator[] }} Coordinator */
/** @typedef {{ live: number, created: number, finished: number, leaked: number }} Counts */
/** @typedef {{ type: string, screens: { id: number, screen: string }[], zombie?: boolean, children: OwnCoordinator[] }} OwnCoordinator Kept by the app itself. */
/** @typedef {{ type: string, holder: string }} Finding */
/** @typedef {{ roots: OwnCoordinator[], zombies: Finding[], leaks: Finding[] }} OwnTree */
/** @typedef {{ coordinators: Counts, bytes: number, root: Coordinator | null, own?: OwnTree, leaks: Leak[] }} Tree */
/** @typedef {{ revision: number, live: number, bytes: number }} Sample */
/** @typedef {{ revision: number, state: State | null, tree: Tree | null, fault: Problem | null }} Past */

const mostSamples = 500, mostQuestions = 9;

/** A session that is being watched. */
export class Session {
  /** @param {string} id @param {(session: Session) => void} changed Called after each change. */
  constructor(id, changed) {
    this.id = id;
    this.changed = () => changed(this);
    /** @type {State | null} */ this.now = null;
    /** @type {Tree | null} */ this.tree = null;
    /** @type {Problem | null} */ this.treeFault = null;
    /** @type {Past | null} */ this.past = null;
    /** @type {import("../client/follower.js").Connection} */ this.connection = "reconnecting";
    /** @type {Problem | null} */ this.ending = null;
    /** @type {Sample[]} */ this.samples = [];
    this.isTreeWanted = false;
    this.asking = 0;
    this.questions = 0;
    this.refreshTree = coalesced(() => this.readTree());
    this.refreshPast = coalesced(() => this.readPast());
    this.follower = new Follower({
      open: () => new EventSource(`${this.path}/stream`),
      read: readJSON,
      look: () => ask(this.path),
      wait: (run, milliseconds) => window.setTimeout(run, milliseconds),
      stopWaiting: (waiting) => clearTimeout(waiting),
    }, {
      state: (state, isFirst) => this.take(state, isFirst),
      connection: (connection) => {
        if (connection === this.connection) return;
        this.connection = connection;
        this.changed();
      },
      gone: (ending) => {
        this.ending = ending;
        this.changed();
      },
    });
  }

  get path() { return `/sessions/${encodeURIComponent(this.id)}`; }
  get adminPath() { return `/admin${this.path}`; }
  /** What is on display: the chosen revision, or the newest. */
  get state() { return this.past?.state ?? this.now; }
  get isOver() { return this.ending !== null || Boolean(this.now?.ended); }
  /** Whether nothing can be sent. */
  get isReadOnly() { return this.past !== null || this.isOver; }

  start() { this.follower.start(); }
  close() {
    this.follower.stop();
    clearTimeout(this.asking);
    this.changed = () => {};
  }

  /** From now on the tree is asked for, too: the screens come first. */
  wantTree() {
    this.isTreeWanted = true;
    if (this.now) this.refreshTree();
  }

  /**
   * @param {State} state
   * @param {boolean} isFirst Of a connection: may be older, since a crash can take back what was not yet on disk.
   */
  take(state, isFirst) {
    if (!isFirst && this.now && state.revision < this.now.revision) return;
    const isNew = state.revision !== this.now?.revision;
    this.now = state;
    if (isNew) this.questions = 0;
    if (state.ended) this.note({ revision: state.revision, live: 0, bytes: 0 });
    this.changed();
    if (isNew && !state.ended && this.isTreeWanted) this.refreshTree();
  }

  /**
   * Sends an input.
   * @param {string} body
   * @returns {Promise<Problem | null>} Why it was refused.
   */
  async send(body) {
    try {
      this.take(await ask(`${this.path}/events`, { method: "POST", body }), false);
      return null;
    } catch (error) {
      const refusal = problem(error);
      if (refusal.current) this.take(refusal.current, false);
      return refusal;
    }
  }

  async readTree() {
    if (this.isOver) return;
    try {
      const tree = await ask(`${this.adminPath}/tree`);
      this.tree = tree;
      this.treeFault = null;
      this.awaitHolders(tree);
      this.note({ revision: this.now?.revision ?? 0, live: tree.coordinators.live, bytes: tree.bytes });
    } catch (error) {
      this.treeFault = problem(error);
    }
    this.changed();
  }

  /**
   * Who holds what leaked is found after the answer, without a revision of its own: so one asks again, less and less often.
   * @param {Tree} tree
   */
  awaitHolders(tree) {
    clearTimeout(this.asking);
    if (tree.leaks.every((leak) => leak.holder) || this.questions > mostQuestions) return;
    this.asking = window.setTimeout(this.refreshTree, 250 * 1.6 ** this.questions++);
  }

  /** @param {Sample} sample */
  note(sample) {
    if (this.samples.at(-1)?.revision === sample.revision) this.samples.pop();
    this.samples.push(sample);
    if (this.samples.length > mostSamples) this.samples.shift();
  }

  /**
   * Shows an earlier revision.
   * @param {number} revision
   */
  travel(revision) {
    if (revision === this.past?.revision) return;
    if (!this.isOver && revision >= (this.now?.revision ?? 1)) return this.returnToNow();
    this.past = { revision, state: this.past?.state ?? null, tree: this.past?.tree ?? null, fault: null };
    this.changed();
    this.refreshPast();
  }

  returnToNow() {
    this.past = null;
    this.changed();
  }

  async readPast() {
    const revision = this.past?.revision;
    if (revision === undefined) return;
    const at = `${this.adminPath}/at/${revision}`;
    /** @type {Past} */
    const found = { revision, state: null, tree: null, fault: null };
    await Promise.all([
      ask(at).then((state) => { found.state = state; }, (error) => { found.fault = problem(error); }),
      ask(`${at}/tree`).then((tree) => { found.tree = tree; }, () => {}),
    ]);
    if (this.past?.revision !== revision) return;
    this.past = found;
    this.changed();
  }

  /**
   * A new session that begins at a revision.
   * @param {number} revision
   * @returns {Promise<string>} Its id.
   */
  async fork(revision) {
    const state = await ask(`${this.adminPath}/fork`, { method: "POST", body: JSON.stringify({ revision }) });
    return state.session;
  }

  /** Ends it. */
  async end() {
    await ask(this.path, { method: "DELETE" });
  }
}
