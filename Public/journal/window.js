// A table of any length, which has only the visible rows in the document.
import { element, set } from "../document/element.js";

/** The height of rows and of the head; the same values are in journal.css. */
export const rowHeight = 30;
const reserve = 6;

/**
 * Returns the range of rows that must be in the document.
 * @param {{ top: number, height: number }} view The scroll position, and the visible height.
 * @param {number} size The number of all rows.
 * @returns {{ first: number, last: number }} Indices; `last` is not included.
 */
export function rowsInView({ top, height }, size) {
  const last = Math.min(size, Math.ceil((top + height) / rowHeight) + reserve);
  return { first: Math.max(0, Math.min(Math.floor(top / rowHeight) - reserve, last)), last };
}

/**
 * @template Item
 * @typedef {object} Rows
 * @property {number} size
 * @property {(place: number) => Item} at
 * @property {(item: Item) => string} key Identifies an item.
 */

/**
 * @template Item
 * @param {string} label
 * @param {readonly { name: string, title?: string }[]} columns
 * @param {(item: Item) => HTMLTableRowElement} make
 * @param {(row: HTMLTableRowElement, item: Item) => void} fill
 * @param {(first: number, last: number) => void} seen Called when rows have come into view.
 */
export function makeWindow(label, columns, make, fill, seen) {
  const above = gap(), below = gap(), body = element("tbody");
  const table = element("table", { class: "inputs", "aria-label": label },
    element("thead", {}, element("tr", {}, ...columns.map(({ name, title }) => element("th", { scope: "col", "data-column": name, title }, name)))),
    above, body, below);
  const root = element("div", { class: "scroll inputs-window", tabindex: 0, role: "region", "aria-label": `Table of ${label.toLowerCase()}`, onscroll: later }, table);
  /** @type {Map<string, HTMLTableRowElement>} */
  const known = new Map();
  /** @type {Rows<Item>} */
  let rows = { size: 0, at: () => { throw new RangeError("There is no row."); }, key: String };
  const view = { top: 0, height: 0 };
  let drawing = 0, range = "";
  /** @type {number | null} The row to scroll to as soon as the table has a height. */
  let wanted = null;

  // Observes the height, because reading it would force a layout at each change.
  new ResizeObserver(() => {
    view.height = root.clientHeight - rowHeight;
    later();
  }).observe(root);

  /** Draws in the next frame, after the event handlers of this frame. */
  function later() {
    drawing ||= requestAnimationFrame(() => {
      drawing = 0;
      view.top = root.scrollTop;
      if (wanted !== null) reveal(wanted);
      draw();
    });
  }

  function draw() {
    const { first, last } = rowsInView(view, rows.size), keys = new Set(), focused = document.activeElement;
    const hadFocus = focused instanceof Element && body.contains(focused);
    for (let place = first; place < last; place++) keys.add(rows.key(rows.at(place)));
    for (const [key, row] of known) {
      if (keys.has(key)) continue;
      row.remove();
      known.delete(key);
    }
    for (let place = first; place < last; place++) {
      const item = rows.at(place), key = rows.key(item);
      let row = known.get(key);
      if (!row) known.set(key, row = make(item));
      fill(row, item);
      set(row, "aria-rowindex", place + 2);
      if (body.children[place - first] !== row) body.insertBefore(row, body.children[place - first] ?? null);
    }
    grow(above, first);
    grow(below, rows.size - last);
    set(table, "aria-rowcount", rows.size + 1);
    // If the focused row is removed, the table gets the focus.
    if (hadFocus && !body.contains(document.activeElement)) root.focus({ preventScroll: true });
    if (range !== `${first} ${last}`) seen(first, last);
    range = `${first} ${last}`;
  }

  /**
   * Scrolls a row into view without scrolling the page.
   * @param {number} place
   */
  function reveal(place) {
    wanted = view.height > 0 ? null : place;
    if (wanted !== null) return;
    const top = place * rowHeight;
    if (top >= view.top && top + rowHeight <= view.top + view.height) return;
    view.top = Math.max(0, Math.min(top - (view.height - rowHeight) / 2, rows.size * rowHeight - view.height));
    draw();
    root.scrollTop = view.top;
  }

  return {
    root,
    reveal,
    /** @param {Rows<Item>} next */
    update(next) {
      rows = next;
      draw();
    },
    /** The rows that are in the document. */
    get inView() { return rowsInView(view, rows.size); },
    /** @param {string} key */
    row(key) { return known.get(key) ?? null; },
  };
}

/** Creates the placeholder for rows that are not in the document: one cell per column, because a narrow screen hides some columns. */
function gap() {
  return element("tbody", { "aria-hidden": "true", hidden: true }, element("tr", {}, element("td")));
}

/** @param {HTMLTableSectionElement} gap @param {number} rows The number of rows that are left out. */
function grow(gap, rows) {
  gap.hidden = rows <= 0;
  const cell = gap.querySelector("td");
  if (cell) cell.style.height = `${Math.max(0, rows) * rowHeight}px`;
}
