import assert from "node:assert/strict";
import { test } from "node:test";
import { body, foldBacks, graph, outside, told, toldAlone } from "../../Public/map/graph.js";

const state = (screen, digest) => ({ screen, digest, stacks: screen, depth: 0, untried: 0 });
const input = (from, to, kind, label, sent = {}) => ({ from, to, kind, label, input: sent, outcome: "accepted" });
const map = {
  app: "a", complete: true, offered: 0, tried: 0, findings: [],
  states: [state("home", "0"), state("list", "1"), state("list", "2")],
  inputs: [
    input(0, 1, "event", "open", { screen: 7, event: "open" }), input(1, 0, "back", "back"), input(1, 0, "popped", "swipe list"),
    input(1, 2, "event", "more"), input(0, 1, "link", "link list", { open: ["list"] }),
    { ...input(0, undefined, "event", "fail"), outcome: "failed" },
  ],
};

test("the graph has one node for all states with the same screen, and deep links come from a separate node", () => {
  const { nodes, edges } = graph(map, []);
  assert.deepEqual(nodes.map(({ name }) => name), ["home", "list", outside]);
  assert.deepEqual(edges.map(({ from, to, labels }) => [from, to, labels.join()]),
    [["home", "list", "open"], ["list", "home", "back"], [outside, "list", "link list"]]);
});

test("the graph marks visited screens, the current screen and inputs that were not tried", () => {
  const found = graph(map, [{ revision: 1, input: "create", digest: "0" }, { revision: 2, input: "event open", digest: "1" }]);
  assert.deepEqual(found.nodes.map(({ isVisited, isHere }) => [isVisited, isHere]), [[true, false], [true, true], [false, false]]);
  assert.deepEqual(found.edges.map(({ isWalked }) => isWalked), [true, false, false]);
  assert.deepEqual(found.ways.map(({ label, target, isWalked }) => [label, target, isWalked]), [["back", "home", false], ["more", "list", false]]);
  assert.match(told(map, found), /seen 2 of 2 screens and walked 1 of 2 ways\.$/);
});

test("for a session whose state is not on the map, the graph shows no inputs, and the text explains that", () => {
  const found = graph({ ...map, complete: false, bound: "time" }, [{ revision: 1, input: "create", digest: "9" }, { revision: 2, input: "back" }]);
  assert.deepEqual([found.here, found.ways], [null, []]);
  assert.match(told({ ...map, complete: false, bound: "time" }, found), /not on the map.*incomplete: the exploration reached its limit of time/);
});

test("a pop in the middle of the stack, and a dismissal of a lower modal, name the session's screen at the same place", () => {
  const deep = { ...map, states: [state("home", "0"), state("list", "1"), state("detail", "2")], inputs: [
    input(2, 1, "back", "back", { back: true }), { ...input(2, undefined, "popped", "pop detail", { popped: 3 }), outcome: "refused" },
    input(2, 0, "popped", "pop list", { popped: 2 }), input(2, 1, "dismissed", "dismiss a", { dismissed: 5 }), input(2, 0, "dismissed", "dismiss b", { dismissed: 4 }),
  ] };
  const { ways } = graph(deep, [{ revision: 1, input: "create", digest: "2" }]);
  const session = { stack: [{ id: 20, shown: "root" }, { id: 30, shown: "sheet" }, { id: 31, shown: "sheet" }, { id: 32, shown: "push" }, { id: 33, shown: "push" }] };
  assert.deepEqual(ways.map((way) => [way.label, way.target, body(way, session)]), [
    ["back", "list", { screen: 33, back: true }], ["back", "home", { popped: 32 }], ["dismiss", "list", { dismissed: 31 }], ["dismiss", "home", { dismissed: 30 }],
  ]);
});

test("if two inputs lead to the same state, only the input that was sent is marked as walked", () => {
  const twins = { ...map, inputs: [input(0, 1, "event", "open", { event: "open" }), input(0, 1, "event", "show", { event: { show: { id: 1 } } })] };
  const steps = (sent) => [{ revision: 1, input: "create", digest: "0" }, { revision: 2, input: sent, digest: "1" }, { revision: 3, input: "event away", digest: "0" }];
  const walked = (sent) => graph(twins, steps(sent)).ways.map(({ isWalked }) => isWalked);
  assert.deepEqual([walked("event open"), walked("event show"), walked("open")], [[true, false], [false, true], [false, false]]);
  const odd = { ...map, inputs: [input(0, 1, "event", "popped", { event: "popped" }), input(0, 1, "event", "none", { event: null }), input(0, 1, "event", "many", { event: { a: 1, b: 2 } })] };
  assert.deepEqual(["event popped", "event ", "popped"].map((sent) => graph(odd, steps(sent)).ways.map(({ isWalked }) => isWalked)),
    [[true, false, false], [false, true, true], [false, false, false]]);
});

test("an input is sent with the session's screen ids, and an input that only the server sends is not sent", () => {
  const session = { stack: [{ id: 3, shown: "root" }, { id: 8, shown: "sheet" }, { id: 9, shown: "push" }, { id: 12, shown: "push" }] };
  const way = (kind, sent, place = 0) => ({ kind, input: sent, label: "", target: "", isWalked: false, place });
  assert.deepEqual(body(way("event", { screen: 1, event: { open: { id: 1 } } }), session), { screen: 12, event: { open: { id: 1 } } });
  assert.deepEqual(body(way("popped", { popped: 3 }), session), { popped: 12 });
  assert.deepEqual(body(way("popped", { popped: 2 }, 1), session), { popped: 9 });
  assert.deepEqual(body(way("dismissed", { dismissed: 2 }), session), { dismissed: 8 });
  assert.deepEqual(body(way("select", { select: "chat" }), session), { select: "chat" });
  assert.deepEqual(body(way("link", { open: ["a"] }), session), { open: ["a"] });
  for (const kind of ["success", "failure", "timer", "message"]) assert.equal(body(way(kind, {}), session), null);
});

test("an edge that leads back along another edge is not drawn, unless the session has walked the edge back", () => {
  const found = graph(map, []);
  const { shown, folded } = foldBacks(found.edges);
  assert.deepEqual(shown.map(({ from, to }) => [from, to]), [["home", "list"], [outside, "list"]]);
  assert.equal(folded, 1);
  const walked = foldBacks(found.edges.map((edge) => ({ ...edge, isWalked: true })));
  assert.equal(walked.folded, 0);
  const alone = foldBacks([{ from: "list", to: "menu", labels: ["back"], isWalked: false }]);
  assert.equal(alone.folded, 0, "the only way between two screens stays");
});

test("without a session, the text says how large the map is, and which limit ended the exploration", () => {
  const found = graph(map, []);
  assert.equal(toldAlone(map, found), "The app has 2 screens and 2 ways between them.");
  assert.match(toldAlone({ ...map, complete: false, bound: "time" }, found), /reached its limit of time\.$/);
});
