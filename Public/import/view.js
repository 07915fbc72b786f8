// Opens a session in the state of an exported session: from a file, or from a link that contains the export.
import { ask, problem } from "../client/client.js";
import { readJSON } from "../client/exact-json.js";
import { alertLine, element, shown, write } from "../document/element.js";

/** @typedef {{ app: string, entries: { visible: string }[] }} Archive The response of `GET /admin/sessions/{id}/export?as=json`. */

/**
 * @param {import("../page.js").Page} page
 * @param {string} _
 * @param {URLSearchParams} query The export, and an input to send next.
 * @returns {import("../page.js").View}
 */
export function open(page, _, query) {
  page.title("Import");
  page.connection("live");
  const linked = query.get("export"), next = query.get("next");
  const { root: fault, say: refuse } = alertLine();
  const meaning = element("p", {}), input = element("pre", { role: "group", "aria-label": "Next input", hidden: !next }, next ? shown(next, 2_000) : "");
  const file = element("input", { id: "import", type: "file", accept: ".json,application/json", onchange: openFile });
  let isDamaged = false;
  const submit = element("button", { type: "button", class: "primary", onclick: () => openText(linked ?? "") }, "Open the session");

  async function openFile() {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const text = await chosen.text();
    // Lets the user choose the same file again after correcting it.
    file.value = "";
    await openText(text);
  }

  /** @param {string} text */
  async function openText(text) {
    refuse("");
    submit.disabled = true;
    try {
      const archive = readJSON(text);
      const state = await ask("/admin/import", { method: "POST", body: archive });
      location.hash = hash(state, archive.entries.length, next);
    } catch (error) {
      refuse(error instanceof SyntaxError ? `This is not JSON: ${error.message}` : problem(error).message);
    }
    submit.disabled = isDamaged;
  }

  try {
    write(meaning, linked === null ? "" : inWords(readJSON(linked)));
  } catch {
    refuse("This link is damaged: it does not contain an exported session.");
    submit.disabled = isDamaged = true;
  }
  return {
    root: element("div", { class: "list" },
      element("h1", {}, "Open a session from an export"),
      element("div", { class: "panel import" },
        element("p", { class: "hint" }, "Paste JSON that a server of this build has exported. The server repeats the session's inputs, and ends effects that were running."),
        linked === null ? null : element("div", { class: "linked" }, meaning,
          next ? element("p", {}, "Then you can send this input, which caused the finding:") : null, input, element("div", { class: "row" }, submit)),
        fault,
        element("label", { for: "import" }, linked === null ? "File" : "Or a file"), file)),
    close() {},
  };
}

/** @param {Archive} archive */
function inWords({ app, entries }) {
  const inputs = entries.length - 1, screen = entries.at(-1)?.visible.split(" ")[0];
  return `A session of ${app} after ${inputs === 1 ? "one input" : `${inputs} inputs`}, ${screen ? `at the screen ${screen}` : "without a screen"}.`;
}

/**
 * Returns the address of the session; effects that ended at the opening may have added revisions to the revisions of
 * the export.
 * @param {{ session: string, revision: number }} state
 * @param {number} count The number of revisions in the export.
 * @param {string | null} next
 */
function hash({ session, revision }, count, next) {
  const query = new URLSearchParams();
  if (next) query.set("send", next);
  else if (revision !== count) query.set("revision", String(count));
  return `#/sessions/${encodeURIComponent(session)}${String(query) ? `?${query}` : ""}`;
}
