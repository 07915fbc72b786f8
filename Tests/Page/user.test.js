import assert from "node:assert/strict";
import { test } from "node:test";
import { accessInWords, cellsOf, cellsOfEnded } from "../../Public/user/view.js";

const now = Date.parse("2026-01-02T00:01:00Z");

for (const [session, words] of [
  [{ access: "id" }, "its id alone"], [{ access: "token" }, "its token"], [{ access: "token", readers: 2 }, "its token, 2 for reading"],
  [{ access: "revoked", readers: 1 }, "no token: revoked, 1 for reading"], [{}, "–"],
]) {
  test(`the access of ${JSON.stringify(session)} is shown as "${words}"`, () => assert.equal(accessInWords(session), words));
}

test("the row of a user's hibernated session shows no visible screen", () => {
  const session = { session: "00ff", app: "tudy", created: "2026-01-02T00:00:00Z", used: "2026-01-02T00:00:57Z", revision: 1200, hibernated: true, access: "token" };
  assert.deepEqual(cellsOf(session, now), ["tudy", "1 min ago", "3 s ago", "–", "1,200", "hibernated", null, "its token"]);
});

test("the row of an ended session shows when and why the session ended", () => {
  const session = { session: "00ff", app: "tudy", created: "2026-01-02T00:00:00Z", endedAt: "2026-01-02T00:00:57Z", reason: "expired", revision: 1200 };
  assert.deepEqual(cellsOfEnded(session, now), ["tudy", "1 min ago", "expired 3 s ago", "1,200"]);
});
