// The pinned revision A, with which the revision on display is compared; A may belong to another session.
import { element, shortID, write } from "../document/element.js";
import { Moments } from "../session/moments.js";

/** @typedef {{ session: string, revision: number }} Pin */

const place = "usher.pin";

/** The pin that this browser tab stores. @returns {Pin | null} */
function rememberedPin() {
  try {
    return readPin(sessionStorage.getItem(place) ?? "", "");
  } catch {
    return null;
  }
}

/**
 * Parses the pin in an address: a revision, and a session if the pin's session is not the address's own.
 * @param {string} text
 * @param {string} session
 * @returns {Pin | null}
 */
export function readPin(text, session) {
  const [, revision, other] = text.match(/^([1-9]\d{0,14})(?:@([0-9a-f]{32}))?$/) ?? [];
  return revision && (other || session) ? { session: other ?? session, revision: Number(revision) } : null;
}

/**
 * Writes a pin for an address.
 * @param {Pin} pin
 * @param {string} session The session of the address.
 */
export function writePin({ session: other, revision }, session) {
  return other === session ? String(revision) : `${revision}@${other}`;
}

/**
 * Starts the comparison with a revision; null ends it.
 * @param {import("../session/session.js").Session} session
 * @param {Pin | null} pin
 */
export function setPin(session, pin) {
  const isSame = pin?.session === session.pin?.session && pin?.revision === session.pin?.revision;
  if (isSame) return;
  session.pin = pin;
  session.pinned = null;
  try {
    if (pin) sessionStorage.setItem(place, writePin(pin, ""));
    else sessionStorage.removeItem(place);
  } catch {
    // A browser that stores nothing keeps the pin only in this view.
  }
  session.changed();
  if (pin) read(session, pin);
}

/** @param {import("../session/session.js").Session} session @param {Pin} pin */
async function read(session, pin) {
  const moments = pin.session === session.id ? session.moments ??= new Moments(session.adminPath) : new Moments(`/admin/sessions/${encodeURIComponent(pin.session)}`);
  const found = await moments.at(pin.revision);
  if (session.pin !== pin) return;
  session.pinned = found;
  session.changed();
}

/** @param {import("../session/session.js").Session} session */
export function makePin(session) {
  const told = element("p", { class: "hint" });
  const pin = element("button", { type: "button", class: "quiet", onclick: () => setPin(session, { session: session.id, revision: session.chosen }) });
  const take = element("button", { type: "button", class: "quiet", onclick: () => setPin(session, rememberedPin()) });
  const unpin = element("button", { type: "button", class: "quiet", onclick: () => setPin(session, null) }, "Unpin A");
  let drawn = "";
  return {
    root: element("div", { class: "row pin" }, told, pin, take, unpin),
    update() {
      const { pin: pinned, chosen } = session, other = pinned ? null : rememberedPin();
      unpin.hidden = !pinned;
      pin.hidden = pinned?.session === session.id && pinned.revision === chosen;
      take.hidden = !other || other.session === session.id;
      write(pin, `Pin revision ${chosen} as A`);
      if (other) write(take, `Compare with A: ${shortID(other.session)} at ${other.revision}`);
      const text = [pinned?.session, pinned?.revision, chosen].join();
      if (text === drawn) return;
      drawn = text;
      if (!pinned) return told.replaceChildren("Compared with the previous revision.");
      const place = pinned.session === session.id ? [] : [" of ", element("a", { href: `#/sessions/${encodeURIComponent(pinned.session)}?revision=${pinned.revision}` }, shortID(pinned.session))];
      told.replaceChildren(`From A, revision ${pinned.revision}`, ...place, `, to B, revision ${chosen}.`);
    },
  };
}
