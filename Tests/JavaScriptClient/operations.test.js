import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../../Clients/JavaScript/usher.js";
import { random } from "./support/random.js";
import { ScreenList } from "./support/screen-list.js";

const screen = (id, more = {}) => ({ id, screen: `s${id}`, coordinator: "app", shown: "push", state: {}, ...more });
const state = (ids, more = {}) => ({ session: "s", app: "a", revision: 1, back: false, changes: [], pending: [],
  stack: ids.map((id) => (typeof id === "number" ? screen(id) : id)), ...more });
const tabs = (selected) => ({ selected, names: ["home", "chat"] });

const rows = [
  ["a first state is inserted from the bottom", null, state([1, 2]), [{ insert: screen(1), at: 0 }, { insert: screen(2), at: 1 }]],
  ["screens that left are removed from the top, before new screens are inserted", state([1, 2, 3]), state([1, 4]),
    [{ remove: 3 }, { remove: 2 }, { insert: screen(4), at: 1 }]],
  ["only the screen in mid-stack that left is removed", state([1, 2, 3]), state([1, 3]), [{ remove: 2 }]],
  ["equal states need no operation, whatever the order of members", state([screen(1, { state: { a: 1, b: [2] } })]),
    state([screen(1, { state: { b: [2], a: 1 } })]), []],
  ["a changed state is an update", state([1]), state([screen(1, { state: { count: 1 } })]), [{ update: screen(1, { state: { count: 1 } }) }]],
  ["changed events are an update", state([screen(1, { events: { go: {} } })]), state([1, 2]),
    [{ insert: screen(2), at: 1 }, { update: screen(1) }]],
  ["a list that has become an object is an update", state([screen(1, { state: [] })]), state([1]), [{ update: screen(1) }]],
  ["selecting a tab hides the screens of the previous tab", state([1, 2], { tabs: tabs("home") }), state([3], { tabs: tabs("chat") }),
    [{ remove: 2, hidden: true }, { remove: 1, hidden: true }, { select: tabs("chat") }, { insert: screen(3), at: 0 }]],
  ["a screen that was popped while the tab changed is not hidden but removed", state([1, 2], { tabs: tabs("home") }),
    state([3], { tabs: tabs("chat"), changes: [{ pop: [2] }, { select: "chat" }] }),
    [{ remove: 2 }, { remove: 1, hidden: true }, { select: tabs("chat") }, { insert: screen(3), at: 0 }]],
  ["a modal over a tab is removed, not hidden", state([1, screen(2, { shown: "sheet" })], { tabs: tabs("home") }), state([3], { tabs: tabs("chat") }),
    [{ remove: 2 }, { remove: 1, hidden: true }, { select: tabs("chat") }, { insert: screen(3), at: 0 }]],
  ["tabs that are gone are deselected", state([1], { tabs: tabs("home") }), state([2]), [{ remove: 1 }, { select: null }, { insert: screen(2), at: 0 }]],
];

for (const [name, before, after, expected] of rows) {
  test(name, () => assert.deepEqual(operations(before, after), expected));
}

test("the operations between any two stacks turn the first stack into the second stack", () => {
  const next = random(16);
  const any = () => state([1, 2, 3, 4, 5, 6].filter(() => next() < 0.6).sort(() => next() - 0.5)
    .map((id) => screen(id, { state: { count: Math.floor(next() * 2) } })), next() < 0.5 ? {} : { tabs: tabs(next() < 0.5 ? "home" : "chat") });
  const view = new ScreenList();
  let before = null;
  for (let step = 0; step < 2_000; step++) {
    const after = any();
    for (const operation of operations(before, after)) {
      if ("remove" in operation) view.remove(operation.remove, operation.hidden);
      else if ("select" in operation) view.select(operation.select);
      else if ("insert" in operation) view.insert(operation.insert, operation.at);
      else view.update(operation.update);
    }
    assert.deepEqual([view.screens, view.tabs], [after.stack, after.tabs ?? null]);
    before = after;
  }
});
