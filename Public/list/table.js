// The table of sessions, in the requested order; the table does not change while the pointer is on a row.
import { age, bytes, count, element, set, shortID, write } from "../document/element.js";

/**
 * A session of the list. A hibernated session has no figures, a session on hold has the reason, and a damaged session
 * has only its id.
 * @typedef {{ session: string, held?: string, cause?: string, app?: string, subject?: string, created?: string, used?: string, visible?: string, revision?: number, hibernated?: boolean, busy?: boolean, screens?: number, coordinators?: number, leaked?: number, bytes?: number, access?: string, readers?: number, endedAt?: string, reason?: string }} Summary
 */

const columns = ["Session", "App", "User", "Age", "Last used", "Visible", "Revision", "Screens", "Coordinators", "Bytes", "State"];

/** @returns {{ root: HTMLElement, update: (sessions: Summary[], isPart: boolean, words: string) => void }} */
export function makeTable() {
  const rows = element("tbody", { onpointerleave: settle });
  const order = element("span", { class: "hint" });
  const held = element("p", { class: "hint held", role: "status", "aria-label": "Changes" });
  /** @type {Parameters<typeof update>} */
  let newest = [[], false, ""];

  const isHeld = () => rows.matches(":hover, :focus-within");

  /** Shows the newest sessions when the pointer has left the rows. */
  function settle() {
    if (held.textContent && !isHeld()) update(...newest);
  }

  /** @param {Summary[]} sessions The sessions in order. @param {boolean} isPart Whether there are other pages. @param {string} words A text with the order and the number of sessions. */
  function update(sessions, isPart, words) {
    newest = [sessions, isPart, words];
    write(order, words);
    const known = new Map([...rows.children].map((row) => [row.getAttribute("data-session") ?? "", row]));
    const change = changes([...known.keys()], sessions);
    const isStill = isHeld();
    write(held, isStill ? inWords(change, isPart) : "");
    sessions.forEach((session, place) => {
      const row = known.get(session.session) ?? (isStill ? null : newRow(session.session));
      if (!row) return;
      fill(row, session);
      if (!isStill && rows.children[place] !== row) rows.insertBefore(row, rows.children[place] ?? null);
    });
    for (const id of change.gone) {
      const row = /** @type {Element} */ (known.get(id));
      if (!isStill) row.remove();
      // If there are several pages, the session may just have moved to the next page.
      else if (!isPart) markEnded(row);
    }
  }

  return {
    root: element("div", {},
      held,
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of sessions" },
        element("table", {},
          element("caption", {}, "Sessions ", order),
          element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))),
          rows))),
    update,
  };
}

/**
 * Returns how a list differs from the shown one.
 * @param {string[]} shown Ids.
 * @param {Summary[]} sessions
 */
export function changes(shown, sessions) {
  const ids = new Set(sessions.map(({ session }) => session)), old = new Set(shown);
  return { added: [...ids].filter((id) => !old.has(id)), gone: shown.filter((id) => !ids.has(id)) };
}

/** @param {{ added: string[], gone: string[] }} change @param {boolean} isPart Whether there are other pages. */
export function inWords({ added, gone }, isPart) {
  const parts = [added.length && `${count(added.length)} new`, gone.length && `${count(gone.length)} ${isPart ? "left this page" : "ended"}`].filter(Boolean);
  return parts.length ? `${parts.join(", ")}: the list changes when the pointer leaves the list.` : "";
}

/**
 * Returns the texts of a session's row, in the order of the columns after the id.
 * @param {Summary} session
 * @param {number} now Milliseconds since 1970.
 * @returns {string[]}
 */
export function cells(session, now) {
  const { app, subject, created, used, visible, revision, screens, coordinators, bytes: size } = session;
  /** @param {number | undefined} figure @param {(figure: number) => string} format */
  const known = (figure, format) => (figure === undefined ? "–" : format(figure));
  return [app ?? "–", subject ?? "–", created ? age(created, now) : "–", used ? age(used, now) : "–", visible ?? "–", known(revision, count), known(screens, count), known(coordinators, count),
    known(size, bytes), stateInWords(session)];
}

/**
 * Returns the address of a user's page.
 * @param {string} subject
 */
export function userAddress(subject) {
  return `#/users/${encodeURIComponent(subject)}`;
}

/** @param {Summary} session */
export function stateInWords({ held, hibernated, busy }) {
  return held ? `on hold: ${held.replace("-", " ")}` : hibernated ? "hibernated" : busy ? "busy" : "live";
}

/** @param {Element} row @param {Summary} session */
function fill(row, session) {
  cells(session, Date.now()).forEach((text, column) => write(row.children[column + 1].firstElementChild ?? row, text));
  const user = row.querySelector("td[data-column=User] a");
  if (user) set(user, "href", session.subject ? userAddress(session.subject) : null);
  set(row, "data-state", session.held ? "held" : session.leaked ? "leaked" : session.hibernated ? "hibernated" : "live");
  set(row, "title", session.cause ?? null);
}

/** @param {Element} row The row of a session that no longer exists. */
function markEnded(row) {
  set(row, "data-state", "ended");
  const state = row.lastElementChild?.firstElementChild;
  if (state) write(state, "ended");
}

/** @param {string} id */
function newRow(id) {
  return element("tr", { "data-session": id },
    element("td", {}, element("a", { href: `#/sessions/${encodeURIComponent(id)}`, title: id }, shortID(id))),
    ...columns.slice(1).map((column) => element("td", { "data-column": column }, element(column === "User" ? "a" : "bdi", { dir: "auto" }))));
}
