// The positions and texts of the nodes: a tidy tree if there is room for one, otherwise an outline.
import { clip } from "../document/element.js";
import { tidyTree } from "./tidy-tree.js";

/** @typedef {import("./tree-drawing.js").Node} Node */
/** @typedef {{ text: string, kind: "screen" | "work" | "fault" }} Line */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ isOutline: boolean, width: number, height: number, boxes: Map<number | string, Box> }} Layout */

const margin = 10, across = 16, down = 24, lineHeight = 14, mostLines = 4;
const outline = { indent: 26, row: 34, height: 28, gap: 14 };
const narrowest = 104, widest = 216;
/** The maximum average width of a character, in the two sizes of type. */
const wide = 7.8, slim = 6.2;

/**
 * Returns a coordinator's type as its node shows it.
 * @param {Node} node
 */
export function title({ type }) {
  return type.replace(/(.)Coordinator$/, "$1");
}

/**
 * Returns the lines below the type: screens, pending work, or what is wrong.
 * @param {Node} node
 * @returns {Line[]}
 */
export function lines({ screens, work = [], leak, zombie, isGhost }) {
  if (isGhost) return [{ text: "finished here", kind: "screen" }];
  if (leak) return [{ text: `leaked, held by ${leak.holder ?? "something unknown so far"}`, kind: "fault" }];
  if (zombie) return [{ text: "a zombie: shows nothing", kind: "fault" }];
  return [
    ...screens.map(({ id, screen }) => /** @type {Line} */ ({ text: `${screen} ${id}`, kind: "screen" })),
    ...(screens.length ? [] : [/** @type {Line} */ ({ text: "no screen", kind: "screen" })]),
    ...work.map(({ name }) => /** @type {Line} */ ({ text: `waits for ${name}`, kind: "work" })),
  ];
}

/**
 * Returns as many lines as fit on a node, work before screens; the last line says how many are left out.
 * @param {Line[]} all
 * @returns {Line[]}
 */
export function folded(all) {
  if (all.length <= mostLines) return all;
  const work = all.filter(({ kind }) => kind === "work").slice(0, mostLines - 2), screens = all.filter(({ kind }) => kind !== "work");
  const kept = screens.slice(0, mostLines - 1 - work.length);
  return [...kept, { text: `and ${all.length - kept.length - work.length} more`, kind: "screen" }, ...work];
}

/**
 * Returns everything about a node in one line.
 * @param {Node} node
 */
export function told(node) {
  const all = lines(node), said = node.screens.length || node.work?.length || all[0].kind === "fault" || node.isGhost;
  const name = node.isNew ? `${node.type}, created here` : node.type;
  return clip(said ? `${name}: ${all.map(({ text }) => text).join(", ")}` : name, 400);
}

/**
 * @param {Node} top
 * @param {number} room The maximum width of the drawing.
 * @returns {Layout}
 */
export function layOut(top, room) {
  const all = flat(top);
  const width = Math.min(widest, Math.max(narrowest, ...all.map(({ node }) => needed(node))));
  const places = tidyTree(top);
  const columns = Math.max(...[...places.values()].map(({ x }) => x));
  const tidyWidth = columns * (width + across) + width + 2 * margin;
  return tidyWidth <= room ? tidy(all, places, width, tidyWidth) : inOutline(all, room);
}

/** @param {Node} node Returns the node's width without cut texts. */
function needed(node) {
  const below = Math.max(...folded(lines(node)).map(({ text }) => text.length * slim));
  return Math.ceil(Math.max(title(node).length * wide, below)) + 20;
}

/** @typedef {{ node: Node, depth: number }} Placed */

/** @param {Node} top @returns {Placed[]} Parents before children. */
function flat(top) {
  /** @type {Placed[]} */
  const all = [], waiting = [{ node: top, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    all.push(next);
    for (const child of [...next.node.children].reverse()) waiting.push({ node: child, depth: next.depth + 1 });
  }
  return all;
}

/**
 * @param {Placed[]} all
 * @param {Map<number | string, import("./tidy-tree.js").Position>} places
 * @param {number} width The width of a node.
 * @param {number} total
 * @returns {Layout}
 */
function tidy(all, places, width, total) {
  /** @type {number[]} */
  const heights = [];
  for (const { node, depth } of all) {
    heights[depth] = Math.max(heights[depth] ?? 0, 30 + folded(lines(node)).length * lineHeight);
  }
  const tops = heights.map((_, depth) => margin + heights.slice(0, depth).reduce((sum, height) => sum + height + down, 0));
  const boxes = new Map(all.map(({ node, depth }) => {
    const { x } = /** @type {import("./tidy-tree.js").Position} */ (places.get(node.id));
    return [node.id, { x: margin + x * (width + across), y: tops[depth], width, height: heights[depth] }];
  }));
  return { isOutline: false, width: total, height: tops[tops.length - 1] + heights[heights.length - 1] + margin, boxes };
}

/**
 * One node per line, indented by its depth; the outline never exceeds the available width.
 * @param {Placed[]} all
 * @param {number} room
 * @returns {Layout}
 */
function inOutline(all, room) {
  const boxes = new Map(all.map(({ node, depth }, order) => {
    const x = margin + depth * outline.indent, text = lines(node).map(({ text }) => text).join(", ");
    const whole = title(node).length * wide + text.length * slim + outline.gap + 24;
    return [node.id, { x, y: margin + order * outline.row, width: Math.max(widest, Math.min(whole, room - x - margin)), height: outline.height }];
  }));
  const width = Math.max(room, ...[...boxes.values()].map((box) => box.x + box.width + margin));
  return { isOutline: true, width, height: 2 * margin + all.length * outline.row, boxes };
}

/**
 * Returns the texts of a node in a layout, cut to its box.
 * @param {Node} node
 * @param {Box} box
 * @param {boolean} isOutline
 * @returns {{ text: string, kind: "type" | Line["kind"], x: number, y: number }[]}
 */
export function written(node, box, isOutline) {
  const name = fit(title(node), (box.width - 16) / wide);
  if (!isOutline) {
    return [{ text: name, kind: "type", x: box.width / 2, y: 20 }, ...folded(lines(node)).map(({ text, kind }, order) =>
      ({ text: fit(text, (box.width - 14) / slim), kind, x: box.width / 2, y: 36 + order * lineHeight }))];
  }
  const all = lines(node), start = 12 + name.length * wide + outline.gap;
  const kind = all.find((line) => line.kind !== "screen")?.kind ?? "screen";
  return [{ text: name, kind: "type", x: 12, y: 19 },
    { text: fit(all.map(({ text }) => text).join(", "), (box.width - start - 8) / slim), kind, x: start, y: 19 }];
}

/** @param {string} text @param {number} length */
function fit(text, length) {
  if (text.length <= length) return text;
  return length < 3 ? "" : `${clip(text, Math.floor(length) - 1)}…`;
}

/**
 * Returns the line from a node to its child.
 * @param {Box} from
 * @param {Box} to
 * @param {boolean} isOutline
 */
export function edge(from, to, isOutline) {
  if (isOutline) return `M${from.x + 12} ${from.y + from.height}V${to.y + to.height / 2}H${to.x}`;
  const x = from.x + from.width / 2, y = from.y + from.height, end = to.x + to.width / 2, bend = (y + to.y) / 2;
  return `M${x} ${y}C${x} ${bend} ${end} ${bend} ${end} ${to.y}`;
}
