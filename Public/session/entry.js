// One input of the journal: what it was, and how to send it again.
import { writeJSON } from "../client/exact-json.js";
import { bytes, element, set, shown, write } from "../document/element.js";
import { curlCommand } from "./curl-command.js";

/**
 * @param {string} session Its id.
 * @param {HTMLElement} changes What it has changed.
 * @param {() => void} exportHere
 */
export function makeEntry(session, changes, exportHere) {
  const title = element("h3", {}, "Revision –"), facts = element("p", { class: "hint facts" });
  const json = element("pre", { tabindex: 0, role: "group", "aria-label": "Input as JSON" }), command = element("pre", { tabindex: 0, role: "group", "aria-label": "Command" });
  const said = element("span", { role: "status", class: "hint" });
  const copy = element("button", { type: "button", class: "quiet", disabled: true, onclick: copyCommand }, "Copy as curl");
  const exporter = element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", disabled: true, onclick: exportHere }, "Export …");
  const root = element("div", { class: "entry" }, element("div", { class: "row" }, title, facts, said, copy, exporter), element("div", { class: "texts" }, json, changes, command));
  /** @type {import("./journal.js").Entry | import("./moments.js").Refusal | null} */
  let entry = null;

  /** An input that was refused may be sent again like one that counted. */
  const commandText = () => (entry?.input ? curlCommand({ kind: "kind" in entry ? entry.kind : "input", input: entry.input }, location.origin, session) : null);

  /** @param {string} fact @param {any} input @param {string} otherwise What is told where there is no command. */
  function tell(fact, input, otherwise) {
    const text = commandText();
    write(facts, fact);
    set(facts, "title", fact);
    json.replaceChildren(shown(input === undefined ? "" : writeJSON(input, 2), 4_000));
    command.replaceChildren(shown(text ?? otherwise, 4_000));
    copy.disabled = text === null;
    write(said, text?.includes("…") ? "… is a secret: fill it in." : "");
  }

  async function copyCommand() {
    try {
      await navigator.clipboard.writeText(commandText() ?? "");
      write(said, "Copied.");
    } catch {
      getSelection()?.selectAllChildren(command);
      write(said, "Selected: press Ctrl+C, because this page may not use the clipboard.");
    }
  }

  return {
    root,
    exporter,
    /** @param {import("./journal.js").Entry | null} next @param {number} revision Whose entry may still be asked for. */
    update(next, revision) {
      write(title, `Revision ${revision || "–"}`);
      if (next === entry) return;
      entry = next;
      copy.disabled = true;
      write(said, "");
      // What was there is taken away only once there is something else: nothing jumps meanwhile.
      if (!next) return write(facts, "…");
      const fact = `${next.kind} · ${moment(next.time)} · then ${next.visible || "no screen"} is visible · ${bytes(next.bytes)} in the journal`;
      tell(fact, next.input, "The server creates such inputs itself, so there is no command.");
    },
    /** @param {import("./moments.js").Refusal} refused An input that is no entry, for it came to nothing. */
    show(refused) {
      write(title, `Refused: ${refused.status}`);
      if (refused === entry) return;
      entry = refused;
      tell(`${refused.detail} · ${moment(refused.time)}, at revision ${refused.revision}`, refused.input, "The request could not be read as an input.");
    },
  };
}

/** @param {string} time */
function moment(time) {
  return time.replace("T", " ").replace("Z", " UTC");
}
