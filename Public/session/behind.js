// What is hidden behind the visible card: the states of covered screens, and the screens of tabs that are not selected.
import { element, write } from "../document/element.js";
import { writeJSON } from "../client/exact-json.js";
import { describe } from "./card.js";

/** The screens that are too far behind to be distinguished: their number and names. */
export function makeMore() {
  const title = element("summary"), list = element("ol", { tabindex: 0, "aria-label": "Covered screens" });
  const root = element("details", { class: "more", "aria-label": "Screens behind these", hidden: true }, title, list);
  let drawn = "";
  return {
    root,
    /** @param {import("./session.js").Card[]} covered The screens from the bottom up. */
    update(covered) {
      const text = covered.map(({ id }) => id).join();
      if (text === drawn) return;
      drawn = text;
      root.hidden = covered.length === 0;
      write(title, `${covered.length} more`);
      list.replaceChildren(...covered.map(({ id, screen, coordinator }) => element("li", {},
        element("bdi", {}, screen), element("span", { class: "number" }, ` ${id} `), element("bdi", { class: "path", dir: "ltr" }, coordinator))));
    },
  };
}

/**
 * @param {ReturnType<typeof import("./device.js").makeDevice>} device
 * @returns {{ update: (session: import("./session.js").Session) => void }}
 */
export function makeBehind(device) {
  const list = element("ul", { tabindex: 0, "aria-label": "Screens in hidden tabs" });
  const hidden = element("details", { class: "hidden-tabs", "aria-label": "Hidden tabs", hidden: true }, element("summary", {}, "Hidden tabs"), list);
  device.screens.parentElement?.prepend(hidden);
  let drawn = "";

  /** @param {import("./session.js").Tree | null} tree */
  function updateTabs(tree) {
    const stacks = tree?.stacks?.filter(({ displayed, tab }) => !displayed && tab !== undefined) ?? [], text = JSON.stringify(stacks);
    if (text === drawn) return;
    drawn = text;
    hidden.hidden = stacks.length === 0;
    list.replaceChildren(...stacks.map(({ tab, screens }) => element("li", {}, element("strong", {}, element("bdi", {}, tab ?? "")), ": ",
      ...screens.map(({ id, screen }, place) => element("span", { "data-screens": id }, place ? " › " : "", element("bdi", {}, screen), element("span", { class: "number" }, ` ${id}`))))));
  }

  return {
    update(session) {
      const { state, past, tree, isOver } = session;
      updateTabs(isOver && !past ? null : past ? past.tree : tree);
      const screens = new Map((state?.stack ?? []).map((screen) => [String(screen.id), screen]));
      for (const card of device.screens.querySelectorAll(".card")) {
        const screen = screens.get(card.getAttribute("data-screens") ?? ""), known = card.querySelector(":scope > .peek");
        if (!screen || card.hasAttribute("data-top") || writeJSON(screen.state) === "{}") known?.remove();
        else (known ? /** @type {ReturnType<typeof makePeek>} */ (known) : card.appendChild(makePeek())).update(screen);
      }
    },
  };
}

/** @returns {HTMLDetailsElement & { update: (screen: import("./session.js").Card) => void }} The state of a covered screen, created when the user opens it. */
function makePeek() {
  const place = element("div", { class: "state", tabindex: 0, role: "group" }), summary = element("summary", {}, "State");
  const root = /** @type {ReturnType<typeof makePeek>} */ (element("details", { class: "peek", role: "group", ontoggle: draw }, summary, place));
  /** @type {import("./session.js").Card | null} */
  let screen = null;
  let drawn = "";

  function draw() {
    const text = root.open && screen ? writeJSON(screen.state) : "";
    if (text === drawn) return;
    drawn = text;
    write(place, "");
    if (text && screen) place.append(describe(screen.state));
  }

  root.update = (next) => {
    screen = next;
    const name = `State of ${next.screen} ${next.id}`;
    for (const part of [root, summary]) part.setAttribute("aria-label", name);
    place.setAttribute("aria-label", `Content of ${next.screen} ${next.id}`);
    draw();
  };
  return root;
}
