// A layered drawing of a graph (Sugiyama): nodes in columns by their distance from the first node; lines rarely cross, and never
// pass through a node.

/** @typedef {{ id: string, width: number, height: number }} Node */
/** @typedef {{ from: string, to: string }} Edge */
/** @typedef {{ x: number, y: number }} Point The center of a place. */
/** @typedef {{ id: string, column: number, width: number, height: number, y: number, before: Place[], after: Place[] }} Place A node, or a point where a line passes a column. */
/** @typedef {{ width: number, height: number, places: Map<string, Point>, lines: Point[][] }} Layout */

const margin = 16, between = 84, apart = 14, sweeps = 12, thin = 10;

/**
 * @param {Node[]} nodes The first node is the start.
 * @param {Edge[]} edges Edges between different nodes; two edges in opposite directions share a line.
 * @returns {Layout} `lines` has the line of each edge, in the same order, from `from` to `to`.
 */
export function layOut(nodes, edges) {
  const columnOf = distances(nodes, edges);
  /** @type {Map<string, Place>} */
  const places = new Map(nodes.map(({ id, width, height }) => [id, place(id, columnOf.get(id) ?? 0, width, height)]));
  /** @type {Place[][]} */
  const columns = [];
  for (const each of places.values()) (columns[each.column] ??= []).push(each);
  /** @type {Map<string, Place[]>} */
  const chains = new Map();
  for (const { from, to } of edges) {
    const key = pair(from, to), ends = [places.get(from), places.get(to)];
    if (chains.has(key) || !ends[0] || !ends[1]) continue;
    chains.set(key, chain(ends[0], ends[1], columns));
  }
  for (const chain of chains.values()) link(chain);
  order(columns);
  align(columns);
  const lefts = columnEdges(columns);
  /** @param {Place} place @returns {Point[]} The points of a line, which crosses a column horizontally and bends at the column's edge. */
  const points = ({ id, column, width, y, after }) => {
    const left = lefts[column];
    if (id) return [{ x: left + width / 2, y }];
    return after.length ? [{ x: left, y }, { x: left + widthOf(columns[column]), y }] : [{ x: left, y }];
  };
  const all = columns.flat(), last = columns.length - 1;
  return {
    width: lefts[last] + widthOf(columns[last]) + margin,
    height: Math.max(...all.map(({ y, height }) => y + height / 2)) + margin,
    places: new Map([...places].map(([id, place]) => [id, points(place)[0]])),
    lines: edges.map(({ from, to }) => {
      const known = chains.get(pair(from, to)) ?? [], all = known.flatMap(points);
      return known[0]?.id === from ? all : all.reverse();
    }),
  };
}

/** @param {string} one @param {string} other */
function pair(one, other) {
  return JSON.stringify([one, other].sort());
}

/** @param {string} id @param {number} column @param {number} width @param {number} height @returns {Place} */
function place(id, column, width, height) {
  return { id, column, width, height, y: 0, before: [], after: [] };
}

/**
 * Returns each node's distance from the first node in edges; nodes that cannot be reached start at 0 again.
 * @param {Node[]} nodes
 * @param {Edge[]} edges
 */
function distances(nodes, edges) {
  /** @type {Map<string, string[]>} */
  const targets = new Map(nodes.map(({ id }) => [id, []]));
  for (const { from, to } of edges) targets.get(from)?.push(to);
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { id } of nodes) {
    if (found.has(id)) continue;
    found.set(id, 0);
    for (const queue = [id]; queue.length;) {
      const next = /** @type {string} */ (queue.shift());
      for (const target of targets.get(next) ?? []) {
        if (found.has(target)) continue;
        found.set(target, (found.get(next) ?? 0) + 1);
        queue.push(target);
      }
    }
  }
  return found;
}

/**
 * Returns the places that a line passes, from left to right; a line within a column bends out to the next column.
 * @param {Place} one
 * @param {Place} other
 * @param {Place[][]} columns The columns, to which the places in between are added.
 */
function chain(one, other, columns) {
  const [left, right] = one.column <= other.column ? [one, other] : [other, one];
  /** @type {Place[]} */
  const passed = [];
  const add = (/** @type {number} */ column) => {
    const bend = place("", column, 0, thin);
    (columns[column] ??= []).push(bend);
    passed.push(bend);
  };
  if (left.column === right.column) add(left.column + 1);
  for (let column = left.column + 1; column < right.column; column++) add(column);
  return [left, ...passed, right];
}

/** @param {Place[]} chain */
function link(chain) {
  for (let step = 1; step < chain.length; step++) {
    const [one, other] = [chain[step - 1], chain[step]], [left, right] = one.column < other.column ? [one, other] : [other, one];
    left.after.push(right);
    right.before.push(left);
  }
}

/**
 * Sorts each column by the medians of its neighbours, forward and backward.
 * @param {Place[][]} columns
 */
function order(columns) {
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForth = sweep % 2 === 0, list = isForth ? columns : [...columns].reverse();
    for (const column of columns) column.forEach((each, rank) => { each.y = rank; });
    for (const column of list) {
      const ranks = new Map(column.map((each, rank) => {
        const neighbours = isForth ? each.before : each.after;
        return [each, neighbours.length ? median(neighbours.map(({ y }) => y)) : rank];
      }));
      column.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
      column.forEach((each, rank) => { each.y = rank; });
    }
  }
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Moves each place towards its neighbours, as far as the places above and below permit.
 * @param {Place[][]} columns
 */
function align(columns) {
  for (const column of columns) pack(column, column.map(() => 0));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const column of sweep % 2 ? [...columns].reverse() : columns) {
      pack(column, column.map(({ before, after, y }) => {
        const neighbours = [...before, ...after];
        return neighbours.length ? neighbours.reduce((sum, each) => sum + each.y, 0) / neighbours.length : y;
      }));
    }
  }
  const top = Math.min(...columns.flat().map(({ y, height }) => y - height / 2));
  for (const each of columns.flat()) each.y += margin - top;
}

/**
 * Positions the places of a column in order, each as near as possible to its wanted position; places that would overlap are
 * moved together.
 * @param {Place[]} column
 * @param {number[]} wanted
 */
function pack(column, wanted) {
  /** @type {{ offset: number, count: number, first: number }[]} */
  const runs = [];
  let below = 0;
  const starts = column.map((each) => {
    const start = below + each.height / 2;
    below += each.height + apart;
    return start;
  });
  column.forEach((_, index) => {
    let run = { offset: wanted[index] - starts[index], count: 1, first: index };
    for (let last = runs.at(-1); last && last.offset > run.offset; last = runs.at(-1)) {
      runs.pop();
      const count = last.count + run.count;
      run = { offset: (last.offset * last.count + run.offset * run.count) / count, count, first: last.first };
    }
    runs.push(run);
  });
  for (const { offset, count, first } of runs) {
    for (let index = first; index < first + count; index++) column[index].y = starts[index] + offset;
  }
}

/** @param {Place[]} column */
function widthOf(column) {
  return Math.max(0, ...column.map(({ width }) => width));
}

/** @param {Place[][]} columns */
function columnEdges(columns) {
  let x = margin;
  return columns.map((column) => {
    const left = x;
    x += widthOf(column) + between;
    return left;
  });
}

/**
 * Returns a smooth line through points, which starts and ends horizontally; at a turn, the line does not reach the
 * point.
 * @param {Point[]} points
 */
export function curve(points) {
  return points.map(({ x, y }, step) => {
    if (step === 0) return `M${round(x)} ${round(y)}`;
    const last = points[step - 1], next = points[step + 1], bend = (last.x + x) / 2;
    if (next && x > last.x && x > next.x) return `C${round(x)} ${round(last.y)} ${round(x)} ${round(next.y)} ${round(next.x)} ${round(next.y)}`;
    if (step > 1 && last.x > points[step - 2].x && last.x > x) return "";
    return `C${round(bend)} ${round(last.y)} ${round(bend)} ${round(y)} ${round(x)} ${round(y)}`;
  }).join("");
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 10) / 10;
}
