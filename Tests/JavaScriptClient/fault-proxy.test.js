// Tests that the proxy causes its faults; otherwise, tests with the proxy would prove nothing.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { FaultProxy } from "./support/fault-proxy.js";

/** Sends requests one after the other through a proxy, and returns the keys that the server received. */
async function arrivals(requests) {
  const arrived = [];
  const server = createServer((incoming, outgoing) => {
    arrived.push(incoming.headers["idempotency-key"] ?? incoming.method);
    outgoing.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  let fault = null;
  const proxy = await FaultProxy.start(`http://127.0.0.1:${server.address().port}`, () => fault);
  const answered = [];
  try {
    for (const request of requests) {
      fault = request.fault ?? null;
      const headers = request.key ? { "Idempotency-Key": request.key } : {};
      const answer = await fetch(proxy.url, { method: request.key ? "POST" : "GET", headers }).then((response) => response.text()).catch(() => "none");
      answered.push(answer);
    }
    return { arrived, answered, counts: proxy.counts };
  } finally {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  }
}

test("the proxy sends a reordered request after the next request with another key, not after its retry", async () => {
  const reordered = { key: "a", fault: "reordered" }, retry = { key: "a" }, next = { key: "b" };
  const { arrived, answered, counts } = await arrivals([reordered, retry, {}, next, { key: "c" }]);
  assert.deepEqual(arrived, ["a", "GET", "b", "a", "c"]);
  assert.deepEqual(answered, ["none", "{}", "{}", "{}", "{}"]);
  assert.equal(counts.reordered, 1);
});

test("the proxy sends two reordered requests in order, after the next request", async () => {
  const { arrived } = await arrivals([
    { key: "a", fault: "reordered" }, { key: "a", fault: "reordered" }, { key: "a" }, { key: "b", fault: "reordered" }, { key: "b" }, { key: "c" },
  ]);
  assert.deepEqual(arrived, ["a", "b", "a", "a", "c", "b"]);
});

for (const [fault, arrived, answered] of [
  ["cut before", [], "none"], ["cut after", ["a"], "none"], ["cut within", ["a"], "none"], ["duplicated", ["a", "a"], "{}"], ["delayed", ["a"], "{}"],
]) {
  test(`with the fault "${fault}", the server gets ${arrived.length} requests, and the client gets ${answered}`, async () => {
    const told = await arrivals([{ key: "a", fault }]);
    assert.deepEqual([told.arrived, told.answered], [arrived, [answered]]);
    assert.equal(told.counts[fault], 1);
  });
}
