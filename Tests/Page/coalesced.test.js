import assert from "node:assert/strict";
import { test } from "node:test";
import { coalesced } from "../../Public/client/client.js";

test("coalesced work never overlaps, and runs once more for all calls that were made during a run", async () => {
  let running = 0, runs = 0, most = 0;
  const work = coalesced(async () => {
    most = Math.max(most, ++running);
    runs++;
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  });
  await Promise.all([work(), work(), work(), work()]);
  assert.equal(most, 1);
  assert.equal(runs, 2);
  await work();
  assert.equal(runs, 3);
});

test("coalesced work runs again after a failure", async () => {
  let runs = 0;
  const work = coalesced(async () => {
    if (++runs === 1) throw new Error("once");
  });
  await assert.rejects(work());
  await work();
  assert.equal(runs, 2);
});
