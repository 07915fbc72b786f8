// A tidy tree: parents are centered above their children, equal subtrees look alike, and the drawing is as narrow as possible.
//
// The algorithm is Reingold and Tilford, "Tidier Drawings of Trees" (1981), in linear time by Buchheim, Jünger and Leipert,
// "Improving Walker's Algorithm to Run in Linear Time" (2002); the steps have the names in that paper.

/** @typedef {{ id: number | string, children: Shape[] }} Shape A node of the tree to draw. */
/** @typedef {{ x: number, depth: number }} Position In units: the distance between neighbours is at least 1. */

/** The layout's data about a node. */
class Note {
  /** @param {number | string} id @param {Note | null} parent @param {number} number Its number among its siblings. @param {number} depth */
  constructor(id, parent, number, depth) {
    this.id = id;
    this.parent = parent;
    this.number = number;
    this.depth = depth;
    /** @type {Note[]} */ this.children = [];
    this.preliminary = 0;
    this.modifier = 0;
    this.shift = 0;
    this.change = 0;
    /** @type {Note | null} The next node of the contour, if this node has no child. */ this.thread = null;
    /** @type {Note} */ this.ancestor = this;
  }

  /** @returns {Note | null} */
  get nextLeft() { return this.children[0] ?? this.thread; }
  /** @returns {Note | null} */
  get nextRight() { return this.children.at(-1) ?? this.thread; }
}

/**
 * Returns the position of each node of a tree.
 * @param {Shape} root
 * @returns {Map<number | string, Position>} The leftmost node is at 0.
 */
export function tidyTree(root) {
  const notes = inPreorder(root);
  for (const note of [...notes].reverse()) firstWalk(note);
  return secondWalk(notes);
}

/**
 * Returns all nodes, parents before children; without recursion, because the tree may be deep.
 * @param {Shape} root
 */
function inPreorder(root) {
  const notes = [];
  /** @type {[Shape, Note][]} */
  const waiting = [[root, new Note(root.id, null, 0, 0)]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, note] = next;
    notes.push(note);
    note.children = node.children.map((child, number) => new Note(child.id, note, number, note.depth + 1));
    for (let number = note.children.length - 1; number >= 0; number--) waiting.push([node.children[number], note.children[number]]);
  }
  return notes;
}

/**
 * Places the subtrees of a node side by side, and the node above their middle.
 * @param {Note} note A node whose descendants are already placed.
 */
function firstWalk(note) {
  let ancestor = note.children[0];
  note.children.forEach((child, number) => {
    const left = note.children[number - 1];
    const middle = child.children.length ? (child.children[0].preliminary + /** @type {Note} */ (child.children.at(-1)).preliminary) / 2 : 0;
    child.preliminary = left ? left.preliminary + 1 : middle;
    child.modifier = left ? child.preliminary - middle : 0;
    ancestor = apportion(child, left, ancestor);
  });
  executeShifts(note);
  if (!note.parent && note.children.length) {
    note.preliminary = (note.children[0].preliminary + /** @type {Note} */ (note.children.at(-1)).preliminary) / 2;
  }
}

/**
 * Moves a subtree to the right until it touches none of the subtrees to its left.
 * @param {Note} note
 * @param {Note | undefined} left Its left sibling.
 * @param {Note} defaultAncestor
 * @returns {Note}
 */
function apportion(note, left, defaultAncestor) {
  if (!left || !note.parent) return defaultAncestor;
  let innerRight = note, outerRight = note, innerLeft = left, outerLeft = note.parent.children[0];
  let innerRightSum = note.modifier, outerRightSum = note.modifier, innerLeftSum = left.modifier, outerLeftSum = outerLeft.modifier;
  while (innerLeft.nextRight && innerRight.nextLeft) {
    innerLeft = innerLeft.nextRight;
    innerRight = innerRight.nextLeft;
    outerLeft = /** @type {Note} */ (outerLeft.nextLeft);
    outerRight = /** @type {Note} */ (outerRight.nextRight);
    outerRight.ancestor = note;
    const shift = innerLeft.preliminary + innerLeftSum - (innerRight.preliminary + innerRightSum) + 1;
    if (shift > 0) {
      moveSubtree(innerLeft.ancestor.parent === note.parent ? innerLeft.ancestor : defaultAncestor, note, shift);
      innerRightSum += shift;
      outerRightSum += shift;
    }
    innerLeftSum += innerLeft.modifier;
    innerRightSum += innerRight.modifier;
    outerLeftSum += outerLeft.modifier;
    outerRightSum += outerRight.modifier;
  }
  if (innerLeft.nextRight && !outerRight.nextRight) {
    outerRight.thread = innerLeft.nextRight;
    outerRight.modifier += innerLeftSum - outerRightSum;
  }
  if (innerRight.nextLeft && !outerLeft.nextLeft) {
    outerLeft.thread = innerRight.nextLeft;
    outerLeft.modifier += innerRightSum - outerLeftSum;
    return note;
  }
  return defaultAncestor;
}

/**
 * Moves a subtree, and records that the subtrees in between move by a part of the distance.
 * @param {Note} from
 * @param {Note} to
 * @param {number} shift
 */
function moveSubtree(from, to, shift) {
  const share = shift / (to.number - from.number);
  to.change -= share;
  to.shift += shift;
  from.change += share;
  to.preliminary += shift;
  to.modifier += shift;
}

/** @param {Note} note */
function executeShifts(note) {
  let shift = 0, change = 0;
  for (let number = note.children.length - 1; number >= 0; number--) {
    const child = note.children[number];
    child.preliminary += shift;
    child.modifier += shift;
    change += child.change;
    shift += child.shift + change;
  }
}

/**
 * Adds up the modifiers from the root down.
 * @param {Note[]} notes
 */
function secondWalk(notes) {
  /** @type {Map<Note, number>} */
  const sums = new Map();
  /** @type {Map<number | string, Position>} */
  const positions = new Map();
  let leftmost = Infinity;
  for (const note of notes) {
    const sum = note.parent ? /** @type {number} */ (sums.get(note.parent)) + note.parent.modifier : 0;
    sums.set(note, sum);
    positions.set(note.id, { x: note.preliminary + sum, depth: note.depth });
    leftmost = Math.min(leftmost, note.preliminary + sum);
  }
  for (const position of positions.values()) position.x -= leftmost;
  return positions;
}
