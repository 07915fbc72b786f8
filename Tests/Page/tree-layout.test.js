import assert from "node:assert/strict";
import { test } from "node:test";
import { folded, layOut, lines, told, written } from "../../Public/session/tree-layout.js";

let next = 0;
const node = (type, screens = [], children = [], work = []) => ({
  id: next++, type, name: type, children, work: work.map((name) => ({ name })), screens: screens.map((screen, id) => ({ id, screen })),
});
const room = 880;

test("a tree with enough room is drawn as a tidy tree with complete labels", () => {
  const child = node("ExploreChannelCoordinator", ["exploreChannelOfAWorkspace"]);
  const top = node("AppCoordinator", [], [child, node("ChatCoordinator", ["chatList"])]);
  const layout = layOut(top, room);
  assert.ok(!layout.isOutline);
  assert.deepEqual(written(child, layout.boxes.get(child.id), false).map(({ text }) => text), ["ExploreChannel", "exploreChannelOfAWorkspace 0"]);
});

test("forty siblings are drawn as an outline that fits, one per line", () => {
  const children = Array.from({ length: 40 }, () => node("CellCoordinator", ["cell"]));
  const layout = layOut(node("AppCoordinator", [], children), room);
  assert.ok(layout.isOutline);
  assert.ok(layout.width <= room);
  const places = children.map(({ id }) => layout.boxes.get(id));
  for (let order = 1; order < 40; order++) assert.ok(places[order].y >= places[order - 1].y + places[order - 1].height);
});

test("a deep outline keeps its order, and no box begins to the left of its parent's box", () => {
  const deep = Array.from({ length: 60 }).reduce((child) => node("StepCoordinator", ["step"], [child]), node("StepCoordinator"));
  const layout = layOut(deep, 300);
  for (let above = deep; above.children.length; above = above.children[0]) {
    const [parent, child] = [layout.boxes.get(above.id), layout.boxes.get(above.children[0].id)];
    assert.ok(child.x >= parent.x && child.y > parent.y);
  }
});

test("a node shows its pending effects, even if there is no room for its screens", () => {
  const all = lines(node("AppCoordinator", ["a", "b", "c", "d", "e", "f"], [], ["sync"]));
  assert.deepEqual(folded(all).map(({ text }) => text), ["a 0", "b 1", "and 4 more", "waits for sync"]);
});

test("a shortened label has the whole text as its description", () => {
  const long = node("AppCoordinator", ["s".repeat(80)]);
  const layout = layOut(long, room);
  assert.match(written(long, layout.boxes.get(long.id), false)[1].text, /^s+…$/);
  assert.equal(told(long), `AppCoordinator: ${"s".repeat(80)} 0`);
  assert.equal(told(node("AppCoordinator")), "AppCoordinator");
});

test("a leaked node shows what retains it instead of its screens", () => {
  assert.deepEqual(lines({ ...node("KeptCoordinator"), leak: { holder: "Kept.itself" } }), [{ text: "leaked, held by Kept.itself", kind: "fault" }]);
});
