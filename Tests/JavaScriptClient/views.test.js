// What a session reports to its views, and which resources it releases at its end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../Clients/JavaScript/usher.js";
import { json, opened, refusal, scripted } from "./support/script.js";

const next = (revision, more = {}) => ({ ...opened, revision, ...more });

test("an error that a view throws at its first state or at a delay is reported, and the session still opens", async () => {
  const reported = [], told = [], answers = [new Error("offline"), json(opened, 201), json(next(2))];
  const script = scripted(() => answers.shift(), { report: (error) => reported.push(error.message) });
  const view = { delayed() { throw new Error("of a delay"); }, state() { throw new Error("of a state"); }, connection: (it) => told.push(it) };
  const session = await open("http://server", "a", { isWatching: false, world: script.world, view });
  assert.deepEqual([session.id, reported, told], ["s1", ["of a delay", "of a state"], ["reconnecting"]]);
  session.observe({ state() { throw new Error("of another"); } })();
  await session.back();
  assert.deepEqual(reported, ["of a delay", "of a state", "of another", "of a state"]);
});

test("a session that has ended stops listening for the network", async () => {
  for (const ending of [() => json(null, 204), () => refusal(410, "session-ended"), () => json(next(2, { stack: [], ended: { reason: "finished" } }))]) {
    let listeners = 0;
    const observeOnline = () => { listeners += 1; return () => { listeners = 0; }; };
    const { world } = scripted(({ path }) => (path === "/sessions" ? json(opened, 201) : ending()), { observeOnline });
    const session = await open("http://server", "a", { isWatching: false, world });
    assert.equal(listeners, 1);
    await (ending().status === 200 ? session.back() : session.end());
    assert.equal(listeners, 0);
  }
});
