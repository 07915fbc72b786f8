// The revisions that the user has looked at; what an earlier revision showed never changes.
import { ask, problem } from "../client/client.js";

/** @typedef {import("../client/usher.js").Problem} Problem */
/** @typedef {{ revision: number, state: import("./session.js").State | null, tree: import("./session.js").Tree | null, fault: Problem | null }} Moment */
/** @typedef {{ number: number, revision: number, time: string, status: number, detail: string, input?: any }} Refusal A refused input, with the revision at which it was refused. */

/** The numbers of stored moments and refusals. */
const most = 128, mostRefusals = 64;

export class Moments {
  /** @param {string} path The session's path below `/admin`. */
  constructor(path) {
    this.path = path;
    /** @type {Map<number, Moment>} */ this.known = new Map();
  }

  /** @param {number} revision @returns {Promise<Moment>} The moment; `fault` is the reason if it cannot be shown. */
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
   * Discards the moments and refusals after a revision: a crash can undo revisions that were not on disk yet.
   * @param {number} revision
   */
  forgetAfter(revision) {
    for (const known of this.known.keys()) if (known > revision) this.known.delete(known);
  }

  /**
   * Discards the moments and refusals before a revision, at which the session has started over.
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
 * Returns whether the journal still has a revision: the session may have started over in the meantime.
 * @param {import("./session.js").Session} session
 * @param {number} revision
 */
async function isKept(session, revision) {
  // Another panel reports that the journal cannot be read.
  await session.journal?.need(revision, revision).catch(() => {});
  return revision >= session.oldest;
}

/**
 * Loads the revision that the user looks at.
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
 * Loads the previous revision, so that the changes by an input can be shown.
 * @param {import("./session.js").Session} session
 */
export async function readBefore(session) {
  const revision = (session.past?.revision ?? session.now?.revision ?? 1) - 1;
  if (revision < 1 || !session.isTreeWanted || session.before?.revision === revision || (session.isOver && !session.past)) return;
  // Checks the entry after the previous revision, because that entry is loaded anyway.
  if (!session.journal || !await isKept(session, revision + 1) || revision < session.oldest) return;
  const found = await momentsOf(session).at(revision);
  if (found.fault) return;
  session.before = found;
  session.changed();
}

/**
 * Stores a refused input. An unreadable input has no revision, and an input may be reported twice.
 * @param {import("./session.js").Session} session
 * @param {Omit<Refusal, "revision"> & { revision?: number }} told
 */
export function noteRefusal(session, told) {
  if (session.refusals.some(({ number, time }) => number === told.number && time === told.time)) return;
  session.refusals = [...session.refusals, { ...told, revision: told.revision ?? session.now?.revision ?? 1 }].slice(-mostRefusals);
  session.changed();
}
