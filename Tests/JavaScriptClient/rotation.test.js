// A token that is replaced while requests are pending: the client sends these requests again with the new token.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../../Clients/JavaScript/usher.js";
import { isStream, json, opened, refusal, scripted, stream } from "./support/script.js";
import { until } from "./support/world.js";

const isLive = (session) => until(() => session.connection === "live", "the session is live");

/** Opens a session with the token "t1"; the test replaces the server's token by setting `valid`. */
async function rotating(settings = {}) {
  const server = { valid: "t1", refusing: () => {}, streams: [] };
  const script = scripted((request) => {
    if (request.path === "/sessions") return json({ ...opened, token: "t1" }, 201);
    if (request.headers.Authorization !== `Bearer ${server.valid}`) {
      server.refusing();
      return refusal(403, "wrong-token");
    }
    if (!isStream(request)) return json({ ...opened, revision: 2 });
    server.streams.push(stream(opened));
    return server.streams.at(-1);
  });
  const session = await open("http://server", "a", { world: script.world, ...settings });
  return { session, server, ...script };
}

const authorizations = (requests) => requests.map(({ headers }) => headers.Authorization);

test("an input that was refused after a token rotation is sent again with the new token and the same key", async () => {
  const { session, server, requests } = await rotating({ isWatching: false });
  server.valid = "t2";
  server.refusing = () => { session.token = "t2"; };
  assert.equal((await session.back()).revision, 2);
  const events = requests.filter(({ path }) => path.endsWith("/events"));
  assert.deepEqual(authorizations(events), ["Bearer t1", "Bearer t2"]);
  assert.equal(events[0].headers["Idempotency-Key"], events[1].headers["Idempotency-Key"]);
});

test("a stream that was refused after a token rotation is opened again with the new token", async () => {
  const { session, server, requests } = await rotating();
  await isLive(session);
  server.refusing = () => { session.token = "t2"; };
  server.valid = "t2";
  server.streams[0].fail();
  await until(() => server.streams.length === 2, "there is a stream");
  assert.deepEqual([authorizations(requests.filter(isStream)), session.ending], [["Bearer t1", "Bearer t1", "Bearer t2"], null]);
  session.close();
});

test("a denied session continues with a valid token, and stays denied with a wrong token", async () => {
  const told = [];
  const { session, server } = await rotating({ view: { connection: (connection) => told.push(connection), gone: () => told.push("gone") } });
  await isLive(session);
  server.valid = "t2";
  server.streams[0].fail();
  await until(() => session.ending, "it is denied");
  session.token = "t0";
  await until(() => told.filter((each) => each === "gone").length === 2, "it is denied again");
  session.token = "t2";
  await isLive(session);
  assert.equal(session.ending, null);
  assert.deepEqual(told, ["reconnecting", "live", "reconnecting", "ended", "gone", "reconnecting", "ended", "gone", "reconnecting", "live"]);
  server.streams[1].tell({ ...opened, revision: 3 });
  await until(() => session.state.revision === 3, "it follows");
  session.close();
});

test("a new token does not reopen a session that has ended or was closed", async () => {
  const { session, server, requests } = await rotating();
  await isLive(session);
  server.valid = "t2";
  server.streams[0].fail();
  await until(() => session.ending, "it is denied");
  session.close();
  const count = requests.length;
  session.token = "t2";
  assert.equal(requests.length, count);
  const other = await rotating();
  await isLive(other.session);
  await other.session.end();
  const asked = other.requests.length;
  other.session.token = "t2";
  assert.deepEqual([other.requests.length, other.session.connection], [asked, "ended"]);
});
