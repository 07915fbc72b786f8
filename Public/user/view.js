// A user: the live sessions, what each shows, which client opened it, and what opens it.
import { ask, follow, poll, problem } from "../client/client.js";
import { age, count, element, set, shortID, write } from "../document/element.js";
import { stateInWords } from "../list/table.js";

/** @typedef {import("../list/table.js").Summary} Summary */

const interval = 2_000, mostSessions = 50;
const columns = ["Session", "App", "Opened", "Last used", "Visible", "Inputs", "State", "Client", "Access"];

/**
 * @param {import("../page.js").Page} page
 * @param {string} user
 * @returns {import("../page.js").View}
 */
export function open(page, user) {
  page.title(`User ${user}`);
  const notice = element("p", { class: "fault", role: "alert", hidden: true });
  const rows = element("tbody"), words = element("span", { class: "hint" });
  const table = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of the user's sessions", hidden: true },
    element("table", {},
      element("caption", {}, "Live sessions ", words),
      element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))), rows));
  const empty = element("p", { class: "empty", hidden: true }, "This user has no live session.");
  /** @type {Map<string, { row: HTMLElement, cells: HTMLElement[] }>} */
  const known = new Map();

  const following = follow(page, interval, async () => {
    const { sessions, next } = await poll(`/admin/sessions?subject=${encodeURIComponent(user)}&sort=id&limit=${mostSessions}`);
    show(sessions, Boolean(next));
  }, (fault) => {
    write(notice, fault);
    notice.hidden = !fault;
  });

  /** @param {Summary[]} sessions @param {boolean} hasMore */
  function show(sessions, hasMore) {
    const newest = [...sessions].sort((one, other) => Date.parse(other.used ?? "") - Date.parse(one.used ?? ""));
    const ids = new Set(newest.map(({ session }) => session));
    for (const [id, { row }] of known) {
      if (ids.has(id)) continue;
      row.remove();
      known.delete(id);
    }
    newest.forEach((session, place) => {
      const { row, cells } = known.get(session.session) ?? add(session.session);
      const texts = cellsOf(session, Date.now());
      cells.forEach((cell, column) => {
        const text = texts[column];
        if (text !== null) write(cell, text);
      });
      set(row, "data-state", session.held ? "held" : session.leaked ? "leaked" : session.hibernated ? "hibernated" : "live");
      if (rows.children[place] !== row) rows.insertBefore(row, rows.children[place] ?? null);
    });
    table.hidden = newest.length === 0;
    empty.hidden = newest.length > 0;
    write(words, `${hasMore ? `the first ${count(mostSessions)} by id` : `${count(newest.length)} in all`}, last used first`);
  }

  /** @param {string} id */
  function add(id) {
    const cells = columns.slice(1).map(() => element("bdi", { dir: "auto" }));
    const row = element("tr", { "data-session": id },
      element("td", {}, element("a", { href: `#/sessions/${encodeURIComponent(id)}`, title: id }, shortID(id))),
      ...columns.slice(1).map((column, place) => element("td", { "data-column": column }, cells[place])));
    tellClient(id, cells[columns.indexOf("Client") - 1]);
    const made = { row, cells };
    known.set(id, made);
    return made;
  }

  return {
    root: element("div", { class: "list" },
      element("h1", {}, "User ", element("bdi", { dir: "auto" }, user)), notice,
      element("div", { class: "panel" }, table, empty,
        element("p", { class: "hint" }, "The journal finds live sessions by their user. For an ended session, open its address: it says when and why it ended."))),
    close: following.close,
  };
}

/**
 * Tells which client has opened a session: the first entry of its journal says so.
 * @param {string} id @param {HTMLElement} place
 */
async function tellClient(id, place) {
  try {
    const { entries: [{ input }] } = await ask(`/admin/sessions/${encodeURIComponent(id)}/journal?limit=1`);
    write(place, input.client?.name ? [input.client.name, input.client.version].filter(Boolean).join(" ") : "not named");
  } catch (error) {
    write(place, "unknown");
    set(place, "title", problem(error).message);
  }
}

/**
 * What stands in a session's row behind its id; null for what is told elsewhere.
 * @param {Summary} session
 * @param {number} now Milliseconds since 1970.
 */
export function cellsOf(session, now) {
  const { app, created, used, visible, revision } = session;
  return [app ?? "–", created ? `${age(created, now)} ago` : "–", used ? `${age(used, now)} ago` : "–", visible ?? "–",
    revision === undefined ? "–" : count(revision), stateInWords(session), null, accessInWords(session)];
}

/** @param {Summary} session What opens it. */
export function accessInWords({ access, readers = 0 }) {
  const owner = access && { id: "its id alone", token: "its token", revoked: "no token: revoked" }[access];
  return `${owner ?? "–"}${readers ? `, ${count(readers)} for reading` : ""}`;
}
