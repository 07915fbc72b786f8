/** @typedef {import("./protocol.js").State} State */
/**
 * A state with its entity tag, because after a crash revisions do not show which state is newer.
 * @typedef {object} Snapshot
 * @property {State} state
 * @property {string} tag In the form that conditions use.
 * @property {boolean} isReplayed Whether the response was repeated for an idempotency key; the session may have moved on since.
 */

/**
 * @param {State} state
 * @param {string | null} [tag] The received tag; if a proxy removed it, the revision replaces it.
 * @param {boolean} [isReplayed]
 * @returns {Snapshot}
 */
export function snapshotOf(state, tag, isReplayed = false) {
  return { state, tag: tag?.replace(/^W\//, "") || `"${state.revision}"`, isReplayed };
}

/**
 * The server's run, which follows the revision in the tag if a crash can take revisions back; otherwise empty.
 * @param {Snapshot} snapshot
 */
function runOf({ tag }) {
  return tag.match(/^"\d+\.([^"]+)"$/)?.[1] ?? "";
}

/**
 * Whether a state comes from another run of the server than an earlier state. Revisions of different runs cannot be compared.
 * @param {Snapshot} snapshot
 * @param {Snapshot} before
 */
export function isOfAnotherRun(snapshot, before) {
  const run = runOf(snapshot), other = runOf(before);
  return run !== "" && other !== "" && run !== other;
}
