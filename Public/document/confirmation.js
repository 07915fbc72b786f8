// A dialog that asks for confirmation, performs an action, and shows the result.
import { problem } from "../client/client.js";
import { showDialog } from "./dialog.js";
import { alertLine, element, write } from "./element.js";

/**
 * @param {object} question
 * @param {string} question.id
 * @param {string} question.title
 * @param {import("./element.js").Child[]} question.words The explanation of what will happen.
 * @param {string} question.name The label of the button that performs the action.
 * @param {boolean} [question.isDangerous]
 * @param {(signal: { value: string }) => Promise<import("./element.js").Child[]>} question.act Performs the action, and returns the content that reports the result.
 * @param {{ label: string, value: string, check: (value: string) => string }} [question.field] A field that the user must fill in first; `check` returns what is wrong with its value.
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
