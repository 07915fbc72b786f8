import assert from "node:assert/strict";
import { test } from "node:test";
import { turns } from "../../Public/journal/memory.js";

const sample = (revision, finished, leaked) => ({ revision, live: 1, bytes: 10, finished, leaked });

test("a revision returned memory if more coordinators finished than leaked", () => {
  assert.deepEqual(turns([sample(1, 0, 0), sample(2, 1, 0), sample(3, 1, 0), sample(4, 3, 1)]), { returned: [2, 4], leaked: [4] });
});

test("a coordinator that finishes but leaks returns no memory", () => {
  assert.deepEqual(turns([sample(1, 0, 0), sample(2, 1, 1)]), { returned: [], leaked: [2] });
});

test("the first known revision is not marked, because there is no earlier revision to compare with", () => {
  assert.deepEqual(turns([sample(7, 4, 1)]), { returned: [], leaked: [] });
});
