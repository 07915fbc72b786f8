// The sessions of a server: a table that is kept up to date, counts that prove that memory is reclaimed, and a form
// that opens a session.
import { follow, poll } from "../client/client.js";
import { alertLine, clockTime, count, element, set, write } from "../document/element.js";
import { hashOf, isAskable, isForAll, makeFilter, orderOf, orders, pathOf, readFilter, totalInWords } from "./filter.js";
import { openForm } from "./open-form.js";
import { makeTable } from "./table.js";

/** @typedef {{ live: number, created: number, finished: number, leaked: number }} Counts The coordinators of the server's process since its start. */

const interval = 2_000, pageSize = 100;

/**
 * @param {import("../page.js").Page} page
 * @returns {import("../page.js").View}
 */
export function open(page) {
  page.title("Sessions");
  const notice = alertLine();
  const table = makeTable();
  let filter = readFilter(location.hash);
  const controls = makeFilter(filter, (chosen) => {
    filter = chosen;
    // Replaces the history entry, so that "back" leaves the list instead of undoing filters.
    history.replaceState(null, "", hashOf(filter));
    turn("");
  });
  const next = element("button", { type: "button", class: "quiet", hidden: true, onclick: () => turn(last) }, "Next page");
  const first = element("button", { type: "button", class: "quiet", hidden: true, onclick: () => turn("") }, "First page");
  const empty = element("p", { class: "empty", hidden: true });
  const proof = makeProof();
  const leaving = new AbortController();
  let after = "", last = "", known = 0;

  const following = follow(page, interval, async () => {
    if (!isAskable(filter)) return showNone();
    const asked = pathOf(filter, after, pageSize);
    const answer = await poll(asked);
    if (asked !== pathOf(filter, after, pageSize)) return;
    if (after && answer.sessions.length === 0 && !answer.next) return turn("");
    show(answer);
    known = Date.now();
  }, (fault) => {
    notice.say(fault && known ? `${fault} The values below are from ${clockTime(known)}.` : fault);
  });

  /** @param {{ sessions: import("./table.js").Summary[], next?: string, total: { count: number, of: string }, live: number, awake: number, coordinators: Counts }} answer */
  function show(answer) {
    last = answer.next ? new URL(answer.next, location.origin).searchParams.get("after") ?? "" : "";
    next.hidden = !last;
    first.hidden = !after;
    empty.hidden = answer.sessions.length > 0;
    write(empty, last ? "No session on this page matches. The next page may have some."
      : isForAll(filter) ? "No session yet. Open one to run its navigation on this server." : filter.visible ? "No session in memory shows such a screen. Sessions at rest show none until their next use."
      : "No session matches.");
    const order = orders[/** @type {keyof typeof orders} */ (orderOf(filter))];
    table.update(answer.sessions, Boolean(last || after), `${filter.subject ? `of ${filter.subject}, ` : ""}${order}, ${totalInWords(answer.total, filter, answer.awake)}`);
    proof.update(answer);
  }

  /** Shows no rows instead of rows that do not match the filter. */
  function showNone() {
    table.update([], false, "");
    empty.hidden = next.hidden = first.hidden = true;
  }

  /** @param {string} start The cursor of the page. */
  function turn(start) {
    after = start;
    following.refresh();
  }

  return {
    root: element("div", { class: "list" },
      element("div", { class: "row heads" }, element("h1", {}, "Sessions"),
        element("span", { class: "row" }, element("a", { href: "#/import" }, "Import"), element("a", { href: "#/server" }, "Server: alerts and crashes"))),
      proof.root,
      notice.root,
      element("div", { class: "columns" },
        element("div", { class: "panel" }, controls.root, table.root, empty, element("p", { class: "row" }, first, next)),
        openForm(leaving.signal, controls.offer))),
    close() {
      following.close();
      leaving.abort();
    },
  };
}

const explanations = { created: "started", live: "in memory now", finished: "gone from their trees", rest: "", leaked: "finished, but still in memory" };

/** Shows a short introduction for newcomers, and the counts of coordinators that prove its claim. */
function makeProof() {
  const figures = /** @type {Record<keyof typeof explanations, HTMLElement>} */ (
    Object.fromEntries(Object.keys(explanations).map((name) => [name, element("dd", {}, "–")])));
  const name = element("dt", {}, "at rest");
  const place = element("div", { "data-figure": "rest", "data-sign": "+" }, name, figures.rest);
  const scope = element("p", { class: "hint" }), meaning = element("p", { class: "hint" });
  /** @param {keyof Counts} figure @param {string | null} sign */
  const box = (figure, sign) => element("div", { "data-figure": figure, "data-sign": sign, title: explanations[figure] },
    element("dt", {}, figure), figures[figure]);
  return {
    root: element("section", { class: "panel about", "aria-labelledby": "about" },
      element("div", {},
        element("h2", { id: "about" }, "What is this?"),
        element("p", {}, "An app's navigation, run on the server. Each session holds a tree of ", element("em", {}, "coordinators"),
          ". Each coordinator owns a few screens, and starts other coordinators for sub-flows. You send an event, the tree handles it, and the answer is the new stack of screens."),
        element("p", {}, "When a flow is done, its coordinator finishes, and the coordinator's memory is reclaimed at once. The counters show it: “leaked” counts the coordinators that have finished and are still in memory.")),
      element("div", { class: "proof" },
        element("dl", { class: "figures equation", "aria-label": "Coordinators of this server since it began" },
          box("created", null), box("live", "="), box("finished", "+"), place, box("leaked", null)),
        meaning, scope)),
    /** @param {{ coordinators: Counts, live: number, awake: number }} answer The counts, the number of live sessions, and how many of them are in memory. */
    update({ coordinators, live, awake }) {
      const balance = balanced(coordinators);
      for (const figure of /** @type {(keyof Counts)[]} */ (["created", "live", "finished", "leaked"])) write(figures[figure], count(coordinators[figure]));
      write(figures.rest, count(balance.count));
      write(name, balance.name);
      set(place, "data-sign", balance.sign);
      write(meaning, balance.meaning);
      write(scope, `Counted since this server's process began. Sessions: ${count(live)}, ${count(Math.min(live, awake))} of them in memory.`);
      figures.leaked.parentElement?.toggleAttribute("data-alarm", coordinators.leaked > 0);
    },
  };
}

/**
 * Returns the counts that balance the equation: a process counts only what it has started and ended, but coordinators may also
 * hibernate in the journal, or have started before the process.
 * @param {Counts} counts
 */
export function balanced({ created, live, finished }) {
  const rest = created - live - finished;
  return rest < 0
    ? { name: "from before", sign: "−", count: -rest, meaning: "An earlier process started the coordinators “from before”. This process has rebuilt them from the journal." }
    : { name: "at rest", sign: "+", count: rest, meaning: "Coordinators “at rest” have left memory, because their sessions hibernate in the journal." };
}
