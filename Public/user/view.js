// A user: the live sessions with their screens, clients and credentials, and the ended sessions.
import { ask, follow, poll, problem } from "../client/client.js";
import { age, alertLine, clientInWords, count, element, set, shortID, write } from "../document/element.js";
import { stateInWords } from "../list/table.js";

/** @typedef {import("../list/table.js").Summary} Summary */
/** @typedef {{ sessions: Summary[], next?: string, total?: { count: number } }} Answer */

const interval = 2_000, mostSessions = 50;
/** After this many milliseconds the ended sessions are requested again: a session may have begun and ended in between. */
const rest = 60_000;
const columns = ["Session", "App", "Opened", "Last used", "Visible", "Inputs", "State", "Client", "Access"];
const columnsOfEnded = ["Session", "App", "Opened", "Ended", "Inputs"];

/**
 * @param {import("../page.js").Page} page
 * @param {string} user
 * @returns {import("../page.js").View}
 */
export function open(page, user) {
  page.title(`User ${user}`);
  const notice = alertLine();
  const live = table("Live sessions", columns, (id, cells) => tellClient(id, cells[columns.indexOf("Client") - 1]));
  const ended = table("Ended sessions", columnsOfEnded);
  const empty = element("p", { class: "empty", hidden: true }, "This user has no live session.");

  const path = `/admin/sessions?subject=${encodeURIComponent(user)}&limit=${mostSessions}`;
  /** The live sessions, and the time, at the last request for the ended sessions. */
  let before = "", asked = 0;
  /** @type {Answer} */
  let ofEnded = { sessions: [] };

  const following = follow(page, interval, async () => {
    const ofLive = await poll(path), now = Date.now();
    live.show(newestFirst(ofLive.sessions, "used"), `${extent(ofLive)}, last used first`, (session) => cellsOf(session, now));
    empty.hidden = ofLive.sessions.length > 0;
    const alive = namesOf(ofLive);
    if (alive !== before || now - asked > rest) {
      ofEnded = await poll(`${path}&state=ended`);
      [before, asked] = [alive, now];
    }
    ended.show(newestFirst(ofEnded.sessions, "endedAt"), `${extent(ofEnded)}, last ended first`, (session) => cellsOfEnded(session, now));
  }, (fault) => {
    notice.say(fault);
  });

  return {
    root: element("div", { class: "list" },
      element("h1", {}, "User ", element("bdi", { dir: "auto" }, user)), notice.root,
      element("div", { class: "panel" }, live.root, empty, ended.root)),
    close: following.close,
  };
}

/**
 * Creates a table of sessions, which is hidden while it is empty.
 * @param {string} caption @param {string[]} columns the first column links to the session
 * @param {(id: string, cells: HTMLElement[]) => void} [added] Called for each new row.
 */
function table(caption, columns, added = () => {}) {
  const rows = element("tbody"), words = element("span", { class: "hint" });
  const root = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table of the user's ${caption.toLowerCase()}`, hidden: true },
    element("table", {},
      element("caption", {}, caption, " ", words),
      element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))), rows));
  /** @type {Map<string, { row: HTMLElement, cells: HTMLElement[] }>} */
  const known = new Map();

  /** @param {string} id */
  function add(id) {
    const cells = columns.slice(1).map(() => element("bdi", { dir: "auto" }));
    const row = element("tr", { "data-session": id },
      element("td", {}, element("a", { href: `#/sessions/${encodeURIComponent(id)}`, title: id }, shortID(id))),
      ...columns.slice(1).map((column, place) => element("td", { "data-column": column }, cells[place])));
    added(id, cells);
    const made = { row, cells };
    known.set(id, made);
    return made;
  }

  return {
    root,
    /** @param {Summary[]} sessions in their order @param {string} extent @param {(session: Summary) => (string | null)[]} texts of the cells; null leaves a cell as it is */
    show(sessions, extent, texts) {
      const ids = new Set(sessions.map(({ session }) => session));
      for (const [id, { row }] of known) {
        if (ids.has(id)) continue;
        row.remove();
        known.delete(id);
      }
      sessions.forEach((session, place) => {
        const { row, cells } = known.get(session.session) ?? add(session.session);
        texts(session).forEach((text, column) => {
          if (text !== null) write(cells[column], text);
        });
        set(row, "data-state", session.endedAt ? "ended" : session.held ? "held" : session.leaked ? "leaked" : session.hibernated ? "hibernated" : "live");
        if (rows.children[place] !== row) rows.insertBefore(row, rows.children[place] ?? null);
      });
      root.hidden = sessions.length === 0;
      write(words, extent);
    },
  };
}

/** @param {Answer} answer */
function namesOf({ sessions, total }) {
  return [total?.count, ...sessions.map(({ session }) => session)].join();
}

/** @param {Answer} answer */
function extent({ sessions, next }) {
  return next ? `the first ${count(mostSessions)} by id` : `${count(sessions.length)} in all`;
}

/** @param {Summary[]} sessions @param {"used" | "endedAt"} time */
function newestFirst(sessions, time) {
  return [...sessions].sort((one, other) => Date.parse(other[time] ?? "") - Date.parse(one[time] ?? ""));
}

/**
 * Shows which client has opened a session, according to the first entry of its journal.
 * @param {string} id @param {HTMLElement} place
 */
async function tellClient(id, place) {
  try {
    const { entries: [{ input }] } = await ask(`/admin/sessions/${encodeURIComponent(id)}/journal?limit=1`);
    write(place, clientInWords(input.client) || "not named");
  } catch (error) {
    write(place, "unknown");
    set(place, "title", problem(error).message);
  }
}

/**
 * Returns the texts of a session's row after the id; null for cells that are filled elsewhere.
 * @param {Summary} session
 * @param {number} now Milliseconds since 1970.
 */
export function cellsOf(session, now) {
  const { app, created, used, visible, revision } = session;
  return [app ?? "–", created ? `${age(created, now)} ago` : "–", used ? `${age(used, now)} ago` : "–", visible ?? "–",
    revision === undefined ? "–" : count(revision), stateInWords(session), null, accessInWords(session)];
}

/**
 * Returns the cells of an ended session after the id.
 * @param {Summary} session
 * @param {number} now Milliseconds since 1970.
 */
export function cellsOfEnded({ app, created, endedAt, reason, revision }, now) {
  return [app ?? "–", created ? `${age(created, now)} ago` : "–", endedAt ? `${reason} ${age(endedAt, now)} ago` : "–", revision === undefined ? "–" : count(revision)];
}

/** @param {Summary} session Describes the credential that opens the session. */
export function accessInWords({ access, readers = 0 }) {
  const owner = access && { id: "its id alone", token: "its token", revoked: "no token: revoked" }[access];
  return `${owner ?? "–"}${readers ? `, ${count(readers)} for reading` : ""}`;
}
