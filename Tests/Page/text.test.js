import assert from "node:assert/strict";
import { test } from "node:test";
import { clip } from "../../Public/document/element.js";

test("a text that fits is not cut", () => assert.equal(clip("usher", 5), "usher"));

test("a long text is cut at its limit", () => assert.equal(clip("x".repeat(65_536), 280).length, 280));

test("a character is never cut in half", () => {
  assert.equal(clip("ab😀cd", 3), "ab");
  assert.equal(clip("ab😀cd", 4), "ab😀");
});
