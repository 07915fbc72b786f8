// Steps through the revisions: with the keys J and K, or automatically.
import { element, set, write } from "../document/element.js";

/** The milliseconds for which each revision is shown. */
const pace = 900;

/**
 * @param {import("../session/session.js").Session} session
 * @param {HTMLElement} region The keys work while this element contains the focus, or nothing has the focus.
 * @returns {{ root: HTMLElement, update: () => void }}
 */
export function makePlayer(session, region) {
  const root = element("button", {
    type: "button", class: "quiet", "aria-keyshortcuts": "J K", title: "Plays the revisions from here; J goes back, K goes forward",
    onclick: () => (timer ? stop() : play()),
  }, "Play");
  let timer = 0;

  const newest = () => session.now?.revision ?? 0;

  function play() {
    if (!session.past) session.travel(session.oldest);
    timer = window.setInterval(next, pace);
    write(root, "Pause");
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    write(root, "Play");
  }

  function next() {
    // Stops when the view was removed, and waits while the server has not answered.
    if (!root.isConnected || session.isOver) return stop();
    if (session.past && session.pastRevision !== session.past.revision) return;
    if (session.chosen >= newest()) return stop();
    session.travel(session.chosen + 1);
    if (!session.past) stop();
  }

  /** @param {KeyboardEvent} event @returns {void} */
  function step(event) {
    if (!region.isConnected) return document.removeEventListener("keydown", step);
    const focused = document.activeElement, isHere = !focused || focused === document.body || focused.id === "main" || (region.parentElement ?? region).contains(focused);
    if (!isHere || event.ctrlKey || event.metaKey || event.altKey || session.isOver || focused?.matches("input:not([type=range]), textarea, select")) return;
    const way = { j: -1, k: 1 }[event.key];
    if (!way) return;
    stop();
    session.travel(Math.max(session.oldest, Math.min(newest(), session.chosen + way)));
  }
  document.addEventListener("keydown", step);

  return {
    root,
    update() {
      set(root, "disabled", session.isOver || newest() <= session.oldest);
      if (session.isOver && timer) stop();
    },
  };
}
