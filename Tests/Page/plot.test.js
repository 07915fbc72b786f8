import assert from "node:assert/strict";
import { test } from "node:test";
import { steps } from "../../Public/session/plot.js";

test("a plot of one value is a horizontal line", () => {
  const { path, tip } = steps([{ x: 7, y: 3 }]);
  assert.match(path, /^M0 8H292$/);
  assert.deepEqual(tip, { x: 292, y: 8 });
});

test("a plot keeps each value until the next revision", () => {
  const { path } = steps([{ x: 1, y: 2 }, { x: 2, y: 4 }, { x: 3, y: 0 }]);
  assert.equal(path, "M0 40H146V8H292V72");
});

test("a plot of zeros is a line at the bottom", () => {
  assert.equal(steps([{ x: 1, y: 0 }, { x: 2, y: 0 }]).tip.y, 72);
});
