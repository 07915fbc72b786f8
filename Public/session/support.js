// Support's actions for a user: a new token, and the rollback of a session whose replay crashes.
import { ask } from "../client/client.js";
import { askFirst } from "../document/confirmation.js";
import { element } from "../document/element.js";

/** @param {import("./session.js").Session} session */
export function askForToken(session) {
  askFirst({
    id: "token-new", title: "Issue a new token?", name: "Issue a new token", isDangerous: true,
    words: ["The current token becomes invalid; read-only tokens stay valid. The new token is shown only once: give it to the user."],
    async act() {
      const { token } = await ask(`${session.adminPath}/token`, { method: "POST" });
      return ["The new token: ", element("code", { class: "text" }, token)];
    },
  });
}

/** @param {import("./session.js").Session} session */
export function askToRollBack(session) {
  askFirst({
    id: "rollback", title: "Roll the session back?", name: "Roll it back", isDangerous: true,
    words: ["The session continues from an earlier revision. Later inputs stay in the journal, but no longer count."],
    field: { label: "To revision", value: "", check: (value) => (/^[1-9]\d{0,14}$/.test(value) ? "" : "A revision is a whole number; the first is 1.") },
    async act({ value }) {
      const { revision } = await ask(`${session.adminPath}/rollback`, { method: "POST", body: { revision: Number(value) } });
      return [`The session continues at revision ${revision}. `, element("a", { href: `#/sessions/${encodeURIComponent(session.id)}`, onclick: () => location.reload() }, "Show it")];
    },
  });
}
