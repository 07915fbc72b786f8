import assert from "node:assert/strict";
import { test } from "node:test";
import { reason } from "../../Public/inspector/coordinator.js";

const bare = { id: 1, type: "Login", name: "login", screens: [], work: [], children: [] };

for (const [node, isTop, words] of [
  [{ screens: [{ id: 5, screen: "login" }] }, false, "It is alive because it shows login 5."],
  [{ work: [{ name: "signIn" }], screens: [{ id: 5, screen: "login" }] }, false, "It is alive because it shows login 5 and it waits for signIn."],
  [{ work: [{ name: "timer" }] }, false, "It is alive because it waits for a timer."],
  [{ children: [{ ...bare, type: "Home" }, { ...bare, type: "Chat" }] }, true, "It is alive because Home and Chat run below it."],
  [{}, true, "It is the root, so it is alive as long as the session is."],
  [{ leak: { holder: "Cache.items", revision: 3 } }, false, "It finished, but Cache.items holds it: a leak."],
  [{ zombie: true }, false, "It shows nothing any more, but the app still keeps it: a zombie."],
  [{ isGhost: true }, false, "It finished with this input, and is no longer in memory."],
]) {
  test(`the details of a coordinator say why it is alive: ${JSON.stringify(node).slice(0, 60)}`, () => assert.equal(reason({ ...bare, ...node }, isTop), words));
}
