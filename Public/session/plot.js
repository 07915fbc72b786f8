// A small plot: a line of steps over the revisions.
import { drawing, element, set, write } from "../document/element.js";

/** @typedef {{ x: number, y: number }} Point */

const width = 300, height = 80, margin = 8;

/**
 * @param {string} name
 * @param {(value: number) => string} format
 */
export function makePlot(name, format) {
  const line = drawing("path", { class: "line" }), area = drawing("path", { class: "area" }), last = drawing("path", { class: "last" });
  const picture = drawing("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": name }, area, line, last);
  const newest = element("strong", {}, "–"), extent = element("span");
  let drawn = "";
  return {
    root: element("figure", { class: "plot" }, element("figcaption", {}, element("span", {}, name, " ", newest), extent), picture),
    /** @param {Point[]} points In the order of x. */
    update(points) {
      const end = points.at(-1);
      const text = JSON.stringify([points.length, end, points[0]]);
      if (!end || text === drawn) return;
      drawn = text;
      const values = points.map(({ y }) => y), most = Math.max(...values), least = Math.min(...values);
      const { path, tip } = steps(points);
      set(line, "d", path);
      set(area, "d", `${path}V${height}H0Z`);
      set(last, "d", `M${tip.x} ${tip.y}h0`);
      write(newest, format(end.y));
      write(extent, least === most ? "" : `${format(least)} – ${format(most)}`);
      set(picture, "aria-label", `${name}: ${format(end.y)} at revision ${end.x}; between ${format(least)} and ${format(most)} since revision ${points[0].x}`);
    },
  };
}

/**
 * The line through points: each value holds until the next revision.
 * @param {Point[]} points At least one.
 * @returns {{ path: string, tip: Point }}
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
  return { path: points.length === 1 ? `${path}H${tip.x}` : path, tip };
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 10) / 10;
}
