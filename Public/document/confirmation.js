// A dialog that asks before something is done, does it, and says what came of it.
import { problem } from "../client/client.js";
import { showDialog } from "./dialog.js";
import { alertLine, element, write } from "./element.js";

/**
 * @param {object} question
 * @param {string} question.id
 * @param {string} question.title
 * @param {import("./element.js").Child[]} question.words What happens then.
 * @param {string} question.name Of the button that does it.
 * @param {boolean} [question.isDangerous]
 * @param {(signal: { value: string }) => Promise<import("./element.js").Child[]>} question.act Does it; returns what to say.
 * @param {{ label: string, value: string, check: (value: string) => string }} [question.field] What has to be typed before; the check says what is wrong.
 */
export function askFirst({ id, title, words, name, isDangerous = false, act, field }) {
  const { root: fault, say: refuse } = alertLine(), said = element("p", { role: "status", class: "outcome" });
  const close = element("button", { type: "button", autofocus: !field, onclick: () => dialog.close() }, "Cancel");
  const go = element("button", { type: "submit", class: isDangerous ? "danger" : "primary" }, name);
  const input = field && element("input", { id: `${id}-field`, value: field.value, inputmode: "numeric", autocomplete: "off", autofocus: true });
  const dialog = showDialog({ id, title: [title] },
    element("form", { class: "filled", onsubmit: submitted }, element("p", {}, ...words),
      input && element("label", { for: `${id}-field` }, field.label), input,
      fault, said, element("div", { class: "row" }, close, go)));

  /** @param {Event} event */
  async function submitted(event) {
    event.preventDefault();
    const value = input?.value.trim() ?? "", wrong = field?.check(value) ?? "";
    refuse(wrong);
    if (wrong) return;
    go.disabled = true;
    try {
      said.replaceChildren(...(await act({ value })).filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child))));
      go.remove();
      write(close, "Close");
      close.focus();
    } catch (error) {
      refuse(problem(error).message);
      go.disabled = false;
    }
  }
}
