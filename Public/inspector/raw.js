// The input of a revision as it was sent, and a command that sends it again.
import { writeJSON } from "../client/exact-json.js";
import { makeCopy } from "../document/copy.js";
import { element, shown, write } from "../document/element.js";
import { curlCommand } from "./curl-command.js";

/**
 * @param {string} session Its id.
 * @returns {{ root: HTMLElement, update: (looked: import("../journal/journal.js").Entry | import("../session/moments.js").Refusal | null) => void }}
 */
export function makeRaw(session) {
  const json = element("pre", { tabindex: 0, role: "group", "aria-label": "Input as JSON" }), command = element("pre", { tabindex: 0, role: "group", "aria-label": "Command" });
  const { button: copy, said } = makeCopy("Copy as curl", () => commandText() ?? "", command);
  copy.disabled = true;
  /** @type {import("../journal/journal.js").Entry | import("../session/moments.js").Refusal | null} */
  let looked = null;

  /** Returns the command; refused inputs can be sent again, like accepted ones. */
  const commandText = () => (looked?.input ? curlCommand({ kind: "kind" in looked ? looked.kind : "input", input: looked.input }, location.origin, session) : null);

  return {
    root: element("div", { class: "raw" }, element("h3", {}, "Input"), json,
      element("div", { class: "row" }, element("h3", {}, "As a command"), copy, said), command),
    update(next) {
      if (next === looked) return;
      looked = next;
      copy.disabled = true;
      write(said, "");
      // Keeps the old text until there is a new one, so that the layout does not jump.
      if (!next) return;
      const text = commandText();
      json.replaceChildren(shown(next.input === undefined ? "" : writeJSON(next.input, 2), 4_000));
      command.replaceChildren(shown(text ?? ("kind" in next ? "The server creates such inputs itself, so there is no command." : "The request could not be read as an input."), 4_000));
      copy.disabled = text === null;
      write(said, text?.includes("…") ? "Replace each … with the secret that it stands for." : "");
    },
  };
}
