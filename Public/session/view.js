// The view of one session: the device first, and the panels around it as soon as the device is painted.
import { caller, needsToken } from "../client/client.js";
import { element, set, write } from "../document/element.js";
import { makeDevice } from "./device.js";
import { Session } from "./session.js";

/** @typedef {{ root: HTMLElement, update: (session: Session) => void }} Part */

/**
 * @param {import("../page.js").Page} page
 * @param {string} id
 * @param {URLSearchParams} query The revision to show, and the part of the revision to inspect.
 * @returns {import("../page.js").View}
 */
export function open(page, id, query) {
  /** @type {Part[]} */
  const parts = [];
  let hasBegun = false, hasEnded = false;
  /** @type {ReturnType<typeof import("./around.js").makeAround> | null} */
  let more = null;
  const session = new Session(id, () => {
    page.connection(session.connection);
    if (needsToken(session.treeFault) || session.denial) page.askToLogIn();
    for (const part of parts) part.update(session);
    if (session.isOver && !hasEnded) conclude();
    if (hasBegun || !(session.now || session.ending || session.denial)) return;
    hasBegun = true;
    afterPaint(surround);
  });
  const device = makeDevice(session);
  const around = element("div", { class: "around" });
  const heading = makeHeading(session), end = makeEnd(session);
  // The last element, so that the keyboard reaches everything else before this button.
  device.strip.append(end.root);
  parts.push(heading, device, end);
  page.title(`Session ${id.slice(0, 8)}`);
  page.connection(session.connection);
  session.start();

  async function conclude() {
    hasEnded = true;
    const { makeWayOn } = await import("./ending.js");
    device.notes.after(makeWayOn(session));
  }

  async function surround() {
    if (!(await caller()).isOperator) return page.askToLogIn();
    page.showCaller();
    session.wantTree();
    const { makeAround } = await import("./around.js");
    more = makeAround(session, device, heading.root);
    parts.push(more);
    around.append(more.root);
    more.update(session);
    more.look(query);
  }

  return {
    root: element("div", { class: "session" }, heading.root, element("div", { class: "halves" }, device.root, around)),
    look(next) {
      query = next;
      more?.look(query);
    },
    close() {
      parts.length = 0;
      session.close();
    },
  };
}

/** @param {Session} session @returns {Part} */
function makeHeading(session) {
  const app = element("bdi", {}, "Session");
  return {
    root: element("h1", { class: "heading" }, app, " ", element("code", { title: session.id }, session.id.slice(0, 8))),
    update() {
      if (session.app) write(app, session.app);
    },
  };
}

/** @param {Session} session @returns {Part} */
function makeEnd(session) {
  const root = element("button", {
    type: "button", class: "quiet", "aria-haspopup": "dialog", disabled: true,
    onclick: async () => (await import("./ending.js")).askToEnd(session),
  }, "End session …");
  return {
    root,
    update() {
      set(root, "disabled", !session.ending?.isHeld && (session.isReadOnly || !session.now));
    },
  };
}

/**
 * Calls a function after the browser has painted. A hidden page is never painted, so there the function is called soon.
 * @param {() => void} run
 */
function afterPaint(run) {
  let isDone = false;
  const once = () => {
    if (!isDone) run();
    isDone = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, 500);
}
