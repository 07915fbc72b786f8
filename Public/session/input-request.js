// The request that sends any input.
import { Verbatim, readJSON } from "../client/exact-json.js";

/** @typedef {"input" | "link" | "message"} Kind */

/**
 * Creates the request for an input, with the text as it was typed, so that no digit is lost.
 * @param {Kind} kind
 * @param {string} text
 * @param {{ id: string, adminPath: string, tag: string | null }} session
 * @param {string} revision The only revision at which the input is accepted; empty for any revision.
 * @returns {{ path: string, body: any, headers: Record<string, string> }}
 * @throws {SyntaxError} If the text is not JSON.
 */
export function request(kind, text, session, revision) {
  readJSON(text);
  /** @type {Record<string, string>} */
  const headers = revision ? { "If-Match": tagOf(revision, session.tag) } : {};
  const value = new Verbatim(text.trim());
  if (kind === "message") return { path: `/sessions/${encodeURIComponent(session.id)}/messages`, body: { message: value }, headers };
  return { path: `${session.adminPath}/events`, body: kind === "link" ? { open: value } : value, headers };
}

/**
 * Returns the entity tag of a revision; if a crash can undo revisions, the tag has the same epoch as the newest tag.
 * @param {string} revision
 * @param {string | null} newest
 */
function tagOf(revision, newest) {
  return (newest ?? '"0"').replace(/^"\d+/, `"${revision}`);
}
