// A session's token between the client and an Usher server; tokens.test.js tests the client with its own server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, resume } from "../../Clients/JavaScript/usher.js";
import { Server, missing } from "../Browser/support/server.js";
import { hastyWorld } from "./support/world.js";

test("a session works with the token of its opening, and after a rotation with the new token", { skip: missing("usher") }, async () => {
  const server = await Server.start("usher", ["--session-access", "token"]);
  try {
    const world = hastyWorld();
    const session = await open(server.url, "start-login-main", { world, isWatching: false });
    assert.match(session.token, /^[0-9a-f]{64}$/);
    await session.send("startApp");
    await assert.rejects(resume(server.url, session.id, { world }), { status: 401, isDenied: true });
    await assert.rejects(resume(server.url, session.id, { world, token: "0" }), { status: 403, isDenied: true });
    const answer = await fetch(`${server.url}/sessions/${session.id}/token`, {
      method: "POST", headers: { authorization: `Bearer ${session.token}` },
    });
    session.token = (await answer.json()).token;
    await session.back();
    assert.equal(session.ending, null);
    await session.end();
    await assert.rejects(resume(server.url, session.id, { world, token: session.token }), { status: 410, isGone: true });
  } finally {
    await server.close();
  }
});
