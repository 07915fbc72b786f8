import assert from "node:assert/strict";
import { test } from "node:test";
import { curve, layOut } from "../../Public/map/layered-layout.js";

const node = (id) => ({ id, width: 40 + (id.length * 37) % 90, height: 34 });

/** Returns an app with many screens for a seed: a tree with edges back, across, and to the first screen. */
function large(count, seed) {
  let random = seed;
  const next = (limit) => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) % limit;
  const nodes = Array.from({ length: count }, (_, index) => node(`screen${"x".repeat(next(9))}${index}`));
  const edges = nodes.slice(1).flatMap(({ id }, index) => {
    const parent = nodes[next(index + 1)].id;
    return [{ from: parent, to: id }, { from: id, to: parent }, { from: id, to: nodes[next(count)].id }];
  });
  return { nodes, edges: edges.filter(({ from, to }) => from !== to) };
}

const box = ({ x, y }, { width, height }) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });

test("each screen's column is its distance from the start, which is at the left", () => {
  const { places } = layOut(["a", "b", "c"].map(node), [{ from: "a", to: "b" }, { from: "b", to: "c" }, { from: "c", to: "a" }]);
  const [a, b, c] = ["a", "b", "c"].map((id) => places.get(id).x);
  assert.ok(a < b && b < c);
});

for (const seed of [1, 2, 3, 4, 5]) {
  test(`sixty screens do not overlap, and no line crosses a screen (${seed})`, () => {
    const { nodes, edges } = large(60, seed), { places, lines, width, height } = layOut(nodes, edges);
    const boxes = nodes.map((each) => [each.id, box(places.get(each.id), each)]);
    for (const [id, one] of boxes) {
      assert.ok(one.left >= 0 && one.top >= 0 && one.right <= width && one.bottom <= height, `${id} is in the picture`);
      for (const [other, two] of boxes) {
        const isApart = one.right <= two.left || two.right <= one.left || one.bottom <= two.top || two.bottom <= one.top;
        assert.ok(id === other || isApart, `${id} and ${other}`);
      }
    }
    lines.forEach((points, index) => {
      const { from, to } = edges[index];
      assert.deepEqual([points[0], points.at(-1)], [places.get(from), places.get(to)]);
      for (const { x, y } of points.slice(1, -1)) {
        for (const [id, area] of boxes) {
          const isIn = x > area.left && x < area.right && y > area.top && y < area.bottom;
          assert.ok(!isIn, `the line from ${from} to ${to} passes through ${id}`);
        }
      }
    });
  });
}

test("the same map has the same layout each time", () => {
  const { nodes, edges } = large(40, 9);
  assert.deepEqual(layOut(nodes, edges), layOut(nodes, edges));
});

test("an unreachable screen has a place in the layout, and a single screen has a place too", () => {
  const { places, lines } = layOut([node("a"), node("b")], []);
  assert.equal(places.size, 2);
  assert.deepEqual(lines, []);
  assert.ok(Number.isFinite(layOut([node("a")], []).height));
});

test("a line between two screens of a column is an arc beside the column", () => {
  assert.equal(curve([{ x: 10, y: 0 }, { x: 50, y: 20 }, { x: 10, y: 40 }]), "M10 0C50 0 50 40 10 40");
  assert.equal(curve([{ x: 0, y: 0 }, { x: 10, y: 4 }]), "M0 0C5 0 5 4 10 4");
});
