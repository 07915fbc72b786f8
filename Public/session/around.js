// The panels around the device: coordinators or the map, memory and time; and the gestures on its cards.
import { ask } from "../client/client.js";
import { clientInWords, element, set, shortID, stylesheet, write } from "../document/element.js";
import { viewOf, makeInspector } from "../inspector/view.js";
import { readPin, setPin, writePin } from "../inspector/pin.js";
import { Journal } from "../journal/journal.js";
import { makeJournal } from "../journal/view.js";
import { userAddress } from "../list/table.js";
import { makeBehind } from "./behind.js";
import { follow } from "./gestures.js";
import { lightUp } from "./lights.js";

await stylesheet("/session/around.css");

/**
 * @param {import("./session.js").Session} session
 * @param {ReturnType<typeof import("./device.js").makeDevice>} device
 * @param {HTMLElement} heading
 * @returns {import("./view.js").Part & { look: (query: URLSearchParams) => void }} `look` shows what the address names.
 */
export function makeAround(session, device, heading) {
  const entries = new Journal((after, limit) => ask(`${session.adminPath}/journal?after=${after}&limit=${limit}`), () => {
    session.forgetHistory();
    tellOrigin(entries, origin);
  });
  session.journal = entries;
  const behind = makeBehind(device), controls = makeControls(session);
  const panels = [makeInspector(session, entries, device.sending), makeJournal(session, entries)], parts = [...panels, controls];
  let naming = 0;
  follow(device.screens, device.gestures);
  // Inserted before the button that ends the session, which comes last.
  device.strip.insertBefore(controls.root, device.strip.lastElementChild);
  const user = element("a", { dir: "auto" }), whose = element("span", { class: "whose", hidden: true }, " of ", user), origin = element("span", { class: "origin" });
  heading.append(whose, origin);
  tellOrigin(entries, origin);
  session.refreshBefore();
  // The device and the panels have the same root element.
  queueMicrotask(() => { if (device.root.parentElement) lightUp(device.root.parentElement); });

  /** Writes what is selected into the address, so that the user can share it; nothing is redrawn. */
  function name() {
    const named = new URLSearchParams(), place = `#/sessions/${encodeURIComponent(session.id)}`;
    // The address may already name another session, whose view is about to open.
    if (location.hash.split("?")[0] !== place) return;
    if (session.past) named.set("revision", String(session.past.revision));
    if (session.view !== "tree") named.set("view", session.view);
    if (session.pin) named.set("a", writePin(session.pin, session.id));
    const hash = String(named) ? `${place}?${named}` : place;
    if (root.isConnected && location.hash !== hash) history.replaceState(history.state, "", hash);
  }

  function update() {
    // Waits, because a dragged slider changes the address a hundred times, and browsers limit such changes.
    clearTimeout(naming);
    naming = window.setTimeout(name, 200);
    for (const part of parts) part.update(session);
    whose.hidden = session.subject === undefined;
    if (session.subject !== undefined) {
      write(user, session.subject);
      set(user, "href", userAddress(session.subject));
    }
    behind.update(session);
  }

  const root = element("div", { class: "regions" });
  appear(0);

  /**
   * Adds one panel per frame, because the first layout of all panels takes longer than a frame.
   * @param {number} place
   */
  function appear(place) {
    // The journal is added last, because it takes the longest, but is the first panel.
    root.prepend(panels[place].root);
    if (place + 1 < panels.length) requestAnimationFrame(() => setTimeout(appear, 0, place + 1));
  }

  return {
    root,
    update,
    look(query) {
      if (!session.now || session.isOver) return;
      const revision = Number(query.get("revision"));
      session.view = viewOf(query.get("view"));
      setPin(session, readPin(query.get("a") ?? "", session.id));
      if (Number.isSafeInteger(revision) && revision > 0) session.travel(revision);
      else session.returnToNow();
      // Removes the input from the address, so that a second visit does not ask again.
      if (query.has("send")) openSender(session, query.get("send"));
    },
  };
}

/**
 * Shows how the history begins: the client, the origin of a copy, or a new beginning.
 * @param {Journal} journal
 * @param {HTMLElement} place
 */
async function tellOrigin(journal, place) {
  // Another panel reports that the journal cannot be read.
  const entry = await journal.first().catch(() => null);
  if (!entry) return;
  const { client, fork, import: isImport, startedOver } = entry.input;
  place.replaceChildren(
    isImport ? " an import" : "",
    clientInWords(client) && ` by ${clientInWords(client)}`,
    ...(fork ? [" a fork of ", element("a", { href: `#/sessions/${encodeURIComponent(fork.session)}?revision=${fork.revision}` }, shortID(fork.session), ` at revision ${fork.revision}`)] : []),
    startedOver ? ` started over at revision ${entry.revision}` : "");
}

/** @param {import("./session.js").Session} session @param {string | null} proposed */
async function openSender(session, proposed) {
  const { askToSend } = await import("./send-dialog.js");
  askToSend(session, proposed);
}

/**
 * The controls that a session's screens do not have: send any input, give a new token, roll back a session on hold.
 * @param {import("./session.js").Session} session
 * @returns {import("./view.js").Part}
 */
function makeControls(session) {
  /** @param {string} name @param {() => void} act */
  const control = (name, act) => element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", disabled: true, onclick: act }, name);
  const send = control("Send …", () => openSender(session, null));
  const token = control("New token …", async () => (await import("./support.js")).askForToken(session));
  const back = control("Roll back …", async () => (await import("./support.js")).askToRollBack(session));
  return {
    root: element("span", { class: "row controls" }, back, send, token),
    update() {
      const isHeld = Boolean(session.ending?.isHeld);
      set(send, "disabled", session.isReadOnly || !session.now);
      set(token, "disabled", session.denial !== null || (!isHeld && (session.isReadOnly || !session.now)));
      back.hidden = !isHeld;
      set(back, "disabled", !isHeld || session.denial !== null);
    },
  };
}
