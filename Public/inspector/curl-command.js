// An input as a command for a shell.
import { writeJSON } from "../client/exact-json.js";

/** What a client, or a backend, says of a session that it opens. */
const opening = ["app", "options", "open", "client", "subject"];
const sendable = ["event", "back", "popped", "dismissed", "select", "open"];

/**
 * The command that sends an entry's input again; null where only the server makes such an input.
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

/** @param {string} text A command, with the operator's token, which is not the page's to know. */
function operators(text) {
  return `${text} -H "Authorization: Bearer $USHER_ADMIN_TOKEN"`;
}

/** @param {any} body @param {string} address */
function command(body, address) {
  return `curl --json ${quoted(writeJSON(body))} ${quoted(address)}`;
}

/**
 * A word of a POSIX shell: between single quotes all stands for itself, but for the quote.
 * @param {string} text
 */
export function quoted(text) {
  return /^[\w:/.@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
