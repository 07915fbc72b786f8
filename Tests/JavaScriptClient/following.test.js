// Which states a session follows: states of an earlier epoch, repeated tags, and answers that do not come from the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../Clients/JavaScript/usher.js";
import { isStream, json, opened, refusal, scripted, stream } from "./support/script.js";
import { until } from "./support/world.js";

const next = (revision) => ({ ...opened, revision });
const page = (status) => new Response("<h1>Not here</h1>", { status, headers: { "Content-Type": "text/html" } });
/** Returns an answer with the entity tag of a server that can lose revisions in a crash. */
const tagged = (revision, run, headers = {}) => json(next(revision), 200, { ETag: `"${revision}.${run}"`, ...headers });
const isLive = (session) => until(() => session.connection === "live", "the session is live");
/** Returns the pauses of the backoff; longer timers limit requests. */
const backoffs = (pauses) => pauses.filter((pause) => pause < 5_000);

/** Opens a session; a script answers all requests except the opening. */
async function follow(answer, { first = json(opened, 201), changes, ...settings } = {}) {
  const script = scripted((request, count) => (request.path === "/sessions" ? first : answer(request, count)), changes);
  return { session: await open("http://server", "a", { world: script.world, ...settings }), ...script };
}

for (const [name, mark] of [["unchanged", ""], ["without the weak mark of a compressing proxy", "W/"]]) {
  test(`a long poll sends the state's entity tag, ${name}`, async () => {
    const { session, requests } = await follow((request) => {
      if (isStream(request)) return page(200);
      const isKnown = request.headers["If-None-Match"] === '"3.run"';
      return isKnown ? new Promise(() => {}) : json(next(3), 200, { ETag: `${mark}"3.run"` });
    });
    const polls = () => requests.filter(({ headers }) => headers.Prefer);
    await until(() => polls().length > 0, "it polls");
    assert.deepEqual([polls().length, polls()[0].headers["If-None-Match"], session.tag], [1, '"3.run"', '"3.run"']);
    session.close();
  });
}

test("the pauses between polls grow while the polls return a known state", async () => {
  const { session, requests, pauses } = await follow((request) => (isStream(request) ? page(200) : json(next(3))));
  await until(() => backoffs(pauses).some((pause) => pause > 1_600), "pauses grow");
  const polls = requests.filter(({ headers }) => headers.Prefer).length;
  assert.ok(Math.abs(polls - backoffs(pauses).length) <= 1, `${polls} polls, ${backoffs(pauses).length} pauses`);
  session.close();
});

test("after five minutes of polls the client tries a stream again, even if the clock was set back", async () => {
  let uptime = 0, streams = 0;
  const { session, requests } = await follow((request) => {
    if (isStream(request)) return streams++ ? new Promise(() => {}) : page(200);
    const isPoll = request.headers.Prefer;
    if (isPoll) uptime += 100_000;
    return isPoll && uptime > 300_000 ? new Promise(() => {}) : json(next(3));
  }, { changes: { now: () => -uptime, uptime: () => uptime } });
  await until(() => streams === 2, "a stream is tried again");
  assert.equal(requests.filter(({ headers }) => headers.Prefer).length, 3);
  session.close();
});

test("a stored answer does not move the view back to an earlier state while the stream reconnects", async () => {
  const first = stream(next(1)), second = stream(), streams = [first, second], seen = [];
  const { session, requests } = await follow((request) =>
    (isStream(request) ? streams.shift() : json(next(3), 200, { "Idempotent-Replayed": "true" })),
  { view: { state: ({ revision }) => seen.push(revision) } });
  await isLive(session);
  first.tell(next(5));
  await until(() => session.state.revision === 5, "the newest is there");
  first.fail();
  await until(() => requests.filter(isStream).length === 2, "the stream is made again");
  assert.equal((await session.back()).revision, 3);
  assert.deepEqual(seen, [1, 5]);
  second.tell(next(4));
  await until(() => session.state.revision === 4, "the stream's first may be older");
  session.close();
});

// After a loss, an epoch continues under its name with a number.
for (const run of ["b", "a-1"]) {
  test(`a state of another run (${run}) replaces the current one, whatever its revision, unless it is a stored answer`, async () => {
    const answers = [tagged(5, run, { "Idempotent-Replayed": "true" }), tagged(4, run), tagged(3, run), json(next(2))];
    const first = json(next(9), 201, { ETag: '"9.a"' });
    const { session } = await follow(() => answers.shift(), { first, isWatching: false });
    const seen = [];
    for (let count = 0; count < 4; count++) {
      await session.back();
      seen.push([session.state.revision, session.tag]);
    }
    const taken = [4, `"4.${run}"`];
    assert.deepEqual(seen, [[9, '"9.a"'], taken, taken, taken]);
  });
}

test("a state of another run is also accepted if a refusal contains the state", async () => {
  const { session } = await follow(() => refusal(409, "stale-screen", { current: next(4) }, { ETag: '"4.b"' }),
    { first: json(next(9), 201, { ETag: '"9.a"' }), isWatching: false });
  await assert.rejects(session.back(), { status: 409 });
  assert.deepEqual([session.state.revision, session.tag], [4, '"4.b"']);
});

test("a state from a stream has the event's id as its entity tag", async () => {
  const live = stream();
  const { session } = await follow(() => live);
  live.send({ event: "state", id: "2.run", data: next(2) });
  await until(() => session.state.revision === 2, "it came");
  assert.equal(session.tag, '"2.run"');
  session.close();
});

for (const [name, answer] of [
  ["a proxy's 404", () => page(404)], ["a proxy's 403", () => page(403)], ["a proxy's 401", () => page(401)],
  ["400", () => refusal(400, "malformed-request")], ["500 handler-failed", () => refusal(500, "handler-failed")],
]) {
  test(`${name} does not end the session: the stream is tried again after a pause`, async () => {
    const streams = [answer, answer, () => stream(next(2))];
    const { session, pauses } = await follow(() => streams.shift()());
    await isLive(session);
    assert.deepEqual([session.ending, session.state.revision, backoffs(pauses).length], [null, 2, 2]);
    session.close();
  });
}

test("a poll that gets a proxy's error page does not end the session", async () => {
  const answers = [json(next(1)), page(404), json(next(2)), json(next(3))];
  const { session } = await follow((request) => (isStream(request) ? page(200) : answers.shift() ?? new Promise(() => {})));
  await until(() => session.state.revision === 3, "it goes on");
  assert.equal(session.ending, null);
  session.close();
});

test("a client with a reader's token still follows the session after its input or its DELETE was refused", async () => {
  const live = stream(next(1)), endings = [];
  const { session } = await follow((request) => (isStream(request) ? live : refusal(403, "wrong-token")),
    { view: { gone: (ending) => endings.push(ending) } });
  await isLive(session);
  await assert.rejects(session.back(), { status: 403, isDenied: true });
  await assert.rejects(session.end(), { status: 403, isDenied: true });
  live.tell(next(2));
  await until(() => session.state.revision === 2, "it follows");
  assert.deepEqual([endings, session.connection], [[], "live"]);
  session.close();
});
