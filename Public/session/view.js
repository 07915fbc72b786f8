// The view of one session: the device at once, and what lies around it as soon as that is painted.
import { caller, needsToken, problem } from "../client/client.js";
import { element, set, write } from "../document/element.js";
import { makeDevice } from "./device.js";
import { Session } from "./session.js";

/** @typedef {{ root: HTMLElement, update: (session: Session) => void }} Part */

/**
 * @param {import("../page.js").Page} page
 * @param {string} id
 * @returns {import("../page.js").View}
 */
export function open(page, id) {
  /** @type {Part[]} */
  const parts = [];
  let hasBegun = false;
  const session = new Session(id, () => {
    page.connection(session.connection);
    if (needsToken(session.treeFault)) page.askToLogIn();
    for (const part of parts) part.update(session);
    if (hasBegun || !(session.now || session.ending)) return;
    hasBegun = true;
    afterPaint(surround);
  });
  const device = makeDevice(session);
  const around = element("div", { class: "around" });
  const heading = makeHeading(session);
  parts.push(heading, device);
  page.title(`Session ${id.slice(0, 8)}`);
  page.connection(session.connection);
  session.start();

  async function surround() {
    if (!(await caller()).isOperator) return page.askToLogIn();
    page.showCaller();
    session.wantTree();
    const { makeAround } = await import("./around.js");
    const more = makeAround(session, device);
    parts.push(more);
    around.append(more.root);
    more.update(session);
  }

  return {
    root: element("div", { class: "session" }, heading.root, element("div", { class: "halves" }, device.root, around)),
    close() {
      parts.length = 0;
      session.close();
    },
  };
}

/** @param {Session} session @returns {Part} */
function makeHeading(session) {
  const app = element("bdi", {}, "Session");
  const fault = element("p", { class: "fault", role: "alert", hidden: true });
  const end = element("button", {
    type: "button", class: "quiet", onclick: async () => {
      try {
        await session.finish();
      } catch (error) {
        write(fault, problem(error).message);
        fault.hidden = false;
      }
    },
  }, "End session");
  return {
    root: element("div", { class: "heading" },
      element("h1", {}, app, " ", element("code", { title: session.id }, session.id.slice(0, 8))),
      end, fault),
    update() {
      if (session.now) write(app, session.now.app);
      set(end, "disabled", session.isOver);
    },
  };
}

/**
 * Runs once the browser has painted what is there, also where it paints nothing since nobody looks.
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
