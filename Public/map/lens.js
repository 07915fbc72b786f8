// The view of the map: its scale, the visible part, and a search for screens.
import { element, set, write } from "../document/element.js";

/** @typedef {import("./layered-layout.js").Point} Point */

const step = 1.25, least = 0.1, most = 3;

/**
 * @param {HTMLElement} scroll The element that scrolls the picture.
 * @param {SVGSVGElement} picture
 */
export function makeLens(scroll, picture) {
  let size = { width: 1, height: 1 }, scale = 1, isFitted = false;
  const found = element("span", { role: "status" });
  const search = element("input", { type: "search", "aria-label": "Find a screen", placeholder: "find a screen", spellcheck: "false", autocomplete: "off", size: 12, oninput: () => find(true) });
  const fit = button("Fit", "Fit the whole map", () => {
    isFitted = true;
    apply();
  });
  const root = element("div", { class: "row lens", role: "group", "aria-label": "Search and zoom" },
    fit, button("−", "Zoom out", () => zoom(1 / step)), button("+", "Zoom in", () => zoom(step)), search, found);
  new ResizeObserver(() => { if (isFitted) apply(); }).observe(scroll);
  scroll.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? step : 1 / step);
  }, { passive: false });
  scroll.addEventListener("pointerdown", pan);

  /** @param {string} text @param {string} name @param {() => void} act */
  function button(text, name, act) {
    return element("button", { type: "button", class: "quiet", "aria-label": name, title: name, onclick: act }, text);
  }

  /** @param {number} factor */
  function zoom(factor) {
    const middle = { x: (scroll.scrollLeft + scroll.clientWidth / 2) / scale, y: (scroll.scrollTop + scroll.clientHeight / 2) / scale };
    isFitted = false;
    scale = Math.min(most, Math.max(least, scale * factor));
    apply();
    show(middle);
  }

  function apply() {
    if (isFitted) scale = Math.max(least, Math.min(1, scroll.clientWidth / size.width, scroll.clientHeight / size.height));
    set(picture, "width", Math.floor(size.width * scale));
    set(picture, "height", Math.floor(size.height * scale));
    set(fit, "aria-pressed", String(isFitted));
  }

  /**
   * Scrolls the picture without scrolling the page.
   * @param {Point} point
   */
  function show(point) {
    scroll.scrollTo(point.x * scale - scroll.clientWidth / 2, point.y * scale - scroll.clientHeight / 2);
  }

  /**
   * Moves the picture together with the pointer.
   * @param {PointerEvent} start
   */
  function pan(start) {
    const from = { left: scroll.scrollLeft, top: scroll.scrollTop };
    if (start.button !== 0 || start.pointerType === "touch" || /** @type {Element} */ (start.target).closest("[data-sends]")) return;
    const move = (/** @type {PointerEvent} */ event) => scroll.scrollTo(from.left + start.clientX - event.clientX, from.top + start.clientY - event.clientY);
    const end = () => scroll.removeEventListener("pointermove", move);
    scroll.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointerleave", "pointercancel"]) scroll.addEventListener(name, end, { once: true });
  }

  /**
   * Marks the screens whose names contain the searched text.
   * @param {boolean} isNew Whether to scroll to the first marked screen.
   */
  function find(isNew) {
    const text = search.value.trim().toLowerCase();
    const screens = [...picture.querySelectorAll(".map-screen")];
    const hits = screens.filter((screen) => text && screen.getAttribute("data-name")?.toLowerCase().includes(text));
    for (const screen of screens) set(screen, "data-found", hits.includes(screen));
    write(found, text ? `${hits.length} found` : "");
    const box = isNew && hits[0]?.querySelector("rect");
    if (box) show({ x: Number(box.getAttribute("x")) + Number(box.getAttribute("width")) / 2, y: Number(box.getAttribute("y")) + Number(box.getAttribute("height")) / 2 });
  }

  return {
    root,
    show,
    /** @param {{ width: number, height: number }} drawn The picture's own size. */
    update(drawn) {
      size = drawn;
      apply();
      find(false);
    },
  };
}
