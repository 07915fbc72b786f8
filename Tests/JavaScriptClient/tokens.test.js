// A session's token: stored from the answer that opened the session, and sent with each request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, resume } from "../../Clients/JavaScript/usher.js";
import { GuardedServer } from "./support/guarded-server.js";
import { Tabs } from "./support/tabs.js";
import { hastyWorld, until } from "./support/world.js";

/** @param {string} name, @param {string | null} token, @param {(server: GuardedServer) => Promise<void>} act */
const guarded = (name, token, act) => test(name, async () => {
  const server = await GuardedServer.start(token);
  try {
    await act(server);
  } finally {
    await server.close();
  }
});

const world = hastyWorld();
const isLive = (session) => until(() => session.connection === "live", "the session is live");

guarded("the token of the opening is sent with the stream, each input and the end", "t1", async (server) => {
  const told = [], session = await open(server.url, "a", { world, view: { state: (state) => told.push(state) } });
  await isLive(session);
  await session.send("go");
  await session.end();
  assert.equal(session.token, "t1");
  assert.deepEqual(server.authorizations("/sessions"), [null]);
  for (const path of ["/sessions/s1/stream", "/sessions/s1/events", "/sessions/s1"]) {
    assert.deepEqual(server.authorizations(path), ["Bearer t1"], path);
  }
  assert.ok(told.length && told.every((state) => !("token" in state)), "no view is told of it");
});

guarded("without a token only the app's own headers are sent", null, async (server) => {
  const session = await open(server.url, "a", { world });
  await session.back();
  assert.equal(session.token, null);
  session.close();
  const other = await resume(server.url, "s1", { world, headers: { authorization: "Bearer gateway" } });
  await isLive(other);
  other.close();
  assert.deepEqual(server.authorizations("/sessions/s1/events"), [null]);
  assert.deepEqual(server.authorizations("/sessions/s1"), ["Bearer gateway"]);
  assert.equal(server.authorizations("/sessions/s1/stream").at(-1), "Bearer gateway");
});

guarded("the session's token replaces the Authorization with which the app opened it", "t1", async (server) => {
  const session = await open(server.url, "a", { world, headers: () => ({ authorization: "Bearer backend" }) });
  await session.back();
  assert.deepEqual(server.authorizations("/sessions"), ["Bearer backend"]);
  assert.deepEqual(server.authorizations("/sessions/s1/events"), ["Bearer t1"]);
  session.close();
});

guarded("a session can be resumed with its token only", "t1", async (server) => {
  const session = await resume(server.url, "s1", { world, token: "t1" });
  await session.back();
  session.close();
  await assert.rejects(resume(server.url, "s1", { world }), { status: 401, isDenied: true, isGone: false });
  await assert.rejects(resume(server.url, "s1", { world, token: "t0" }), { status: 403, isDenied: true });
});

test("with the option cookie, the opening requests a cookie, and each request sends the cookie", async () => {
  const requests = [];
  const server = { ...hastyWorld(), fetch: (url, request) => { requests.push(request); return fetch(url, request); } };
  const guarded = await GuardedServer.start(null);
  try {
    const session = await open(guarded.url, "a", { world: server, cookie: true, isWatching: false });
    await session.back();
    await (await resume(guarded.url, "s1", { world: server, cookie: true, isWatching: false })).end();
    assert.deepEqual(JSON.parse(requests[0].body), { app: "a", cookie: true });
    assert.deepEqual(new Set(requests.map(({ credentials }) => credentials)), new Set(["include"]));
    requests.length = 0;
    await (await open(guarded.url, "a", { world: server, isWatching: false })).end();
    assert.deepEqual(requests.map(({ credentials }) => credentials), [undefined, undefined]);
  } finally {
    await guarded.close();
  }
});

guarded("long polls send the token too", "t1", async (server) => {
  server.hasStreams = false;
  const session = await open(server.url, "a", { world });
  await isLive(session);
  await until(() => server.requests.filter(({ method, path }) => method === "GET" && path === "/sessions/s1").length > 1, "it polls");
  assert.deepEqual(server.authorizations("/sessions/s1"), ["Bearer t1"]);
  session.close();
});

for (const [name, token, status] of [["revoked", "t2", 403], ["required from now on", "t1", 401]]) {
  guarded(`an input without access is rejected, and the session does not end: a token that is ${name}`, status === 401 ? null : "t1", async (server) => {
    const session = await open(server.url, "a", { world, isWatching: false });
    server.token = token;
    await assert.rejects(session.back(), { status, isDenied: true });
    assert.equal(session.ending, null);
    session.token = token;
    assert.equal((await session.back()).revision, 2);
  });
}

guarded("a stream without access ends the session and is not tried again", "t1", async (server) => {
  const session = await open(server.url, "a", { world });
  await isLive(session);
  server.rotate("t2");
  await until(() => session.ending, "it has ended");
  assert.deepEqual([session.ending.status, session.connection], [403, "ended"]);
  const count = server.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(server.requests.length, count);
});

guarded("an end without access is rejected, and the session does not end", "t1", async (server) => {
  const session = await open(server.url, "a", { world, isWatching: false });
  server.token = "t2";
  await assert.rejects(session.end(), { status: 403 });
  assert.equal(session.ending, null);
});

guarded("a rotated token is sent with the next request", "t1", async (server) => {
  const session = await open(server.url, "a", { world, isWatching: false });
  server.rotate("t2");
  session.token = "t2";
  await session.back();
  assert.deepEqual(server.authorizations("/sessions/s1/events"), ["Bearer t2"]);
});

guarded("only the tab with a refused token ends, and the other tab opens the stream with its own token", "t1", async (server) => {
  const tabs = new Tabs(), tab = () => hastyWorld(1, tabs.make().world);
  const first = await open(server.url, "a", { world: tab() });
  await isLive(first);
  const second = await resume(server.url, "s1", { world: tab(), token: first.token });
  await isLive(second);
  assert.equal(server.requests.filter(({ path }) => path.endsWith("/stream")).length, 1);
  server.rotate("t2");
  second.token = "t2";
  await until(() => first.ending, "the first has ended");
  await until(() => server.authorizations("/sessions/s1/stream").includes("Bearer t2"), "the second has a stream");
  await isLive(second);
  assert.equal(second.ending, null);
  second.close();
});
