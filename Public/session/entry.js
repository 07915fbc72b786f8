// One input of the journal: what it was, and how to send it again.
import { writeJSON } from "../client/exact-json.js";
import { element, shown, write } from "../document/element.js";
import { bytes } from "../document/format.js";
import { curlCommand } from "./curl-command.js";

/** @param {string} session Its id. */
export function makeEntry(session) {
  const title = element("h3"), facts = element("p", { class: "hint" });
  const json = element("pre", { tabindex: 0, "aria-label": "Input as JSON" }), command = element("pre", { tabindex: 0, "aria-label": "Command" });
  const said = element("span", { role: "status", class: "hint" });
  const copy = element("button", { type: "button", class: "quiet", onclick: copyCommand }, "Copy as curl");
  const root = element("div", { class: "entry", hidden: true }, title, facts, json, element("div", { class: "row" }, copy, said), command);
  /** @type {import("./journal.js").Entry | null} */
  let entry = null;

  const commandText = () => (entry ? curlCommand(entry, location.origin, session) : null);

  async function copyCommand() {
    try {
      await navigator.clipboard.writeText(commandText() ?? "");
      write(said, "Copied.");
    } catch {
      getSelection()?.selectAllChildren(command);
      write(said, "Select and copy it yourself: this browser keeps its clipboard closed here.");
    }
  }

  return {
    root,
    /** @param {import("./journal.js").Entry | null} next */
    update(next) {
      if (next === entry) return;
      entry = next;
      root.hidden = !entry;
      if (!entry) return;
      const text = commandText();
      write(title, `Revision ${entry.revision}`);
      write(facts, `${entry.kind} · ${entry.time.replace("T", " ").replace("Z", " UTC")} · then ${entry.visible || "no screen"} is visible · ${bytes(entry.bytes)} in the journal`);
      json.replaceChildren(shown(writeJSON(entry.input, 2), 4_000));
      command.replaceChildren(shown(text ?? "The server makes such an input itself; there is no command for it.", 4_000));
      copy.disabled = text === null;
      write(said, text?.includes("…") ? "Where … stands, a secret has to be filled in." : "");
    },
  };
}
