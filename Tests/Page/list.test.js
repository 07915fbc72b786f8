import assert from "node:assert/strict";
import { test } from "node:test";
import { cells } from "../../Public/list/view.js";

const now = Date.parse("2026-01-02T00:01:00Z");
const resting = { session: "00ff", app: "notes", created: "2026-01-02T00:00:00Z", revision: 1200, hibernated: true };

test("a live session shows its figures", () => {
  assert.deepEqual(cells({ ...resting, hibernated: false, screens: 3, coordinators: 5, leaked: 0, bytes: 2048 }, now),
    ["notes", "1 min", "1,200", "3", "5", "2.0 KiB", "live"]);
});

test("a hibernated session has no figures, for nothing of it is in memory", () => {
  assert.deepEqual(cells(resting, now), ["notes", "1 min", "1,200", "–", "–", "–", "hibernated"]);
});

test("a damaged session says so", () => {
  assert.deepEqual(cells({ session: "00ff", damaged: true }, now), ["–", "–", "–", "–", "–", "–", "damaged"]);
});
