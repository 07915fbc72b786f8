// The sessions of a server: a table that follows it, and a form that opens one.
import { ask, coalesced, needsToken, problem } from "../client/client.js";
import { element, set, write } from "../document/element.js";
import { age, bytes, count, shortID } from "../document/format.js";
import { openForm } from "./open-form.js";

/**
 * A session of the list; one that is hibernated has no figures, one that is damaged only an id.
 * @typedef {{ session: string, damaged?: boolean, app?: string, created?: string, revision?: number, hibernated?: boolean, screens?: number, coordinators?: number, leaked?: number, bytes?: number }} Summary
 */

const interval = 2_000, pageSize = 100;
const columns = ["Session", "App", "Age", "Revision", "Screens", "Coordinators", "Bytes", "State"];

/**
 * @param {import("../page.js").Page} page
 * @returns {import("../page.js").View}
 */
export function open(page) {
  page.title("Sessions");
  const notice = element("p", { class: "fault", role: "alert", hidden: true });
  const rows = element("tbody");
  const next = element("button", { type: "button", class: "quiet", hidden: true, onclick: () => turn(last) }, "Next page");
  const first = element("button", { type: "button", class: "quiet", hidden: true, onclick: () => turn("") }, "First page");
  const empty = element("p", { class: "empty", hidden: true }, "No session yet: open one, and its navigation runs on this server.");
  const about = explanation();
  const leaving = new AbortController();
  let after = "", last = "", waiting = 0, isClosed = false;

  const refresh = coalesced(async () => {
    try {
      const answer = await ask(`/admin/sessions?limit=${pageSize}${after && `&after=${after}`}`);
      page.connection("live");
      notice.hidden = true;
      last = answer.sessions.at(-1)?.session ?? "";
      next.hidden = !answer.next;
      first.hidden = !after;
      empty.hidden = answer.sessions.length > 0;
      fill(rows, answer.sessions, end);
      about.update(answer.coordinators, answer.live);
    } catch (error) {
      const fault = problem(error);
      page.connection(fault.isUnreachable ? "server unreachable" : "live");
      if (needsToken(fault)) {
        // The page shows this view anew once the browser has logged in.
        isClosed = true;
        return page.askToLogIn();
      }
      write(notice, fault.message);
      notice.hidden = false;
    }
  });

  /** @param {string} start */
  function turn(start) {
    after = start;
    refresh();
  }

  /** @param {string} id */
  async function end(id) {
    try {
      await ask(`/sessions/${id}`, { method: "DELETE" });
    } catch (error) {
      const fault = problem(error);
      if (!fault.isGone) write(notice, fault.message);
      notice.hidden = fault.isGone;
    }
    refresh();
  }

  async function follow() {
    await refresh();
    clearTimeout(waiting);
    if (!isClosed && !document.hidden) waiting = window.setTimeout(follow, interval);
  }
  /** Nobody looks at a hidden page, so it asks for nothing; once it is looked at again, it is to be right. */
  function look() {
    clearTimeout(waiting);
    if (!document.hidden) follow();
  }
  document.addEventListener("visibilitychange", look);
  follow();

  return {
    root: element("div", { class: "list" },
      element("h1", {}, "Sessions"),
      about.root,
      notice,
      element("div", { class: "columns" },
        element("div", { class: "panel" },
          element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of sessions" },
            element("table", {},
              element("caption", {}, "Sessions"),
              element("thead", {}, element("tr", {},
                ...columns.map((name) => element("th", { scope: "col" }, name)),
                element("th", { scope: "col" }, element("span", { class: "unseen" }, "End")))),
              rows)),
          empty,
          element("p", { class: "row" }, first, next)),
        openForm(leaving.signal))),
    close() {
      isClosed = true;
      leaving.abort();
      clearTimeout(waiting);
      document.removeEventListener("visibilitychange", look);
    },
  };
}

/**
 * Brings the rows up to date without making one anew, so that focus and selection stay.
 * @param {HTMLElement} rows
 * @param {Summary[]} sessions
 * @param {(id: string) => void} end
 */
function fill(rows, sessions, end) {
  const known = new Map([...rows.children].map((row) => [row.getAttribute("data-session"), row]));
  sessions.forEach((session, place) => {
    const row = known.get(session.session) ?? newRow(session.session, end);
    known.delete(session.session);
    cells(session, Date.now()).forEach((text, column) => write(row.children[column + 1].firstElementChild ?? row, text));
    set(row, "data-state", session.leaked ? "leaked" : session.hibernated || session.damaged ? "hibernated" : "live");
    if (rows.children[place] !== row) rows.insertBefore(row, rows.children[place] ?? null);
  });
  for (const row of known.values()) row.remove();
}

/**
 * What stands in a session's row, in the order of the columns after its id.
 * @param {Summary} session
 * @param {number} now Milliseconds since 1970.
 * @returns {string[]}
 */
export function cells({ damaged, app, created, revision, hibernated, screens, coordinators, bytes: size }, now) {
  /** @param {number | undefined} figure @param {(figure: number) => string} format */
  const known = (figure, format) => (figure === undefined ? "–" : format(figure));
  return [app ?? "–", created ? age(created, now) : "–", known(revision, count), known(screens, count), known(coordinators, count),
    known(size, bytes), damaged ? "damaged" : hibernated ? "hibernated" : "live"];
}

/**
 * @param {string} id
 * @param {(id: string) => void} end
 */
function newRow(id, end) {
  const name = shortID(id);
  return element("tr", { "data-session": id },
    element("td", {}, element("a", { href: `#/sessions/${encodeURIComponent(id)}`, title: id }, name)),
    ...columns.slice(1).map((column) => element("td", { "data-column": column }, element("bdi"))),
    element("td", {}, element("button", {
      type: "button", class: "quiet", "aria-label": `End session ${name}`, onclick: () => end(id),
    }, "End")));
}

/** What a newcomer has to know, in short, and the counts of all sessions that prove it. */
function explanation() {
  const figures = Object.fromEntries(["live", "created", "finished", "leaked"].map((name) => [name, element("dd", {}, "–")]));
  return {
    root: element("section", { class: "panel about", "aria-labelledby": "about" },
      element("div", {},
        element("h2", { id: "about" }, "What is this?"),
        element("p", {}, "An app's navigation, run on the server. Each session holds a tree of ", element("em", {}, "coordinators"),
          ": each one owns a few screens and starts others for its sub-flows. You send an event, the tree handles it, and the answer is the new stack of screens."),
        element("p", {}, "When a flow is done, its coordinator finishes and its memory is given back at once. The figures count it: created = live + finished, and leaked stays 0.")),
      element("dl", { class: "figures", "aria-label": "Coordinators of all sessions" },
        ...Object.entries(figures).map(([name, figure]) =>
          element("div", { "data-figure": name }, element("dt", {}, name), figure)))),
    /** @param {import("../session/session.js").Counts} counts @param {number} sessions */
    update(counts, sessions) {
      for (const [name, figure] of Object.entries(figures)) write(figure, count(counts[/** @type {keyof typeof counts} */ (name)] ?? 0));
      for (const figure of Object.values(figures)) figure.title = `of ${count(sessions)} sessions`;
      figures.leaked.parentElement?.toggleAttribute("data-alarm", counts.leaked > 0);
    },
  };
}
