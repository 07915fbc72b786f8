// The journal of a session's page: the inputs as a table, and beside it the slider and the memory lines.
import { ask, coalesced, problem } from "../client/client.js";
import { alertLine, count, element, set, stylesheet, write } from "../document/element.js";
import { Figures } from "./figures.js";
import { whyMissed } from "./journal.js";
import { makeMemory } from "./memory.js";
import { makePlayer } from "./player.js";
import { columns, fillRow, keyOf, makeRow } from "./rows.js";
import { Search, isForAll, isRefusalFound, kinds, lowerBound } from "./search.js";
import { makeWindow } from "./window.js";

await stylesheet("/journal/journal.css");

/** @typedef {import("./rows.js").Item} Item */

const about = "Drag back to rebuild the tree from the inputs up to an earlier revision.";
/** The milliseconds that scrolling must pause before figures are requested, because the server replays for each request. */
const rest = 150;

/**
 * @param {import("../session/session.js").Session} session
 * @param {import("./journal.js").Journal} journal
 * @returns {import("../session/view.js").Part}
 */
export function makeJournal(session, journal) {
  const figures = new Figures((after, revision) => ask(`${session.adminPath}/history?after=${after}&revision=${revision}&points=2000`));
  /** @type {HTMLInputElement} */
  const slider = element("input", { id: "revision", type: "range", title: about, min: 1, step: 1, oninput: () => session.travel(Number(slider.value)) });
  const position = element("output", { for: "revision" });
  const { root: fault, say } = alertLine(), missing = alertLine();
  const back = button("Return to now", () => session.returnToNow());
  const fork = button("Fork here", forkHere);
  const exporter = button("Export …", async () => (await import("../session/export-dialog.js")).showExports(session, session.chosen));
  const teller = button("Story …", async () => (await import("./story-dialog.js")).showStory(session, journal, session.chosen));
  for (const each of [exporter, teller]) set(each, "aria-haspopup", "dialog");
  const memory = makeMemory();
  const table = makeWindow("Inputs", columns, (/** @type {Item} */ item) => makeRow(item, () => choose(item)), fill, seen);
  const search = new Search(journal, draw), filter = makeFilter(begin, go);
  const root = element("section", { class: "panel journal", "aria-label": "Journal" });
  const player = makePlayer(session, root);
  let newest = 0, isForking = false, shown = "", waiting = 0;
  /** @type {import("../session/session.js").Sample[]} */
  let noted = [];

  const read = coalesced(async () => {
    const wasKnown = journal.entry(session.chosen) !== null;
    try {
      for (const { first, last } of stretches()) await journal.needNamed(first, last);
      say("");
    } catch (error) {
      if (!session.isOver) say(problem(error).message);
    }
    // Redraws, because the inspector shows the entry, too.
    if (wasKnown || !journal.entry(session.chosen)) draw();
    else session.changed();
  });

  const readFigures = coalesced(async () => {
    try {
      for (const { first, last } of stretches()) await figures.need(first, last, journal.oldest);
      draw();
    } catch {
      // A session that cannot be replayed has no figures; other parts of the page report the reason.
    }
  });

  /** @param {string} text @param {() => void} act */
  function button(text, act) {
    return element("button", { type: "button", onclick: act }, text);
  }

  /** Returns the revisions in view as ranges; without a filter, as one range. */
  function stretches() {
    const { first, last } = table.inView, { at } = rows();
    const revisions = [];
    for (let place = first; place < last; place++) revisions.push(at(place).revision);
    if (session.chosen) revisions.push(session.chosen);
    /** @type {{ first: number, last: number }[]} */
    const found = [];
    for (const revision of [...new Set(revisions)].sort((one, other) => one - other)) {
      const end = found.at(-1);
      if (end && revision === end.last + 1) end.last = revision;
      else found.push({ first: revision, last: revision });
    }
    return found;
  }

  /** Returns the rows; a refused input comes after the revision at which it was refused. */
  function rows() {
    const { filter } = search;
    const refused = session.refusals.filter((each) => each.revision <= newest && isRefusalFound(each, filter))
      .sort((one, other) => one.revision - other.revision);
    const isWhole = isForAll(filter), { found } = search, before = journal.oldest - 1;
    const size = isWhole ? Math.max(0, newest - before) : found.length;
    /** @param {number} revision Returns the number of rows up to this revision, without refused inputs. */
    const upTo = (revision) => (isWhole ? Math.max(0, revision - before) : lowerBound(found, revision + 1));
    const places = refused.map(({ revision }, order) => upTo(revision) + order);
    /** @param {number} place @returns {Item} */
    const at = (place) => {
      const order = lowerBound(places, place);
      if (places[order] === place) return { revision: refused[order].revision, refusal: refused[order] };
      const index = place - order;
      return { revision: isWhole ? index + 1 + before : found[index], refusal: null };
    };
    return { size: size + refused.length, at, key: keyOf, placeOf: (/** @type {number} */ revision) => {
      const index = upTo(revision) - 1;
      return index + places.filter((place, order) => place - order <= index).length;
    } };
  }

  /** @param {HTMLTableRowElement} row @param {Item} item */
  function fill(row, item) {
    const isChosen = session.refusal ? item.refusal === session.refusal : !item.refusal && item.revision === session.chosen;
    const { pin } = session, isPinned = !item.refusal && pin?.session === session.id && pin.revision === item.revision;
    fillRow(row, item, journal, figures, { isChosen, isPinned, isDisabled: session.isOver });
  }

  function seen() {
    if (!newest || session.isOver) return;
    read();
    clearTimeout(waiting);
    waiting = window.setTimeout(readFigures, rest);
  }

  /** @param {Item} item */
  function choose({ revision, refusal }) {
    if (!session.isOver) session.lookAt(revision, refusal);
  }

  /** @param {import("./search.js").Filter} filter */
  function begin(filter) {
    search.begin(filter, newest);
    draw();
    table.reveal(rows().placeOf(session.chosen));
    seen();
  }

  /** @param {number} revision */
  function go(revision) {
    if (newest) session.travel(revision);
  }

  /** Says which revision is shown instead of the requested one, which does not exist. */
  function tellMissing() {
    missing.say(session.missed === null ? "" : whyMissed(session.missed, journal.oldest, newest));
  }

  async function forkHere() {
    isForking = true;
    set(fork, "disabled", true);
    try {
      const fork = await ask(`${session.adminPath}/fork`, { method: "POST", body: { revision: session.chosen } });
      location.hash = `#/sessions/${encodeURIComponent(fork.session)}`;
    } catch (error) {
      say(problem(error).message);
    }
    isForking = false;
    set(fork, "disabled", session.isOver);
  }

  function draw() {
    table.update(rows());
    filter.tell(search, rows().size, session.refusals.length);
  }

  root.append(
    element("div", { class: "slide" },
      element("h2", {}, "Journal"), position,
      element("div", { class: "row" }, player.root, back, fork, teller, exporter),
      element("label", { for: "revision", class: "unseen" }, "Revision"), slider),
    memory.root, filter.root, missing.root, fault, table.root);

  return {
    root,
    update() {
      player.update();
      memory.update(session);
      const isClosed = session.isOver || session.denial !== null || !session.now;
      set(teller, "disabled", session.denial !== null || !session.now);
      for (const each of [exporter, fork]) set(each, "disabled", isClosed || (each === fork && isForking));
      set(back, "disabled", !session.past);
      set(slider, "disabled", session.isOver || (session.now?.revision ?? 0) <= journal.oldest);
      filter.disable(session.isOver);
      if (!session.now) return write(position, session.isOver ? "gone" : "–");
      const known = newest, isNew = session.now.revision !== known;
      newest = session.now.revision;
      if (newest < known) {
        figures.forgetAfter(newest - 1);
        journal.forgetAfter(newest - 1);
        search.begin(search.filter, newest);
      }
      // Adds the newest sample, or all samples if they were loaded at once.
      figures.note(session.samples === noted ? noted.slice(-1) : session.samples);
      noted = session.samples;
      set(slider, "min", journal.oldest);
      set(slider, "max", newest);
      slider.value = String(session.chosen);
      set(slider, "aria-valuetext", `Revision ${session.chosen} of ${newest}`);
      write(position, `${count(session.chosen)} of ${count(newest)}`);
      if (isNew) search.extend(newest);
      tellMissing();
      draw();
      const place = `${session.chosen} ${session.refusal?.number ?? ""} ${isNew && !session.past ? newest : ""}`;
      if (place !== shown) {
        const { placeOf } = rows();
        table.reveal(placeOf(session.chosen) + (session.refusal ? 1 : 0));
      }
      shown = place;
      if (isNew) seen();
    },
  };
}

/**
 * Creates the controls for filtering and for jumping to a revision.
 * @param {(filter: import("./search.js").Filter) => void} changed
 * @param {(revision: number) => void} go
 */
function makeFilter(changed, go) {
  const text = element("input", {
    id: "inputs-text", type: "search", placeholder: "event, screen, effect, payload", "aria-label": "Find inputs", spellcheck: "false",
    autocapitalize: "off", autocomplete: "off", oninput: tell,
  });
  const kind = element("select", { id: "inputs-kind", "aria-label": "Kind of inputs", oninput: tell },
    ...Object.entries(kinds).map(([value, name]) => element("option", { value }, name)));
  const number = element("input", { id: "inputs-go", inputmode: "numeric", "aria-label": "Go to revision", placeholder: "go to #", title: "The number of a revision", autocomplete: "off", pattern: "[0-9]*" });
  const jump = element("button", { type: "submit", class: "quiet" }, "Go");
  const found = element("span", { class: "hint", role: "status", "aria-label": "Found inputs" });
  let timer = 0;

  function tell() {
    clearTimeout(timer);
    timer = window.setTimeout(() => changed({ text: text.value, kind: /** @type {import("./search.js").Kind} */ (kind.value) }), 150);
  }

  /** @param {Event} event */
  function submitted(event) {
    event.preventDefault();
    if (/^\d+$/.test(number.value.trim())) go(Number(number.value));
  }

  return {
    root: element("form", { class: "row sieve", role: "search", "aria-label": "Inputs", onsubmit: submitted }, text, kind, number, jump, found),
    /** @param {boolean} isOver */
    disable(isOver) { for (const each of [text, kind, number, jump]) set(each, "disabled", isOver); },
    /** @param {Search} search @param {number} size The number of rows. @param {number} refusals The number of known refused inputs. */
    tell(search, size, refusals) {
      const { searched, all } = search.extent;
      write(found, isForAll(search.filter) ? "" : search.fault || (search.filter.kind === "refused" ? `${count(size)} found; inputs refused since the session entered memory: ${count(refusals)}`
        : `${count(size)} found${search.isDone ? "" : `, ${count(searched)} of ${count(all)} searched …`}`));
    },
  };
}
