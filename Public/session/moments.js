// The moments of a session that were looked at: what an earlier revision showed does not change any more.
import { ask, problem } from "../client/client.js";

/** @typedef {import("../client/usher.js").Problem} Problem */
/** @typedef {{ revision: number, state: import("./session.js").State | null, tree: import("./session.js").Tree | null, fault: Problem | null }} Moment */
/** @typedef {{ number: number, revision: number, time: string, status: number, detail: string, input?: any }} Refusal An input that was refused, upon a revision. */

/** How many are kept: as many as one steps through. */
const most = 128, mostRefusals = 64;

export class Moments {
  /** @param {string} path The session's, below `/admin`. */
  constructor(path) {
    this.path = path;
    /** @type {Map<number, Moment>} */ this.known = new Map();
  }

  /** @param {number} revision @returns {Promise<Moment>} With why it cannot be had, where it cannot. */
  async at(revision) {
    const known = this.known.get(revision);
    if (known) return known;
    const at = `${this.path}/at/${revision}`;
    /** @type {Moment} */
    const found = { revision, state: null, tree: null, fault: null };
    await Promise.all([
      ask(at).then((state) => { found.state = state; }, (error) => { found.fault = problem(error); }),
      ask(`${at}/tree`).then((tree) => { found.tree = tree; }, () => {}),
    ]);
    if (found.state && found.tree) this.keep(found);
    return found;
  }

  /** @param {Moment} moment */
  keep(moment) {
    this.known.delete(moment.revision);
    this.known.set(moment.revision, moment);
    for (const [oldest] of this.known) if (this.known.size > most) this.known.delete(oldest);
  }

  /**
   * Forgets what came after a revision: a crash can take back what was not yet on disk.
   * @param {number} revision
   */
  forgetAfter(revision) {
    for (const known of this.known.keys()) if (known > revision) this.known.delete(known);
  }

  /**
   * Forgets what came before a revision, at which the session has started over.
   * @param {number} revision
   */
  forgetBefore(revision) {
    for (const known of this.known.keys()) if (known < revision) this.known.delete(known);
  }
}

/** @param {import("./session.js").Session} session */
function momentsOf(session) {
  return session.moments ??= new Moments(session.adminPath);
}

/**
 * Whether a revision is kept, which its entry in the journal tells: a session may have started over meanwhile.
 * @param {import("./session.js").Session} session
 * @param {number} revision
 */
async function isKept(session, revision) {
  // A journal that cannot be read says so elsewhere.
  await session.journal?.need(revision, revision).catch(() => {});
  return revision >= session.oldest;
}

/**
 * Reads the revision that is looked at.
 * @param {import("./session.js").Session} session
 */
export async function readPast(session) {
  const revision = session.past?.revision;
  if (revision === undefined || !await isKept(session, revision)) return;
  const found = await momentsOf(session).at(revision);
  if (session.past?.revision !== revision) return;
  session.past = found;
  session.changed();
  session.refreshBefore();
}

/**
 * Reads what there was before, so that one sees what an input has changed.
 * @param {import("./session.js").Session} session
 */
export async function readBefore(session) {
  const revision = (session.past?.revision ?? session.now?.revision ?? 1) - 1;
  if (revision < 1 || !session.isTreeWanted || session.before?.revision === revision || (session.isOver && !session.past)) return;
  // The entry after it tells whether it is kept: that one is read anyway.
  if (!session.journal || !await isKept(session, revision + 1) || revision < session.oldest) return;
  const found = await momentsOf(session).at(revision);
  if (found.fault) return;
  session.before = found;
  session.changed();
}

/**
 * Notes an input that was refused. One of which nothing was read tells no revision, and one may be told twice.
 * @param {import("./session.js").Session} session
 * @param {Omit<Refusal, "revision"> & { revision?: number }} told
 */
export function noteRefusal(session, told) {
  if (session.refusals.some(({ number, time }) => number === told.number && time === told.time)) return;
  session.refusals = [...session.refusals, { ...told, revision: told.revision ?? session.now?.revision ?? 1 }].slice(-mostRefusals);
  session.changed();
}
