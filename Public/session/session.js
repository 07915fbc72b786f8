// The state of one session on this page: everything that the page shows follows from this state, and only the methods
// of the class change it.
import { ask, caller, coalesced, forgetCaller, poll, problem, world } from "../client/client.js";
import { resume } from "../client/usher.js";

/** @typedef {import("../client/usher.js").Problem} Problem */
/** @typedef {import("../client/usher.js").State} State */
/** @typedef {import("../client/usher.js").Screen} Card */
/** @typedef {{ type: string, coordinator: string, revision: number, input: string, holder?: string }} Leak */
/** @typedef {{ id: number, type: string, name: string, screens: { id: number, screen: string }[], work: any[], children: Coordinator[] }} Coordinator */
/** @typedef {{ live: number, created: number, finished: number, leaked: number }} Counts */
/** @typedef {{ coordinators: Counts, bytes: number, root?: Coordinator, own?: import("./own-tree.js").OwnTree, leaks: Leak[], stacks?: { tab?: string, displayed: boolean, screens: { id: number, screen: string }[] }[] }} Tree */
/** @typedef {{ revision: number, live: number, bytes: number, created: number, finished: number, leaked: number }} Sample The memory after an input. */
/** @typedef {import("./moments.js").Moment} Past */

const mostSamples = 2_000, mostQuestions = 9, restInterval = 5_000;

/** A session that is being watched. */
export class Session {
  /** @param {string} id @param {(session: Session) => void} changed Called after each change. */
  constructor(id, changed) {
    this.id = id;
    this.changed = () => changed(this);
    /** @type {State | null} */ this.now = null;
    /** @type {Tree | null} */ this.tree = null;
    /** @type {Problem | null} */ this.treeFault = null;
    /** The time of the newest tree in milliseconds since 1970; 0 if there is none. */
    this.treeKnown = 0;
    /** @type {import("../journal/journal.js").Journal | null} The session's inputs, once the panels around the device exist. */ this.journal = null;
    /** @type {Past | null} */ this.past = null;
    /** @type {number | null} The requested revision, if it did not exist. */ this.missed = null;
    /** @type {Past | null} The revision before the one on display. */ this.before = null;
    /** @type {import("./moments.js").Moments | null} */ this.moments = null;
    /** @type {import("./moments.js").Refusal[]} */ this.refusals = [];
    /** @type {import("./moments.js").Refusal | null} The selected refused input, which is shown instead of a revision. */ this.refusal = null;
    /** @type {import("../inspector/pin.js").Pin | null} The revision with which the one on display is compared. */ this.pin = null;
    /** @type {Past | null} The state at the pinned revision. */ this.pinned = null;
    this.connection = "reconnecting";
    /** @type {Problem | null} Why this page can no longer show the session: it has ended or is on hold. */ this.ending = null;
    /** @type {Problem | null} Why the server denies this page access; the session itself may continue. */ this.denial = null;
    /** The time of the denial in milliseconds since 1970. */
    this.denied = 0;
    /** @type {Problem | null} */ this.delay = null;
    /** @type {Sample[]} */ this.samples = [];
    this.isTreeWanted = false;
    /** Whether the session hibernates: it is not in the server's memory, and is rebuilt at its next use. */
    this.isAsleep = false;
    /** @type {string | undefined} The session's user. */ this.subject = undefined;
    this.resting = 0;
    /** The selected part of the inspector. */
    this.view = "tree";
    this.asking = 0;
    this.questions = 0;
    this.refreshTree = coalesced(() => this.readTree());
    // The first paint does not need earlier revisions, so their module is loaded later.
    const moments = () => import("./moments.js");
    this.refreshPast = coalesced(async () => (await moments()).readPast(this));
    this.refreshBefore = coalesced(async () => (await moments()).readBefore(this));
    /** @type {import("../client/usher.js").Session | null} */ this.client = null;
    this.leaving = new AbortController();
    /**
     * The path before `/sessions`: the operator uses /admin and needs no session token; other callers have a cookie
     * with the token, if the server requires a token.
     */
    this.door = "";
    /** @type {Promise<void> | null} */ this.goingOn = null;
  }

  get adminPath() { return `/admin/sessions/${encodeURIComponent(this.id)}`; }
  /** The state on display: the state of the chosen revision, or the newest state. */
  get state() { return this.past?.state ?? this.now; }
  /** The earlier revision on display; while another revision is loading, still the previous revision. */
  get pastRevision() { return this.past && (this.past.state?.revision ?? this.past.revision); }
  /** The selected revision; 0 if none is known yet. */
  get chosen() { return this.past?.revision ?? this.now?.revision ?? 0; }
  /** The entity tag of the newest state. */
  get tag() { return this.client?.tag ?? null; }
  /** The oldest revision in the journal; a session that has started over begins at that revision. */
  get oldest() { return this.journal?.oldest ?? 1; }
  get isOver() { return this.ending !== null || Boolean(this.now?.ended); }
  /** Whether the server has reported the session's end, which frees everything that belonged to the session. */
  get hasEnded() { return Boolean(this.now?.ended) || this.ending?.status === 410 || this.ending?.type === "urn:usher:client:ended"; }
  get app() { return this.now?.app ?? this.ending?.members.app ?? null; }
  /**
   * The request that opens another session, as a 410 describes it; null if there never was a session.
   * @returns {{ method: string, path: string, body: any } | null}
   */
  get next() {
    const told = this.ending?.members.start;
    // There may be no 410 if the session ends while it is shown; its last state contains the app.
    return told ?? (this.now && { method: "POST", path: "/sessions", body: { app: this.now.app } });
  }
  /** Whether the user cannot send anything. */
  get isReadOnly() { return this.past !== null || this.isOver || this.denial !== null; }

  async start() {
    await this.follow((await caller()).isOperator ? "/admin" : "");
  }

  /** @param {"/admin" | ""} door */
  async follow(door) {
    const { signal } = this.leaving;
    this.door = door;
    /** @param {Problem} ending */
    const leave = (ending) => (!ending.isDenied ? this.end(ending) : door ? this.goOn() : this.deny(ending));
    try {
      const client = await resume(location.origin + door, this.id, { world, signal, view: this.makeView(door, leave) });
      if (signal.aborted) return client.close();
      signal.addEventListener("abort", () => client.close());
      this.client = client;
    } catch (error) {
      await leave(problem(error));
    }
  }

  /** Continues without the login, which has ended; this works if a session's id or cookie is enough. */
  goOn() {
    forgetCaller();
    this.goingOn ??= this.follow("");
    return this.goingOn;
  }

  /**
   * @param {string} door
   * @param {(ending: Problem) => void} leave
   * @returns {import("../client/usher.js").Observer}
   */
  makeView(door, leave) {
    return {
      state: (state) => this.take(state),
      // If there are two clients, only the client without the login counts; the end of a client says nothing about the
      // session.
      connection: (connection) => { if (door === this.door && connection !== "ended") this.connect(connection); },
      event: async ({ type, data }) => { if (type === "refused") (await import("./moments.js")).noteRefusal(this, data); },
      waiting: () => { this.delay = null; },
      delayed: (cause) => {
        // Before the first state, this is the only information about the server.
        if (!this.now) this.connect(cause.isUnreachable ? "unreachable" : "reconnecting");
        this.delay = problem(cause);
        this.changed();
      },
      gone: leave,
    };
  }

  close() {
    this.leaving.abort();
    clearTimeout(this.asking);
    clearInterval(this.resting);
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
    if (this.now && !this.now.ended && this.hasEnded) this.noteEnd();
    this.connect(ending.isHeld ? "on hold" : "ended");
  }

  /** @param {Problem} denial */
  deny(denial) {
    this.denial = denial;
    this.denied = Date.now();
    this.connect("logged out");
  }

  /** Starts to load the tree, too; the screens come first. */
  wantTree() {
    this.isTreeWanted = true;
    this.readHistory();
    this.resting = window.setInterval(() => this.readSummary(), restInterval);
    this.readSummary();
    if (this.now) this.refreshTree().then(this.refreshBefore);
  }

  /** @param {State} state */
  take(state) {
    const isNew = state.revision !== this.now?.revision;
    if (this.now && state.revision < this.now.revision) this.moments?.forgetAfter(state.revision - 1);
    this.now = state;
    if (isNew) {
      this.questions = 0;
      this.isAsleep = false;
    }
    if (state.ended) {
      this.noteEnd();
      this.connection = "ended";
    }
    this.changed();
    if (isNew && !state.ended && this.isTreeWanted) this.refreshTree().then(this.refreshBefore);
  }

  /**
   * Sends an input, which waits while the server does not respond.
   * @param {object} body
   * @returns {Promise<Problem | null>} Why it was refused.
   */
  async send(body) {
    const { client } = this;
    try {
      await client?.input(body);
      return null;
    } catch (error) {
      const fault = problem(error);
      if (!fault.isDenied || (!this.door && !this.goingOn)) return fault;
      // The input was not handled; the session may accept it without the login.
      await this.goOn();
      return this.client === client ? fault : this.send(body);
    }
  }

  async readTree() {
    if (this.isOver || this.denial) return;
    try {
      const state = this.now, tree = await ask(`${this.adminPath}/tree`);
      if (this.isOver) return;
      this.tree = tree;
      this.isAsleep = false;
      // The state has not changed in the meantime, so the tree belongs to it.
      if (state && state === this.now) this.moments?.keep({ revision: state.revision, state, tree, fault: null });
      this.treeFault = null;
      this.treeKnown = Date.now();
      this.awaitHolders(tree);
      this.note({ revision: this.now?.revision ?? 0, ...tree.coordinators, bytes: tree.bytes });
    } catch (error) {
      if (this.isOver) return;
      this.treeFault = problem(error);
    }
    this.changed();
  }

  /**
   * Reads the session's user, and whether it hibernates, from the list: reading the session itself would wake the
   * session.
   */
  async readSummary() {
    if (document.hidden || this.isOver || this.denial) return;
    try {
      const { sessions: [summary] } = await poll(`/admin/sessions?prefix=${encodeURIComponent(this.id)}&limit=1`);
      if (!summary) return;
      const isAsleep = summary.hibernated && summary.revision === this.now?.revision;
      if (isAsleep === this.isAsleep && summary.subject === this.subject) return;
      this.isAsleep = isAsleep;
      this.subject = summary.subject;
      this.changed();
    } catch {
      // The parts that need the data report the failure.
    }
  }

  /**
   * Reads the tree again, at growing intervals, because the server finds the holders of leaks only after its answer.
   * @param {Tree} tree
   */
  awaitHolders(tree) {
    clearTimeout(this.asking);
    if (tree.leaks.every((leak) => leak.holder) || this.questions > mostQuestions) return;
    this.asking = window.setTimeout(this.refreshTree, 250 * 1.6 ** this.questions++);
  }

  /** Adds a sample for the session's end, which frees all its memory and has no revision of its own. */
  noteEnd() {
    const { created = 0, finished = 0, leaked = 0, live = 0 } = this.samples.at(-1) ?? {};
    this.samples.push({ revision: this.now?.revision ?? 0, live: 0, created, finished: finished + live, leaked, bytes: 0 });
  }

  /** Loads the memory of all revisions until now, which the server computes by a replay; later samples are added one by one. */
  async readHistory() {
    try {
      const { points } = await ask(`${this.adminPath}/history`);
      const newest = points.at(-1)?.revision ?? 0;
      this.samples = [...points, ...this.samples.filter(({ revision }) => revision > newest)];
      this.changed();
    } catch {
      // If the session cannot be replayed, the samples begin with the first revision that this page has seen.
    }
  }

  /** @param {Sample} sample */
  note(sample) {
    if (this.samples.at(-1)?.revision === sample.revision) this.samples.pop();
    this.samples.push(sample);
    if (this.samples.length > mostSamples) this.samples.shift();
  }

  /**
   * Shows an earlier revision, or the nearest existing one.
   * @param {number} wanted
   */
  travel(wanted) {
    const newest = this.now?.revision ?? 1, revision = Math.max(this.oldest, Math.min(newest, wanted));
    this.refusal = null;
    this.missed = wanted === revision ? null : wanted;
    if (revision === this.past?.revision) return this.changed();
    if (!this.isOver && revision === newest) return this.returnToNow(this.missed);
    this.past = { revision, state: this.past?.state ?? null, tree: this.past?.tree ?? null, fault: null };
    this.changed();
    this.refreshPast();
  }

  /**
   * Shows a row of the journal: a revision, or a refused input.
   * @param {number} revision
   * @param {import("./moments.js").Refusal | null} refusal
   */
  lookAt(revision, refusal) {
    if (revision !== this.chosen) this.travel(revision);
    this.missed = null;
    this.refusal = refusal;
    this.changed();
  }

  /** @param {number | null} [missed] The requested revision, if it does not exist. */
  returnToNow(missed = null) {
    this.refusal = null;
    this.missed = missed;
    this.past = null;
    this.changed();
    this.refreshBefore();
  }

  /** Discards everything before the oldest revision, because the session has started over. */
  forgetHistory() {
    const { oldest, past } = this;
    this.moments?.forgetBefore(oldest);
    this.samples = this.samples.filter(({ revision }) => revision >= oldest);
    this.refusals = this.refusals.filter(({ revision }) => revision >= oldest);
    if (this.before && this.before.revision < oldest) this.before = null;
    if (past && past.revision < oldest) this.travel(past.revision);
    else this.changed();
  }

  /** Ends the session on the server; a session on hold is ended without the client, because the client has stopped. */
  async finish() {
    if (!this.ending?.isHeld) return this.client?.end();
    const path = `${this.door}/sessions/${encodeURIComponent(this.id)}`;
    await ask(path, { method: "DELETE" });
    await ask(path).catch((error) => this.end(problem(error)));
  }
}
