import assert from "node:assert/strict";
import { test } from "node:test";
import { counted } from "../../Public/session/coordinators.js";
import { Session } from "../../Public/session/session.js";
import { Problem } from "../../Public/client/usher.js";

const counts = { live: 3, created: 7, finished: 4, leaked: 1 };

test("all coordinators count as finished only if the session has ended", () => {
  assert.deepEqual(counted(counts, false), counts);
  assert.deepEqual(counted(counts, true), { live: 0, created: 7, finished: 7, leaked: 1 });
});

test("a session that is not in memory has no live coordinators, and keeps its number of finished coordinators", () => {
  assert.deepEqual(counted(counts, false, true), { ...counts, live: 0 });
});

/** Returns a session with a state, without a server. */
function shown() {
  const session = new Session("00ff", () => {});
  session.now = { session: "00ff", app: "notes", revision: 3, stack: [], changes: [], back: false, pending: [] };
  session.note({ revision: 3, live: 3, finished: 4, leaked: 0, bytes: 90 });
  return session;
}

for (const [name, problem, hasEnded] of [
  ["a 410", new Problem(410, "over", { type: "urn:usher:problem:session-ended" }), true],
  ["its own DELETE", Problem.own("ended", "ended here"), true],
  ["a 404", new Problem(404, "missing", { type: "urn:usher:problem:unknown-session" }), false],
  ["a hold", new Problem(503, "held", { type: "urn:usher:problem:session-held" }), false],
]) {
  test(`${name} ${hasEnded ? "proves" : "does not prove"} that the memory of a session was reclaimed`, () => {
    const session = shown();
    session.end(problem);
    assert.equal(session.isOver, true);
    assert.equal(session.hasEnded, hasEnded);
    assert.equal(session.samples.at(-1).live, hasEnded ? 0 : 3);
    assert.equal(session.connection, problem.isHeld ? "on hold" : "ended");
  });
}

test("a denied request makes the session's page read-only and does not end the session", () => {
  const session = shown();
  session.deny(new Problem(401, "log in", { type: "urn:usher:problem:token-needed" }));
  assert.deepEqual([session.isOver, session.hasEnded, session.isReadOnly, session.connection], [false, false, true, "logged out"]);
  assert.equal(session.samples.at(-1).live, 3);
});

/** Returns a session at revision 12 that has started over at revision 10. */
function restarted() {
  const session = shown();
  session.now.revision = 12;
  session.journal = { oldest: 10 };
  session.refreshPast = session.refreshBefore = async () => {};
  return session;
}

for (const [wanted, chosen, missed] of [[2, 10, 2], [10, 10, null], [11, 11, null], [12, 12, null], [40, 12, 40], [0, 10, 0]]) {
  test(`if a session has revisions 10 to 12, choosing revision ${wanted} shows ${chosen}`, () => {
    const session = restarted();
    session.travel(wanted);
    assert.deepEqual([session.chosen, session.missed, session.past === null], [chosen, missed, chosen === 12]);
    session.travel(11);
    assert.deepEqual([session.chosen, session.missed], [11, null]);
  });
}

test("when a session starts over, the page shows nothing of its earlier history", () => {
  const session = restarted();
  session.journal.oldest = 1;
  session.travel(3);
  session.before = { revision: 2 };
  session.refusals = [{ revision: 3 }, { revision: 10 }];
  session.samples = [{ revision: 9 }, { revision: 10 }];
  session.journal.oldest = 10;
  session.forgetHistory();
  assert.deepEqual([session.chosen, session.missed, session.before], [10, 3, null]);
  assert.deepEqual([session.refusals, session.samples], [[{ revision: 10 }], [{ revision: 10 }]]);
});
