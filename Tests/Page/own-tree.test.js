import assert from "node:assert/strict";
import { test } from "node:test";
import { topNode } from "../../Public/session/own-tree.js";

const leaf = (type, zombie) => ({ type, screens: [], zombie, children: [] });

test("coordinators that the app itself manages have their paths in the tree as ids", () => {
  const app = { ...leaf("AppCoordinator"), children: [leaf("HomeCoordinator"), leaf("LoginCoordinator", true)] };
  const top = topNode({ roots: [app], zombies: [], leaks: [] });
  assert.deepEqual([top.id, ...top.children.map((child) => child.id)], ["own 0", "own 0.0", "own 0.1"]);
  assert.equal(top.children[1].zombie, true);
});

test("several root coordinators are drawn below one node", () => {
  const top = topNode({ roots: [leaf("A"), leaf("B")], zombies: [], leaks: [] });
  assert.deepEqual([top.type, top.children.map((child) => child.type)], ["App", ["A", "B"]]);
  assert.equal(topNode({ roots: [], zombies: [], leaks: [] }), null);
});
