import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../Public/client/client.js";
import { Follower } from "../../Public/client/follower.js";

/** A world without network and without time: what happens is said by the test. */
function world() {
  const said = [], sources = [], pauses = [];
  let answer = async () => ({ revision: 1 }), waiting = null;
  const follower = new Follower({
    open() {
      const source = new EventTarget();
      source.close = () => { source.isClosed = true; };
      sources.push(source);
      return source;
    },
    read: JSON.parse,
    look: () => answer(),
    wait(run, milliseconds) {
      pauses.push(milliseconds);
      waiting = run;
      return 1;
    },
    stopWaiting() { waiting = null; },
  }, {
    state: (state, isFirst) => said.push(`${isFirst ? "first " : ""}state ${state.revision}`),
    connection: (connection) => said.push(connection),
    gone: (problem) => said.push(`gone: ${problem.message}`),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    follower, said, sources, pauses,
    answers(next) { answer = next; },
    state(state) { sources.at(-1).dispatchEvent(new MessageEvent("state", { data: JSON.stringify(state) })); },
    async breaks(type = "error") {
      sources.at(-1).dispatchEvent(new Event(type));
      await settled();
    },
    async pauseEnds() {
      const run = waiting;
      waiting = null;
      run?.();
      await settled();
    },
    get isWaiting() { return waiting !== null; },
  };
}

const failing = (status, detail = "why") => async () => { throw new Problem(status, detail); };

test("states are told in order, the first of a connection as such", () => {
  const { follower, said, state } = world();
  follower.start();
  state({ revision: 1 });
  state({ revision: 2 });
  assert.deepEqual(said, ["live", "first state 1", "live", "state 2"]);
});

test("a stream that breaks while the session is there is opened again", async () => {
  const here = world();
  here.follower.start();
  await here.breaks();
  assert.ok(here.sources[0].isClosed);
  assert.equal(here.said.at(-1), "first state 1");
  await here.pauseEnds();
  assert.equal(here.sources.length, 2);
  here.state({ revision: 3 });
  assert.deepEqual(here.said.slice(-2), ["live", "first state 3"]);
});

test("a server that does not answer is asked again, after pauses that grow up to a limit", async () => {
  const here = world();
  here.answers(failing(0));
  here.follower.start();
  await here.breaks();
  assert.equal(here.said.at(-1), "server unreachable");
  for (let time = 0; time < 12; time++) await here.pauseEnds();
  assert.ok(here.pauses[1] > here.pauses[0]);
  assert.equal(here.pauses.at(-1), 8_000);
  assert.equal(here.sources.length, 1, "no stream is tried before the session answers");
  here.answers(async () => ({ revision: 9 }));
  await here.pauseEnds();
  await here.pauseEnds();
  here.state({ revision: 9 });
  assert.equal(here.said.at(-2), "live");
  await here.breaks();
  assert.equal(here.pauses.at(-1), here.pauses[0], "after a success the pauses are short again");
});

for (const status of [404, 410]) {
  test(`${status} ends it, with what the server said`, async () => {
    const here = world();
    here.answers(failing(status, "it has expired"));
    here.follower.start();
    await here.breaks();
    assert.deepEqual(here.said.slice(-2), ["ended", "gone: it has expired"]);
    assert.ok(!here.isWaiting);
  });
}

test("503 is no end: it is tried again", async () => {
  const here = world();
  here.answers(failing(503));
  here.follower.start();
  await here.breaks();
  assert.equal(here.said.at(-1), "reconnecting");
  assert.ok(here.isWaiting);
});

test("the event end asks how it ended", async () => {
  const here = world();
  here.answers(failing(410, "deleted"));
  here.follower.start();
  await here.breaks("end");
  assert.equal(here.said.at(-1), "gone: deleted");
});

test("a state that says ended closes the stream", () => {
  const { follower, said, sources, state } = world();
  follower.start();
  state({ revision: 4, ended: { reason: "finished" } });
  assert.deepEqual(said, ["live", "first state 4", "ended"]);
  assert.ok(sources[0].isClosed);
});

test("one that was stopped says nothing more, whatever comes late", async () => {
  const here = world();
  here.answers(failing(0));
  here.follower.start();
  const source = here.sources[0];
  here.follower.stop();
  source.dispatchEvent(new Event("error"));
  source.dispatchEvent(new MessageEvent("state", { data: '{"revision":2}' }));
  await here.pauseEnds();
  assert.deepEqual(here.said, []);
});
