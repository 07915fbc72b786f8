// With a proxy that loses, repeats and delays requests: each input counts once, and the view finally shows the server's state.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../Clients/JavaScript/usher.js";
import { Server, missing } from "../Browser/support/server.js";
import { FaultProxy, faults } from "./support/fault-proxy.js";
import { random } from "./support/random.js";
import { ScreenList } from "./support/screen-list.js";
import { hastyWorld, until } from "./support/world.js";

const skip = missing("usher");
const steps = process.env.USHER_LONG ? 10_000 : 600;
const stepsOfSession = 200;

/** Walks a session, and compares the server's count of inputs with the client's. */
async function walk(server, proxy, seed, count) {
  const next = random(seed), view = new ScreenList();
  const session = await open(proxy.url, "tudy", { view, world: hastyWorld(seed) });
  let accepted = 0;
  for (let step = 0; step < count; step++) {
    const { revision } = await input(session, next);
    accepted += 1;
    assert.equal(revision, accepted + 1, `the revision after input ${accepted} of seed ${seed}`);
  }
  // Sends several inputs at once, which must stay in order.
  const answers = await Promise.all(["chat", "home", "chat", "home"].map((tab) => session.select(tab)));
  accepted += answers.length;
  assert.deepEqual(answers.map(({ tabs }) => tabs.selected), ["chat", "home", "chat", "home"]);
  const now = await server.ask("GET", `/sessions/${session.id}`);
  assert.equal(now.revision, accepted + 1, `the server's count of inputs, seed ${seed}`);
  assert.deepEqual(session.state, now);
  assert.deepEqual([view.screens, view.tabs], [now.stack, now.tabs]);
  // Another client's inputs arrive over the stream, whatever happens to this client's requests.
  await server.send(session.id, { select: "chat" });
  const last = await server.ask("GET", `/sessions/${session.id}`);
  await until(() => session.state.revision === last.revision, "the stream brings what others do");
  assert.deepEqual([view.screens, view.tabs], [last.stack, last.tabs]);
  session.close();
}

/** Returns an input that is accepted, and that would be accepted a second time. */
function input(session, next) {
  const { tabs } = session.state;
  if (next() < 0.5) return session.select(next() < 0.5 ? "home" : "chat");
  if (session.state.back === true) return session.back();
  if (tabs.selected === "home" && session.state.stack.length === 1) return session.send("showSearch");
  return session.select("home");
}

for (const fault of [...faults, "all of them"]) {
  test(`with the fault "${fault}", each input is handled once, and the view shows the server's state`, { skip }, async () => {
    const server = await Server.start();
    const next = random(faults.indexOf(fault) + 7);
    const proxy = await FaultProxy.start(server.url, () => {
      if (next() > 0.4) return null;
      return fault === "all of them" ? faults[Math.floor(next() * faults.length)] : fault;
    });
    try {
      const share = fault === "all of them" ? steps : Math.ceil(steps / 10);
      for (let walked = 0; walked < share; walked += stepsOfSession) {
        await walk(server, proxy, walked + 1, Math.min(stepsOfSession, share - walked));
      }
      for (const each of fault === "all of them" ? faults : [fault]) assert.ok(proxy.counts[each] > 0, `${each} happened`);
      // A retry of each of these requests was handled before.
      for (const { headers } of proxy.lateAnswers) assert.equal(headers["idempotent-replayed"], "true");
    } finally {
      await proxy.close();
      await server.close();
    }
  });
}
