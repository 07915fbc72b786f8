import assert from "node:assert/strict";
import { test } from "node:test";
import { coordinatorDifferences, differences, mostDifferences, span, stateDifferences, withGhosts } from "../../Public/inspector/difference.js";
import { readJSON } from "../../Public/client/exact-json.js";

const node = (id, ...children) => ({ id, type: `T${id}`, name: `t${id}`, screens: [], work: [], children });

test("a comparison lists each member that differs, with its place", () => {
  const found = differences({ a: 1, b: { c: [1, 2], d: "x" }, e: null }, { a: 1, b: { c: [1, 3, 4], d: "x" }, f: 0 });
  assert.deepEqual(found, [
    { place: "b.c[1]", before: 2, after: 3 },
    { place: "b.c[2]", before: undefined, after: 4 },
    { place: "e", before: null, after: undefined },
    { place: "f", before: undefined, after: 0 },
  ]);
});

test("a value whose type differs counts as one difference, and equal values have no difference", () => {
  assert.deepEqual(differences({ a: [1] }, { a: { 0: 1 } }), [{ place: "a", before: [1], after: { 0: 1 } }]);
  assert.deepEqual(differences({ a: { b: [1, {}] } }, { a: { b: [1, {}] } }), []);
  assert.deepEqual(differences({}, JSON.parse('{"__proto__":1}')).map(({ place, after }) => [place, after]), [["__proto__", 1]]);
});

test("numbers beyond JavaScript's precision are compared by their digits", () => {
  const [one, same, other] = ["9007199254740993", "9007199254740993", "9007199254740992"].map((digits) => readJSON(`{"n":${digits}}`));
  assert.deepEqual(differences(one, same), []);
  assert.equal(differences(one, other).length, 1);
});

test("a comparison of large lists reports a limited number of differences", () => {
  const list = (first) => Array.from({ length: 5_000 }, (_, index) => first + index);
  assert.ok(differences({ a: list(0) }, { a: list(1) }).length <= mostDifferences + 1);
});

test("only screens whose ids are in both stacks are compared", () => {
  const state = (stack, back) => ({ stack, back, pending: [] });
  const screen = (id, value) => ({ id, screen: "list", state: { value } });
  const found = stateDifferences(state([screen(1, "a"), screen(2, "b")], false), state([screen(2, "c"), screen(3, "d")], true));
  assert.deepEqual(found.map(({ place }) => place), ["list 2.value", "back"]);
});

test("a comparison lists the coordinators that were created and that finished", () => {
  const { created, finished } = coordinatorDifferences(node(1, node(2), node(3, node(4))), node(1, node(2, node(5))));
  assert.deepEqual([created.map(({ id }) => id), finished.map(({ id }) => id)], [[5], [3, 4]]);
  assert.deepEqual(coordinatorDifferences(null, node(1)).created.length, 1);
});

test("the tree shows finished coordinators and their children as ghosts, and marks new coordinators", () => {
  const tree = withGhosts(node(1, node(2, node(5))), node(1, node(2), node(3, node(4))));
  assert.deepEqual(tree.children.map(({ id, isGhost }) => [id, isGhost]), [[2, undefined], [3, true]]);
  assert.equal(tree.children[0].children[0].isNew, true);
  assert.equal(tree.children[1].children[0].isGhost, true);
  assert.equal(withGhosts(node(7), node(1)).children.length, 0);
});

test("a duration is shown with two units at most", () => {
  assert.deepEqual([0, 999, 1_500, 61_000, 7_260_000, 200_000_000, -20].map(span),
    ["0 ms", "999 ms", "1.5 s", "1 min 1 s", "2 h 1 min", "2 d 7 h", "20 ms before"]);
});
