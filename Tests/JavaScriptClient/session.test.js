// How a session handles the answers of servers and proxies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, resume } from "../../Clients/JavaScript/usher.js";
import { ScreenList } from "./support/screen-list.js";
import { isStream, json, opened, refusal, scripted, stream } from "./support/script.js";
import { setHastyTimer, until } from "./support/world.js";

const next = (revision, more = {}) => ({ ...opened, revision, ...more });
/** Opens a session on a scripted server, which answers events in order, and repeats the last answer. */
async function opening(answers, { now = Date.now, ...settings } = {}) {
  let at = 0;
  const script = scripted(({ path }) => {
    if (path === "/sessions") return json(opened, 201);
    return answers[Math.min(at++, answers.length - 1)]();
  }, { now });
  const session = await open("http://server", "a", { isWatching: false, world: script.world, ...settings });
  return { session, ...script, events: () => script.requests.filter(({ path }) => path.endsWith("/events")) };
}

for (const [name, transient] of [
  ["no answer", () => new Error("refused")], ["503", () => refusal(503, "server-full")], ["429", () => refusal(429, "too-much-from-address")],
  ["a proxy's 502", () => new Response("<html>", { status: 502 })], ["a proxy's 500", () => new Response("oops", { status: 500 })],
  ["an answer that is cut", () => new Response('{"session":"s1","rev')], ["504 outcome-unknown", () => refusal(504, "outcome-unknown")],
]) {
  test(`after ${name} an input is sent again with the same key`, async () => {
    const { session, events } = await opening([transient, transient, () => json(next(2))]);
    assert.equal((await session.send("go", { to: 1 })).revision, 2);
    assert.equal(events().length, 3);
    assert.equal(new Set(events().map(({ headers }) => headers["Idempotency-Key"])).size, 1);
    assert.deepEqual(events().map(({ body }) => body), Array(3).fill({ screen: 1, event: { go: { to: 1 } } }));
  });
}

for (const [status, name] of [[409, "stale-screen"], [422, "refused"], [412, "revision-mismatch"], [500, "handler-failed"], [400, "malformed-body"]]) {
  test(`a ${status} ${name} rejects an input and delivers the current state`, async () => {
    const view = new ScreenList();
    const current = next(4, { stack: [...opened.stack, { ...opened.stack[0], id: 7, shown: "push" }] });
    const { session, events } = await opening([() => refusal(status, name, { current })], { view });
    await assert.rejects(session.back(), { status, type: `urn:usher:problem:${name}` });
    assert.equal(events().length, 1);
    assert.equal(session.state.revision, 4);
    assert.deepEqual(view.screens.map(({ id }) => id), [1, 7]);
  });
}

test("an input to a held session, and the session's resumption, fail at once and are not retried", async () => {
  const held = () => refusal(503, "session-held");
  const { session, events } = await opening([held, () => json(next(2))]);
  await assert.rejects(session.back(), { status: 503, isHeld: true, isGone: false });
  assert.equal(events().length, 1);
  assert.deepEqual([session.ending.isHeld, session.connection], [true, "ended"]);
  const { world, requests } = scripted(held);
  await assert.rejects(resume("http://server", "1", { world }), { isHeld: true });
  assert.equal(requests.length, 1);
});

test("an input is retried after the time that Retry-After states", async () => {
  const { session, pauses } = await opening([() => refusal(503, "server-full", {}, { "Retry-After": "3" }), () => json(next(2))]);
  await session.back();
  assert.ok(pauses.some((pause) => pause >= 3_000 && pause < 3_500), String(pauses));
});

test("Retry-After may be a date, which is compared with the server's Date field if there is one", async () => {
  const now = () => Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");
  const later = "Wed, 21 Oct 2026 07:28:03 GMT", ahead = { "Retry-After": "Wed, 21 Oct 2026 08:28:03 GMT", Date: "Wed, 21 Oct 2026 08:28:00 GMT" };
  for (const headers of [{ "Retry-After": later }, ahead]) {
    const { session, pauses } = await opening([() => refusal(503, "server-full", {}, headers), () => json(next(2))], { now });
    await session.back();
    assert.ok(pauses.some((pause) => pause >= 3_000 && pause < 3_500), String(pauses));
  }
});

for (const words of ["Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-1"]) {
  test(`the client ignores a Retry-After that is in the past or malformed: ${words}`, async () => {
    const { session, pauses } = await opening([() => refusal(503, "server-full", {}, { "Retry-After": words }), () => json(next(2))]);
    await session.back();
    assert.ok(pauses.filter((pause) => pause < 30_000).every((pause) => pause <= 400), String(pauses));
  });
}

for (const seconds of ["7200", "99999999999", "9".repeat(400)]) {
  test(`a pause lasts at most an hour, also with Retry-After ${seconds.slice(0, 20)}`, async () => {
    const { session, pauses } = await opening([() => refusal(503, "server-full", {}, { "Retry-After": seconds })]);
    const sent = session.back();
    await until(() => pauses.some((pause) => pause > 30_000), "it waits");
    assert.ok(pauses.at(-1) >= 3_600_000 && pauses.at(-1) < 3_601_000, String(pauses));
    session.close();
    await assert.rejects(sent, { type: "urn:usher:client:closed" });
  });
}

test("a stream's retry time is limited to an hour", async () => {
  const live = stream(next(1));
  const { world, pauses } = scripted((request) => (isStream(request) ? live : json(opened, 201)));
  const session = await open("http://server", "a", { world });
  await until(() => session.connection === "live", "it is live");
  live.write("retry: 99999999999\n\n");
  live.tell(next(2));
  await until(() => session.state.revision === 2, "it is read");
  live.fail();
  await until(() => session.connection === "reconnecting", "it waits");
  assert.ok(pauses.at(-1) >= 3_600_000 && pauses.at(-1) < 3_601_000, String(pauses.at(-1)));
  session.close();
});

for (const [wait, preference, patience] of [[undefined, undefined, 30_000], [0, "respond-async", 30_000], [60, "wait=60", 90_000]]) {
  test(`with the option wait ${wait ?? "unset"}, a request sends Prefer ${preference} and has a suitable time limit`, async () => {
    const { session, events, pauses } = await opening([() => json(next(2))], { wait });
    pauses.length = 0;
    await session.back();
    assert.deepEqual([events()[0].headers.Prefer, pauses], [preference, [patience]]);
  });
}

test("the pauses between retries grow up to a limit, with jitter", async () => {
  let count = 0;
  const { session, pauses } = await opening([() => (++count > 9 ? json(next(2)) : new Error("refused"))]);
  await session.back();
  const waited = pauses.filter((pause) => pause !== 30_000);
  assert.ok(waited[0] <= 400 && waited[0] >= 200);
  assert.ok(waited.at(-1) <= 15_000 && waited.at(-1) >= 7_500);
  assert.notEqual(waited.at(-1), waited.at(-2));
});

test("waiting inputs are sent in order, and their number is limited", async () => {
  let isThere = false, revision = 1;
  const counts = [];
  const { session, events } = await opening([() => (isThere ? json(next(++revision)) : new Error("offline"))],
    { mostWaiting: 3, view: { waiting: (count) => counts.push(count) } });
  const sent = [session.select("a"), session.select("b"), session.select("c")];
  await assert.rejects(session.select("d"), { type: "urn:usher:client:queue-full" });
  assert.equal(session.waiting, 3);
  isThere = true;
  session.retryNow();
  assert.deepEqual((await Promise.all(sent)).map((state) => state.revision), [2, 3, 4]);
  const done = events().map(({ body }) => body.select).filter((tab, place, all) => all[place - 1] !== tab);
  assert.deepEqual(done, ["a", "b", "c"]);
  assert.deepEqual(counts, [1, 2, 3, 2, 1, 0]);
});

for (const tap of ["back", "send"]) {
  test(`two quick taps name the same screen, so the second tap cannot affect another screen: ${tap}`, async () => {
    const { session, events } = await opening([() => json(next(2)), () => refusal(409, "stale-screen")]);
    const visible = opened.stack.at(-1), sent = [1, 2].map(() => (tap === "send" ? session.send("close") : session.back()));
    await sent[0];
    await assert.rejects(sent[1], { status: 409 });
    assert.deepEqual(events().map(({ body }) => body.screen), [visible.id, visible.id]);
  });
}

test("closing a session rejects its waiting inputs without a retry", async () => {
  const { session, events } = await opening([() => new Error("offline")]);
  const sent = session.back();
  await until(() => events().length > 0, "it was tried");
  session.close();
  await assert.rejects(sent, { type: "urn:usher:client:closed" });
  await assert.rejects(session.back(), { type: "urn:usher:client:closed" });
});

test("every attempt of an opening has the same key and body", async () => {
  let count = 0;
  const { world, requests } = scripted(() => (++count < 3 ? new Error("offline") : json(opened, 201)));
  await open("http://server/", "a", { isWatching: false, world, options: { x: 1 }, link: ["home"], headers: { Authorization: "Bearer T" } });
  assert.equal(new Set(requests.map(({ headers }) => headers["Idempotency-Key"])).size, 1);
  assert.deepEqual(requests[2].body, { app: "a", options: { x: 1 }, open: ["home"] });
  assert.equal(requests[2].headers.Authorization, "Bearer T");
});

test("an opening sends the client's description with only the members that were given", async () => {
  const { world, requests } = scripted(() => json({ ...opened, stack: [{ ...opened.stack[0], version: 2 }] }, 201));
  const client = { name: "web", version: "3.2", screens: { login: 2, "*": 1 }, locale: "ko-KR", timeZone: "Asia/Seoul" };
  const session = await open("http://server", "a", { isWatching: false, world, client });
  assert.equal(session.visible?.version, 2);
  await open("http://server", "a", { isWatching: false, world });
  assert.deepEqual(requests.map(({ body }) => body), [{ app: "a", client }, { app: "a" }]);
});

test("a promise of an opening rejects if the opening is refused or aborted", async () => {
  const refusing = scripted(() => refusal(422, "unknown-app"));
  await assert.rejects(open("http://server", "b", { world: refusing.world }), { status: 422 });
  const signal = AbortSignal.timeout(20);
  await assert.rejects(open("http://server", "b", { world: scripted(() => new Error("offline")).world, signal }), { status: 0 });
});

test("resuming an ended session is rejected, and resuming a live session works", async () => {
  await assert.rejects(resume("http://server", "s1", { world: scripted(() => refusal(410, "session-ended")).world }), { isGone: true });
  const session = await resume("http://server", "s1", { isWatching: false, world: scripted(() => json(next(5))).world });
  assert.equal(session.state.revision, 5);
});

test("the client ignores an older state in an answer, but uses an older first state of a new stream", async () => {
  const streams = [stream(next(1)), stream(next(2))], seen = [];
  let at = 0;
  const { world } = scripted((request) => {
    if (request.path === "/sessions") return json(opened, 201);
    return isStream(request) ? streams[at++] ?? new Error("no more") : json(next(3));
  });
  const session = await open("http://server", "a", { world, view: { state: ({ revision }) => seen.push(revision) } });
  await until(() => session.connection === "live", "it is live");
  await session.back();
  streams[0].tell(next(2));
  streams[0].tell(next(4));
  await until(() => seen.at(-1) === 4, "the newer came");
  assert.deepEqual(seen, [1, 3, 4]);
  streams[0].fail();
  await until(() => seen.at(-1) === 2, "the server's is taken");
  session.close();
});

test("the client uses long polls if it cannot open a stream", async () => {
  let revision = 1;
  const { world, requests } = scripted((request) => {
    if (request.path === "/sessions") return json(opened, 201);
    // A proxy that holds the stream until it ends.
    if (isStream(request)) return stream();
    if (!request.headers.Prefer) return json(next(revision));
    return revision < 3 ? json(next(++revision)) : new Promise(() => {});
  }, { setTimer: setHastyTimer });
  const session = await open("http://server", "a", { world });
  await until(() => session.state.revision === 3, "polls bring states");
  assert.equal(requests.filter(isStream).length, 1);
  const polls = requests.filter(({ headers }) => headers.Prefer === "wait=25");
  assert.deepEqual(polls.map(({ headers }) => headers["If-None-Match"]), ['"1"', '"2"', '"3"']);
  session.close();
});

test("the end of a stream tells the view how the session ended", async () => {
  const live = stream(next(1));
  const { world } = scripted((request) => {
    if (request.path === "/sessions") return json(opened, 201);
    return isStream(request) ? live : refusal(410, "session-ended");
  });
  let ending = null;
  const session = await open("http://server", "a", { world, view: { gone: (problem) => (ending = problem) } });
  await until(() => session.connection === "live", "it is live");
  live.write("event: end\ndata: {}\n\n");
  await until(() => ending, "the ending is told");
  assert.ok(ending.isGone);
  assert.equal(session.connection, "ended");
});

test("a stream of a held session tells the view the reason and is not opened again", async () => {
  for (const isBegun of [true, false]) {
    const live = stream(next(1)), held = () => refusal(503, "session-held", { held: "app-missing" });
    const { world, requests } = scripted((request) => {
      if (request.path === "/sessions") return json(opened, 201);
      return isStream(request) && isBegun ? live : held();
    });
    let ending = null;
    const session = await open("http://server", "a", { world, view: { gone: (problem) => (ending = problem) } });
    if (isBegun) {
      await until(() => session.connection === "live", "it is live");
      live.write('event: held\ndata: {"type":"urn:usher:problem:session-held"}\n\n');
    }
    await until(() => ending, "the hold is told");
    assert.deepEqual([ending.isHeld, ending.members.held, session.connection], [true, "app-missing", "ended"]);
    assert.equal(requests.length, isBegun ? 3 : 2);
  }
});

test("a state that says how the session ended closes the stream", async () => {
  const live = stream(next(1)), told = [];
  const { world, requests } = scripted((request) => (isStream(request) ? live : json(opened, 201)));
  const view = { connection: (connection) => told.push(connection), gone: () => told.push("gone") };
  const session = await open("http://server", "a", { world, view });
  await until(() => session.connection === "live", "it is live");
  live.tell(next(2, { stack: [], ended: { reason: "finished", result: 7 } }));
  await until(() => session.connection === "ended", "it has ended");
  assert.deepEqual([session.state.ended.result, told, requests.length], [7, ["reconnecting", "live", "ended"], 2]);
});

test("a server restart does not end the session: the client tries the stream until it connects", async () => {
  const live = stream(next(1)), again = stream(next(2)), told = [];
  const answers = [() => live, () => refusal(503, "server-full"), () => new Error("refused"), () => again];
  const { world } = scripted((request) => (isStream(request) ? answers.shift()() : json(opened, 201)));
  const session = await open("http://server", "a", { world, view: { connection: (connection) => told.push(connection) } });
  await until(() => session.connection === "live", "it is live");
  live.fail();
  await until(() => session.state.revision === 2, "it follows again");
  assert.deepEqual(told, ["reconnecting", "live", "reconnecting", "unreachable", "live"]);
  session.close();
});

test("views of a closed session are not called again, whatever arrives late", async () => {
  const live = stream(next(1)), told = [];
  const { world } = scripted((request) => (isStream(request) ? live : json(opened, 201)));
  const session = await open("http://server", "a", { world });
  await until(() => session.connection === "live", "it is live");
  session.observe({ state: ({ revision }) => told.push(revision), connection: (connection) => told.push(connection) });
  session.close();
  try { live.tell(next(2)); } catch { /* It was given up. */ }
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(told, [1, "live"]);
});

test("a view learns why requests are retried, and that its own client ended the session", async () => {
  const causes = [];
  const view = { delayed: ({ status }) => causes.push(status), gone: ({ type }) => causes.push(type) };
  const answers = [() => refusal(503, "server-full"), () => json(opened, 201), () => new Error("offline"), () => json(next(2)), () => json(null, 204)];
  const { world } = scripted(() => answers.shift()());
  const session = await open("http://server", "a", { isWatching: false, world, view });
  await session.back();
  await session.end();
  assert.deepEqual(causes, [503, 0, "urn:usher:client:ended"]);
  assert.equal(session.connection, "ended");
});

test("an error that a view throws is reported and affects neither the answer nor other views", async () => {
  const reported = [], other = new ScreenList();
  const script = scripted(({ path }) => (path === "/sessions" ? json(opened, 201) : json(next(2, { stack: [] }))),
    { report: (error) => reported.push(error.message) });
  const session = await open("http://server", "a", { isWatching: false, world: script.world,
    view: { remove() { throw new Error("a view's mistake"); } } });
  session.observe(other);
  assert.equal((await session.back()).revision, 2);
  assert.deepEqual([reported, other.screens, script.requests.length], [["a view's mistake"], [], 2]);
});
