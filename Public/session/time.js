// Time: the journal as a line of inputs, a way back to any revision, and a fork from there.
import { ask, coalesced, problem } from "../client/client.js";
import { count, element, set, write } from "../document/element.js";
import { makeChanges } from "./changes.js";
import { makeEntry } from "./entry.js";
import { Journal, range, summary } from "./journal.js";
import { screensOf } from "./lights.js";
import { makePlayer } from "./player.js";

const reach = 12;
const about = "Drag back to rebuild the tree from the inputs up to an earlier revision.";

/**
 * @param {import("./session.js").Session} session
 * @returns {import("./view.js").Part}
 */
export function makeTime(session) {
  const journal = new Journal((after, limit) => ask(`${session.adminPath}/journal?after=${after}&limit=${limit}`));
  /** @type {HTMLInputElement} */
  const slider = element("input", { id: "revision", type: "range", title: about, min: 1, step: 1, oninput: () => session.travel(Number(slider.value)) });
  const position = element("output", { for: "revision" });
  const line = element("ol", { class: "entries", "aria-label": "Inputs" });
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const back = element("button", { type: "button", onclick: () => session.returnToNow() }, "Return to now");
  const fork = element("button", { type: "button", class: "primary", onclick: forkHere }, "Fork here");
  const changes = makeChanges();
  const entry = makeEntry(session.id, changes.root, async () => (await import("./export-dialog.js")).showExports(session, chosen()));
  let drawn = "", newest = 0, isForking = false;
  // The line has no width before it is shown, and an item that grows moves those behind it.
  const sizes = new ResizeObserver(() => reveal());
  /** @type {Map<string, HTMLElement>} The line's items, by revision or by refused input. */
  let items = new Map();
  /** @type {import("./moments.js").Refusal | null} The refused input that is looked at, in the place of a revision. */
  let refusal = null;

  const chosen = () => session.past?.revision ?? newest;

  const refresh = coalesced(async () => {
    if (newest === 0) return;
    const { first, last } = range(chosen(), newest, reach, journal.oldest);
    try {
      await journal.need(first, last);
      for (const begun of journal.unnamed(first, last)) await journal.need(begun, begun);
      say("");
    } catch (error) {
      if (!session.isOver) say(problem(error).message);
    }
    draw();
  });

  /** @param {string} message */
  function say(message) {
    write(fault, message);
    fault.hidden = !message;
  }

  async function forkHere() {
    isForking = true;
    set(fork, "disabled", true);
    try {
      const fork = await ask(`${session.adminPath}/fork`, { method: "POST", body: { revision: chosen() } });
      location.hash = `#/sessions/${encodeURIComponent(fork.session)}`;
    } catch (error) {
      say(problem(error).message);
    }
    isForking = false;
    set(fork, "disabled", session.isOver);
  }

  function draw() {
    const { first, last } = range(chosen(), newest, reach, journal.oldest);
    set(slider, "min", journal.oldest);
    const entries = [];
    for (let revision = first; revision <= last; revision++) entries.push(journal.entry(revision) ?? { revision, kind: "", input: {} });
    const refused = session.refusals.filter(({ revision }) => revision >= first && revision <= last);
    const text = [...entries.map((each) => `${each.revision}${each.kind}${each.kind && journal.nameOf(each)}`), ...refused.map(key)].join();
    let isMoved = false;
    if (text !== drawn) fill(/** @type {import("./journal.js").Entry[]} */ (entries), refused);
    drawn = text;
    if (refusal && refusal.revision !== chosen()) refusal = null;
    for (const item of line.children) {
      const isChosen = refusal ? item.getAttribute("data-refused") === key(refusal) : item.getAttribute("data-revision") === String(chosen());
      const button = /** @type {HTMLElement} */ (item.firstElementChild);
      isMoved ||= isChosen && !button.hasAttribute("aria-current");
      set(button, "aria-current", isChosen && "step");
      set(button, "disabled", session.isOver);
    }
    if (isMoved) requestAnimationFrame(reveal);
    if (refusal) {
      entry.show(refusal);
      return changes.none();
    }
    entry.update(journal.entry(chosen()), chosen());
    const [time, before] = [chosen(), chosen() - 1].map((revision) => Date.parse(journal.entry(revision)?.time ?? ""));
    changes.update(session, Number.isNaN(time - before) ? null : time - before);
  }

  /** @param {import("./moments.js").Refusal} refusal */
  function key({ number, time }) { return `${number} ${time}`; }

  /**
   * Items stay where they are, with the focus: all of them made anew would be most of a step's work.
   * @param {import("./journal.js").Entry[]} entries
   * @param {import("./moments.js").Refusal[]} refused
   */
  function fill(entries, refused) {
    const before = items;
    items = new Map();
    for (const each of entries) {
      const item = before.get(String(each.revision)) ?? entryItem(each.revision);
      tell(item, each);
      items.set(String(each.revision), item);
      for (const one of refused) if (one.revision === each.revision) items.set(key(one), before.get(key(one)) ?? refusedItem(one));
    }
    for (const [name, item] of before) {
      if (items.has(name)) continue;
      sizes.unobserve(item);
      item.remove();
    }
    [...items.values()].forEach((item, place) => {
      sizes.observe(item);
      if (line.children[place] !== item) line.insertBefore(item, line.children[place] ?? null);
    });
  }

  /** @param {number} revision */
  function entryItem(revision) {
    return element("li", { "data-revision": revision },
      element("button", { type: "button", onclick: () => look(revision, null) },
        element("span", { class: "ordinal" }, `${revision} `), element("bdi")));
  }

  /** @param {HTMLElement} item @param {import("./journal.js").Entry} entry */
  function tell(item, entry) {
    const [button] = item.children, text = button.lastElementChild;
    set(item, "data-screens", screensOf(entry));
    set(button, "data-kind", entry.kind);
    if (text) write(text, entry.kind ? summary(entry, journal.nameOf(entry)).slice(0, 60) : "…");
  }

  /** @param {import("./moments.js").Refusal} refused */
  function refusedItem(refused) {
    const what = refused.input === undefined ? "unreadable input" : summary({ kind: "input", input: refused.input }).slice(0, 60);
    return element("li", { "data-refused": key(refused), "data-screens": screensOf({ input: refused.input }) },
      element("button", { type: "button", "data-kind": "refused", title: `Refused: ${refused.detail.slice(0, 400)}`, onclick: () => look(refused.revision, refused) },
        element("span", { class: "unseen" }, "refused "), element("span", { class: "ordinal" }, `${refused.status} `), element("bdi", {}, what)));
  }

  /** @param {number} revision @param {import("./moments.js").Refusal | null} refused */
  function look(revision, refused) {
    refusal = refused;
    if (revision === chosen()) draw();
    else session.travel(revision);
  }

  /** Brings the chosen item to the middle of the line: scrolls it, and never the page. */
  function reveal() {
    const item = line.querySelector("[aria-current]")?.parentElement;
    if (item) line.scrollLeft = item.offsetLeft - line.offsetLeft - (line.clientWidth - item.offsetWidth) / 2;
  }

  sizes.observe(line);
  const root = element("section", { class: "panel time", "aria-label": "Time" });
  const player = makePlayer(session, root);
  root.append(
    element("div", { class: "slide" },
      element("h2", {}, "Time"),
      element("label", { for: "revision", class: "unseen" }, "Revision"),
      slider, position, element("div", { class: "row" }, player.root, back, fork)),
    fault, line, entry.root);
  return {
    root,
    update() {
      player.update();
      set(slider, "disabled", session.isOver || newest < 2);
      set(back, "disabled", !session.past);
      const isClosed = session.isOver || session.denial !== null || !session.now;
      set(entry.exporter, "disabled", isClosed);
      set(fork, "disabled", isClosed || isForking);
      if (!session.now) return write(position, session.isOver ? "gone" : "–");
      if (session.now.revision < newest) journal.forgetAfter(session.now.revision - 1);
      newest = session.now.revision;
      set(slider, "disabled", session.isOver || newest < 2);
      set(slider, "max", newest);
      slider.value = String(chosen());
      set(slider, "aria-valuetext", `Revision ${chosen()} of ${newest}`);
      write(position, `${count(chosen())} of ${count(newest)}`);
      draw();
      if (!session.isOver) refresh();
    },
  };
}
