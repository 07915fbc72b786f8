// A small plot: a line in steps over revisions, or over time.
import { drawing, element, set, write } from "../document/element.js";

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ x: number, y: number | null }} Mark The earlier revision on display, and its value if that is known. */

const width = 300, height = 80, margin = 8;

/**
 * @param {string} name
 * @param {(value: number) => string} format
 * @param {(x: number) => string} [moment] Returns the name of a place on the line.
 */
export function makePlot(name, format, moment = (revision) => `revision ${revision}`) {
  const line = drawing("path", { class: "line" }), area = drawing("path", { class: "area" }), last = drawing("path", { class: "last" });
  const mark = drawing("path", { class: "marked" }), returns = drawing("path", { class: "returned" }), leaks = drawing("path", { class: "leaked" });
  const picture = drawing("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": name }, area, line, last, returns, leaks, mark);
  const newest = element("strong", {}, "–"), extent = element("span");
  let drawn = "";
  return {
    root: element("figure", { class: "plot" }, element("figcaption", {}, element("span", {}, name, " ", newest), extent), picture),
    /**
     * @param {Point[]} points The points in the order of x.
     * @param {Mark | null} marked The place whose value is shown as the figure; null for the newest.
     * @param {{ returned: number[], leaked: number[] }} [turns] The places where memory was reclaimed or leaked.
     */
    update(points, marked, turns = { returned: [], leaked: [] }) {
      const end = points.at(-1);
      const text = JSON.stringify([points.length, end, points[0], marked, turns.leaked.length]);
      if (!end || text === drawn) return;
      drawn = text;
      const values = points.map(({ y }) => y), most = Math.max(...values), least = Math.min(...values);
      const { path, tip, place } = steps(points);
      const isWithin = marked !== null && marked.x >= points[0].x && marked.x <= end.x;
      set(line, "d", path);
      set(area, "d", `${path}V${height}H0Z`);
      set(last, "d", `M${tip.x} ${tip.y}h0`);
      const dots = (/** @type {number[]} */ places, /** @type {number} */ y) => places.map((x) => `M${place({ x, y: 0 }).x} ${y}h0`).join("");
      set(returns, "d", dots(turns.returned, height - margin / 2));
      set(leaks, "d", dots(turns.leaked, margin));
      set(mark, "d", isWithin ? `M${place({ x: marked.x, y: 0 }).x} 0V${height}` : "");
      const shown = marked ?? end, figure = shown.y === null ? "–" : format(shown.y);
      write(newest, figure);
      write(extent, least === most ? "" : `${format(least)} – ${format(most)}`);
      set(picture, "aria-label", `${name}: ${figure} at ${moment(shown.x)}; between ${format(least)} and ${format(most)} since ${moment(points[0].x)}`);
    },
  };
}

/**
 * Returns the line through points: each value is valid until the next revision.
 * @param {Point[]} points At least one.
 * @returns {{ path: string, tip: Point, place: (point: Point) => Point }} `place` returns the position of any point.
 */
export function steps(points) {
  const first = points[0].x, reach = Math.max(1, points[points.length - 1].x - first);
  const most = Math.max(1, ...points.map(({ y }) => y));
  const place = (/** @type {Point} */ { x, y }) => ({
    x: round(points.length === 1 ? width - margin : (x - first) / reach * (width - margin)),
    y: round(height - margin - y / most * (height - 2 * margin)),
  });
  const places = points.map(place);
  const path = places.slice(1).reduce((text, { x, y }) => `${text}H${x}V${y}`, `M0 ${places[0].y}`);
  const tip = places[places.length - 1];
  return { path: points.length === 1 ? `${path}H${tip.x}` : path, tip, place };
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 10) / 10;
}
