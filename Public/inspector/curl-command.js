// An input as a shell command.
import { writeJSON } from "../client/exact-json.js";

/** The members with which a client or a backend opens a session. */
const opening = ["app", "options", "open", "client", "subject"];
const sendable = ["event", "back", "popped", "dismissed", "select", "open"];

/**
 * Returns the command that sends an entry's input again; null if only the server creates such an input.
 * @param {Pick<import("../journal/journal.js").Entry, "kind" | "input">} entry
 * @param {string} origin
 * @param {string} session
 * @returns {string | null}
 */
export function curlCommand({ kind, input }, origin, session) {
  if (kind === "creation") {
    const members = Object.entries(input).filter(([name]) => opening.includes(name));
    return operators(command(Object.fromEntries(members), `${origin}/admin/sessions`));
  }
  if (kind === "divergence") return null;
  const isAction = sendable.some((member) => member in input);
  if (!isAction && !("message" in input)) return null;
  const id = encodeURIComponent(session);
  const place = isAction ? `${origin}/admin/sessions/${id}/events` : `${origin}/sessions/${id}/messages`;
  return operators(command(input, place));
}

/**
 * @param {string} text A command that needs the operator's token; the page does not know the token, so the command
 * contains a variable.
 */
function operators(text) {
  return `${text} -H "Authorization: Bearer $USHER_ADMIN_TOKEN"`;
}

/** @param {any} body @param {string} address */
function command(body, address) {
  return `curl --json ${quoted(writeJSON(body))} ${quoted(address)}`;
}

/**
 * Quotes a word for a POSIX shell: between single quotes, only a single quote has a meaning.
 * @param {string} text
 */
export function quoted(text) {
  return /^[\w:/.@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
