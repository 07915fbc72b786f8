// The operator's actions in an incident: a backup of the journal, and the confirmation of a release.
import { ask } from "../client/client.js";
import { askFirst } from "../document/confirmation.js";
import { bytes, element } from "../document/element.js";

export function makeControls() {
  return {
    root: element("section", { class: "panel", "aria-labelledby": "controls" },
      element("h2", { id: "controls" }, "Controls"),
      element("div", { class: "row" },
        control("Back up the journal …", askToBackUp), control("Confirm the release …", askToConfirm)),
      element("p", { class: "hint" }, "To roll back a session on hold, or to give its user a new token, open the session. ",
        element("a", { href: "#/?state=held" }, "Sessions on hold"))),
  };
}

/** @param {string} name @param {() => void} act */
function control(name, act) {
  return element("button", { type: "button", "aria-haspopup": "dialog", onclick: act }, name);
}

function askToBackUp() {
  askFirst({
    id: "backup", title: "Back up the journal?", name: "Back it up",
    words: ["The server copies the journal to a file on the server's disk. Requests are served meanwhile."],
    async act() {
      const { path, bytes: size } = await ask("/admin/backup", { method: "POST" });
      return ["The copy is ", element("code", {}, path), `, ${bytes(size)}.`];
    },
  });
}

function askToConfirm() {
  askFirst({
    id: "release", title: "Confirm the release of this build?", name: "Confirm it", isDangerous: true,
    words: ["You cannot undo that: sessions that returned to an earlier revision stay there, even if the previous build serves again. ",
      "The waiting effects and timers of these sessions start."],
    async act() {
      await ask("/admin/release", { method: "POST" });
      return ["This build\u2019s release is confirmed."];
    },
  });
}
