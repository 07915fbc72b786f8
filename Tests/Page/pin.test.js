import assert from "node:assert/strict";
import { test } from "node:test";
import { readPin, writePin } from "../../Public/inspector/pin.js";

const [one, other] = ["0".repeat(31) + "1", "0".repeat(31) + "2"];

test("the pin in an address has the revision, and names a session only if that session is not the page's session", () => {
  for (const pin of [{ session: one, revision: 12 }, { session: other, revision: 3 }]) assert.deepEqual(readPin(writePin(pin, one), one), pin);
  assert.equal(writePin({ session: one, revision: 12 }, one), "12");
});

for (const text of ["", "0", "-1", "x", "12@", "12@kim", "1e3", "9".repeat(16)]) {
  test(`"${text}" is not a valid pin`, () => assert.equal(readPin(text, one), null));
}
