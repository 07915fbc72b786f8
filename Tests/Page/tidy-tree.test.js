import assert from "node:assert/strict";
import { test } from "node:test";
import { tidyTree } from "../../Public/session/tidy-tree.js";

let next = 0;
const tree = (...children) => ({ id: next++, children });
const nodes = (root) => [root, ...root.children.flatMap(nodes)];

/** Returns a tree of a size, which depends only on the seed. */
function anyTree(seed, size) {
  let random = seed;
  const all = [tree()];
  while (all.length < size) {
    random = (random * 1103515245 + 12345) % 2147483648;
    const child = tree();
    all[random % all.length].children.push(child);
    all.push(child);
  }
  return all[0];
}

/** Checks the rules of a tidy drawing. */
function assertTidy(root) {
  const positions = tidyTree(root);
  const levels = new Map();
  for (const node of nodes(root)) {
    const { x, depth } = positions.get(node.id);
    assert.ok(x >= 0 && Number.isFinite(x));
    if (!levels.has(depth)) levels.set(depth, []);
    levels.get(depth).push(x);
    const places = node.children.map((child) => positions.get(child.id).x);
    if (places.length) assert.ok(Math.abs((places[0] + places.at(-1)) / 2 - x) < 1e-9, "a parent is over the middle of its children");
  }
  for (const places of levels.values()) {
    places.reduce((left, right) => {
      assert.ok(right - left > 1 - 1e-9, `neighbours are at least 1 apart, in order: ${left}, ${right}`);
      return right;
    });
  }
  return positions;
}

test("the layout places a single coordinator at the origin", () => {
  const root = tree();
  assert.deepEqual(tidyTree(root).get(root.id), { x: 0, depth: 0 });
});

test("siblings are placed side by side in order, with their parent above the middle", () => {
  const root = tree(tree(), tree(), tree());
  const positions = assertTidy(root);
  assert.deepEqual(root.children.map((child) => positions.get(child.id).x), [0, 1, 2]);
  assert.equal(positions.get(root.id).x, 1);
});

test("in 150 different trees no nodes overlap, and each parent is centred", () => {
  for (let seed = 1; seed <= 150; seed++) assertTidy(anyTree(seed, 1 + seed));
});

test("a small subtree between large ones is placed in the middle of the gap", () => {
  const wide = () => tree(tree(), tree(), tree());
  const root = tree(wide(), tree(), wide());
  const positions = assertTidy(root);
  const [first, second, third] = root.children.map((child) => positions.get(child.id).x);
  assert.ok(Math.abs(second - first - (third - second)) < 1e-9);
});

test("equal subtrees have equal layouts", () => {
  const part = () => tree(tree(), tree(tree(), tree()));
  const root = tree(part(), tree(), part());
  const positions = assertTidy(root);
  const shape = (node) => nodes(node).map((each) => (positions.get(each.id).x - positions.get(node.id).x).toFixed(6));
  assert.deepEqual(shape(root.children[0]), shape(root.children[2]));
});

test("a deep tree is laid out without recursion, and a wide tree without quadratic time", () => {
  const deep = tree();
  let last = deep;
  for (let depth = 0; depth < 20_000; depth++) last.children.push(last = tree());
  assert.equal(tidyTree(deep).get(last.id).depth, 20_000);
  const wide = tree(...Array.from({ length: 20_000 }, () => tree(tree())));
  assert.equal(tidyTree(wide).get(wide.children[19_999].id).x, 19_999);
});

test("subtrees are packed, so a bent tree gets no wider than necessary", () => {
  const root = tree(tree(tree(tree())), tree());
  const positions = assertTidy(root);
  assert.equal(Math.max(...[...positions.values()].map(({ x }) => x)), 1);
});
