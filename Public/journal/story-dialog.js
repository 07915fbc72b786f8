// A dialog with a session's story as a text to copy.
import { problem } from "../client/client.js";
import { makeCopy } from "../document/copy.js";
import { showDialog } from "../document/dialog.js";
import { alertLine, count, element, set, write } from "../document/element.js";
import { pageSize } from "./journal.js";
import { story } from "./story.js";

/**
 * @param {import("../session/session.js").Session} session
 * @param {import("./journal.js").Journal} journal
 * @param {number} last The last revision in the story.
 */
export function showStory(session, journal, last) {
  const fault = alertLine();
  const text = element("pre", { tabindex: 0, role: "group", "aria-label": "Story" }, "Reading the journal …");
  const copy = makeCopy("Copy", () => text.textContent ?? "", text);
  const more = element("button", { type: "button", class: "quiet", hidden: true, onclick: () => tell(journal.oldest) });
  const dialog = showDialog({ id: "story", title: [`Story up to revision ${last}`], isWide: true }, fault.root, text,
    element("div", { class: "row" }, copy.button, more, copy.said),
    element("div", { class: "row" }, element("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close")));

  /** @param {number} wanted The first revision in the story. */
  async function tell(wanted) {
    set(copy.button, "disabled", true);
    set(more, "disabled", true);
    try {
      await journal.needNamed(wanted, last);
      const first = Math.max(wanted, journal.oldest), { subject, refusals } = session;
      write(text, [heading(first), ...story(journal, first, last, { user: subject, refusals }), ...ending()].join("\n"));
      more.hidden = first === journal.oldest;
      write(more, `Tell all ${count(last - journal.oldest + 1)} inputs`);
      fault.say("");
      set(copy.button, "disabled", false);
    } catch (error) {
      fault.say(problem(error).message);
    }
    set(more, "disabled", false);
  }

  /** @param {number} first */
  function heading(first) {
    const { id, app, subject } = session;
    return `Session ${id} of ${app}${subject === undefined ? "" : `, user ${subject}`}, revisions ${first} to ${last}. Times are UTC.`;
  }

  /** Returns the present state as the last sentence, if the story reaches the newest revision. */
  function ending() {
    const { now, ending } = session;
    if (!now || now.revision !== last) return [];
    if (now.ended) return [`The session ended: ${now.ended.reason}`];
    if (ending) return [ending.message];
    return now.pending.length ? [`It waits for ${now.pending.join(", ")}.`] : [];
  }

  tell(Math.max(journal.oldest, last - pageSize + 1));
}
