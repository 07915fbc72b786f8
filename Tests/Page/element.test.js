import assert from "node:assert/strict";
import { test } from "node:test";
import { age, bytes, count, shortID } from "../../Public/document/element.js";

const now = Date.parse("2026-01-02T00:00:00Z");

for (const [time, text] of [
  ["2026-01-02T00:00:00Z", "0 s"], ["2026-01-01T23:59:01Z", "59 s"], ["2026-01-01T23:59:00Z", "1 min"],
  ["2026-01-01T22:01:00Z", "1 h"], ["2025-12-30T12:00:00Z", "2 d"], ["2026-01-02T00:00:09Z", "0 s"], ["soon", "unknown"],
]) {
  test(`at midnight the time ${time} is shown as ${text} ago`, () => assert.equal(age(time, now), text));
}

for (const [number, text] of [
  [0, "0 B"], [1023, "1023 B"], [1024, "1.0 KiB"], [10 * 1024, "10 KiB"], [1024 * 1024, "1.0 MiB"], [300 * 1024 * 1024, "300 MiB"],
]) {
  test(`${number} bytes are shown as ${text}`, () => assert.equal(bytes(number), text));
}

for (const [number, text] of [
  [0, "0"], [999, "999"], [1000, "1,000"], [1234567, "1,234,567"], [-12345, "-12,345"], [1234.5678, "1,234.568"], [0.25, "0.25"],
]) {
  test(`the number ${number} is shown as ${text}`, () => assert.equal(count(Number(number)), text));
}

test("a long id is shortened", () => {
  assert.equal(shortID("0123456789abcdef"), "01234567");
});
