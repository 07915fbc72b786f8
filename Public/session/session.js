// One session as this page knows it: all that is shown follows from here, and only what is done here changes it.
import { ask, coalesced, problem, world } from "../client/client.js";
import { resume } from "../client/usher.js";

/** @typedef {import("../client/usher.js").Problem} Problem */
/** @typedef {import("../client/usher.js").State} State */
/** @typedef {import("../client/usher.js").Screen} Card */
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
    this.connection = "reconnecting";
    /** @type {Problem | null} */ this.ending = null;
    /** @type {Problem | null} */ this.delay = null;
    /** @type {Sample[]} */ this.samples = [];
    this.isTreeWanted = false;
    this.asking = 0;
    this.questions = 0;
    this.refreshTree = coalesced(() => this.readTree());
    this.refreshPast = coalesced(() => this.readPast());
    /** @type {import("../client/usher.js").Session | null} */ this.client = null;
    this.leaving = new AbortController();
  }

  get adminPath() { return `/admin/sessions/${encodeURIComponent(this.id)}`; }
  /** What is on display: the chosen revision, or the newest. */
  get state() { return this.past?.state ?? this.now; }
  get isOver() { return this.ending !== null || Boolean(this.now?.ended); }
  /** Whether nothing can be sent. */
  get isReadOnly() { return this.past !== null || this.isOver; }

  async start() {
    const { signal } = this.leaving;
    try {
      const client = await resume(location.origin, this.id, { world, signal, view: this.makeView() });
      if (signal.aborted) return client.close();
      this.client = client;
    } catch (error) {
      this.connect("ended");
      this.end(problem(error));
    }
  }

  /** @returns {import("../client/usher.js").Observer} */
  makeView() {
    return {
      state: (state) => this.take(state),
      connection: (connection) => this.connect(connection),
      waiting: () => { this.delay = null; },
      delayed: (cause) => {
        // Before there is a state this is all that is known of the server.
        if (!this.now) this.connect(cause.isUnreachable ? "unreachable" : "reconnecting");
        this.delay = problem(cause);
        this.changed();
      },
      gone: (ending) => this.end(ending),
    };
  }

  close() {
    this.leaving.abort();
    this.client?.close();
    clearTimeout(this.asking);
    this.changed = () => {};
  }

  /** @param {string} connection */
  connect(connection) {
    this.connection = connection === "unreachable" ? "server unreachable" : connection;
    this.changed();
  }

  /** @param {Problem} ending */
  end(ending) {
    this.ending = ending;
    this.changed();
  }

  /** From now on the tree is asked for, too: the screens come first. */
  wantTree() {
    this.isTreeWanted = true;
    if (this.now) this.refreshTree();
  }

  /** @param {State} state */
  take(state) {
    const isNew = state.revision !== this.now?.revision;
    this.now = state;
    if (isNew) this.questions = 0;
    if (state.ended) this.note({ revision: state.revision, live: 0, bytes: 0 });
    this.changed();
    if (isNew && !state.ended && this.isTreeWanted) this.refreshTree();
  }

  /**
   * Sends an input, which waits while the server does not answer.
   * @param {object} body
   * @returns {Promise<Problem | null>} Why it was refused.
   */
  async send(body) {
    try {
      await this.client?.input(body);
      return null;
    } catch (error) {
      return problem(error);
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
    const state = await ask(`${this.adminPath}/fork`, { method: "POST", body: { revision } });
    return state.session;
  }

  /** Ends it on the server. */
  async finish() { await this.client?.end(); }
}
