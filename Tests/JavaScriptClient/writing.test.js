// A request's text is written only once: all attempts are equal, even if the caller changes its objects in between.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, resume } from "../../Clients/JavaScript/usher.js";
import { json, opened, scripted } from "./support/script.js";

const cycle = {};
cycle.self = cycle;
const unwritable = [["a BigInt", 1n], ["a cycle", cycle], ["undefined", undefined]];

/** A server that loses its first answer to each request; the caller acts before the loss. */
function losing(act) {
  let attempts = 0;
  return scripted(({ path }) => {
    if (++attempts % 2) {
      act();
      return new Error("lost");
    }
    return path === "/sessions" ? json(opened, 201) : json({ ...opened, revision: 2 });
  });
}

test("every attempt sends the input that the app passed, even if the app changes the object later", async () => {
  const form = { name: "kim" };
  const { world, requests } = losing(() => { form.name = "lee"; });
  const session = await open("http://server", "a", { world, isWatching: false });
  form.name = "kim";
  const sent = session.send("log in", form);
  form.name = "";
  await sent;
  const bodies = requests.filter(({ path }) => path.endsWith("/events")).map(({ body }) => body);
  assert.deepEqual(bodies, Array(2).fill({ screen: 1, event: { "log in": { name: "kim" } } }));
});

test("every attempt sends the opening that the app passed, even if the app changes the object later", async () => {
  const options = { greeting: true };
  const { world, requests } = losing(() => { options.greeting = false; });
  await open("http://server", "a", { world, isWatching: false, options });
  assert.deepEqual(requests.map(({ body }) => body.options), Array(2).fill({ greeting: true }));
});

for (const [name, value] of unwritable) {
  test(`an input that JSON cannot represent is rejected and not sent: ${name}`, async () => {
    const { world, requests } = scripted(({ path }) => json(opened, path === "/sessions" ? 201 : 200));
    const session = await open("http://server", "a", { world, isWatching: false });
    const body = value === undefined ? value : { event: { go: value } };
    await assert.rejects(session.input(body), { status: -1, type: "urn:usher:client:unwritable" });
    assert.deepEqual([requests.length, session.waiting], [1, 0]);
    await session.back();
  });
}

test("an opening that JSON cannot represent is rejected and not sent", async () => {
  const { world, requests } = scripted(() => json(opened, 201));
  await assert.rejects(open("http://server", "a", { world, options: cycle }), { status: -1, type: "urn:usher:client:unwritable" });
  assert.equal(requests.length, 0);
});

for (const server of ["localhost:8080", "my server", "server", "ftp://server"]) {
  test(`an opening with an invalid server address is rejected and not sent: ${server}`, { timeout: 5_000 }, async () => {
    const { world, requests } = scripted(() => new Error("unknown scheme"));
    await assert.rejects(open(server, "a", { world }), { status: -1, type: "urn:usher:client:unsendable" });
    assert.equal(requests.length, 0);
  });
}

for (const token of ["ab\ncd", "\u{1f600}"]) {
  test(`a token that no header field can carry is rejected and not sent: ${JSON.stringify(token)}`, { timeout: 5_000 }, async () => {
    const { world, requests } = scripted(() => new Error("an invalid header value"));
    await assert.rejects(resume("http://server", "s1", { world, token }), {
      status: -1, type: "urn:usher:client:unsendable",
      // Without the token, because messages are logged.
      message: "this is not a valid name or value of a header field: Authorization",
    });
    assert.equal(requests.length, 0);
  });
}
