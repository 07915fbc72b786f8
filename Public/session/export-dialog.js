// A dialog with a session as a script, as a test, and as JSON from which the session can be opened again.
import { problem, read } from "../client/client.js";
import { makeCopy } from "../document/copy.js";
import { showDialog } from "../document/dialog.js";
import { alertLine, element, set, shown, write } from "../document/element.js";

const forms = { curl: ["Script for curl", "sh"], swift: ["Test in Swift", "swift"], json: ["JSON", "json"] };
/** @typedef {keyof typeof forms} Form */

/**
 * Shows the exports of a session.
 * @param {import("./session.js").Session} session
 * @param {number} revision The last revision in the exports.
 */
export function showExports(session, revision) {
  const { root: fault, say: refuse } = alertLine();
  const text = element("pre", { tabindex: 0, role: "group", "aria-label": "Export" });
  const buttons = Object.entries(forms).map(([form, [name]]) =>
    element("button", { type: "button", onclick: () => show(/** @type {Form} */ (form)) }, name));
  const { button: copy, said } = makeCopy("Copy", () => whole, text);
  const save = element("a", {}, "Download");
  const dialog = showDialog({ id: "export", title: [`Export up to revision ${revision}`], isWide: true },
    element("div", { class: "row", role: "group", "aria-label": "Form" }, ...buttons), fault, text,
    element("div", { class: "row" }, copy, save, said),
    element("div", { class: "row" }, element("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close"),
      element("a", { href: "#/import" }, "Open a session from exported JSON")));
  let whole = "", asked = "";

  /** @param {Form} form */
  async function show(form) {
    const path = `${session.adminPath}/export?as=${form}&revision=${revision}`;
    Object.keys(forms).forEach((each, place) => set(buttons[place], "aria-pressed", String(each === form)));
    set(save, "href", path);
    set(save, "download", `${session.id.slice(0, 8)}-${revision}.${forms[form][1]}`);
    write(said, "");
    asked = path;
    whole = "";
    text.replaceChildren();
    refuse("");
    try {
      const answer = await read(path);
      // The user may have chosen another form in the meantime.
      if (asked !== path) return;
      whole = answer;
      text.replaceChildren(shown(whole, 20_000));
    } catch (error) {
      if (asked === path) refuse(problem(error).message);
    }
  }

  show("curl");
}
