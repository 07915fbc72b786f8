import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal, pageSize, summary, whyMissed } from "../../Public/journal/journal.js";

/** Returns a server's journal with this number of entries, which records requests. */
function server(size) {
  const asked = [];
  const read = async (after, limit) => {
    asked.push(after);
    const length = Math.max(0, Math.min(limit, size.now - after));
    return { entries: Array.from({ length }, (_, place) => ({ revision: after + place + 1 })) };
  };
  return { journal: new Journal(read), asked };
}

test("only the visible page of ten thousand inputs is requested", async () => {
  const { journal, asked } = server({ now: 10_000 });
  await journal.need(5_000, 5_024);
  assert.deepEqual(asked, [4_999]);
  assert.equal(journal.entry(5_024).revision, 5_024);
  assert.equal(journal.entry(4_999), null);
});

test("only entries that are not yet known are requested", async () => {
  const size = { now: 5 };
  const { journal, asked } = server(size);
  await journal.need(1, 5);
  await journal.need(1, 5);
  assert.deepEqual(asked, [0]);
  size.now = 7;
  await journal.need(1, 7);
  assert.deepEqual(asked, [0, 5]);
});

test("a range that spans two pages needs two requests", async () => {
  const { journal, asked } = server({ now: 1_000 });
  await journal.need(1, pageSize + 1);
  assert.deepEqual(asked, [0, pageSize]);
});

test("entries that the server does not have are not requested endlessly", async () => {
  const { journal, asked } = server({ now: 3 });
  await journal.need(1, 9);
  assert.equal(asked.length, 2);
});

test("entries that were lost in a crash are removed", async () => {
  const { journal } = server({ now: 9 });
  await journal.need(1, 9);
  journal.forgetAfter(4);
  assert.equal(journal.entry(5), null);
  assert.equal(journal.entry(4).revision, 4);
});

test("an effect's result shows the name from the entry that began the effect, even if it is on another page", async () => {
  const begun = { revision: 3, time: "2026-01-02T00:00:00.000Z", input: { event: "pay" }, begun: [{ id: "3.1", name: "charge" }] };
  const entries = Array.from({ length: 300 }, (_, place) => (place === 2 ? begun : { revision: place + 1, input: { event: "wait" } }));
  entries[199] = { revision: 200, time: "2026-01-02T00:00:00.250Z", input: { effect: "3.1", success: {} } };
  const journal = new Journal(async (after, limit) => ({ entries: entries.slice(after, after + limit) }));
  await journal.need(190, 210);
  assert.equal(journal.nameOf(entries[199]), "");
  assert.deepEqual([...journal.unnamed(190, 210)], [3]);
  assert.equal(journal.durationOf("3.1"), null, "it is not known when it began");
  await journal.need(3, 3);
  assert.equal(journal.nameOf(entries[199]), "charge");
  assert.deepEqual([...journal.unnamed(190, 210)], []);
  assert.equal(journal.nameOf(begun), "");
  assert.equal(journal.durationOf("3.1"), 250);
  journal.forgetAfter(199);
  assert.equal(journal.durationOf("3.1"), null, "what a crash has taken back is no end");
});

test("the journal of a session that has started over begins with its creation, and forgets earlier entries", async () => {
  let entries = Array.from({ length: 9 }, (_, place) => ({ revision: place + 1, kind: place ? "input" : "creation" }));
  const asked = [];
  const journal = new Journal(async (after, limit) => {
    asked.push(after);
    return { entries: entries.filter(({ revision }) => revision > after).slice(0, limit) };
  });
  await journal.need(1, 9);
  entries = [{ revision: 10, kind: "creation" }, { revision: 11, kind: "input" }];
  await journal.need(1, 11);
  assert.deepEqual([journal.oldest, journal.entry(9), journal.entry(11)?.revision], [10, null, 11]);
  await journal.need(1, 11);
  assert.deepEqual(asked, [0, 9]);
  const other = new Journal(async (after, limit) => ({ entries: entries.filter(({ revision }) => revision > after).slice(0, limit) }));
  await other.need(1, 11);
  assert.deepEqual([other.oldest, other.entry(10)?.kind, other.entry(11)?.kind], [10, "creation", "input"]);
});

/** Returns the journal of a session that has started over at one revision and is at another. */
function restarted(oldest, newest) {
  const entries = Array.from({ length: newest - oldest + 1 }, (_, place) => ({ revision: oldest + place, kind: place ? "input" : "creation", input: place ? { event: "pay" } : { app: "shop" }, time: "", visible: "" }));
  return { entries, read: async (after, limit) => ({ entries: entries.filter(({ revision }) => revision > after).slice(0, limit) }) };
}

test("the oldest entry is requested separately, and the view is notified once if that entry has changed", async () => {
  let moves = 0;
  const journal = new Journal(restarted(10, 900).read, () => moves++);
  assert.equal((await journal.first()).revision, 10);
  assert.deepEqual([journal.oldest, moves, journal.entry(11)], [10, 1, null]);
  await journal.need(1, 11);
  assert.deepEqual([journal.oldest, moves, journal.entry(11).revision], [10, 1, 11]);
});

test("an answer that was sent before the session started over brings no removed entry back", async () => {
  const journal = new Journal(restarted(10, 12).read);
  await journal.need(1, 12);
  journal.take([{ revision: 1, kind: "creation", input: { app: "shop" } }, { revision: 2, kind: "input", input: { effect: "1.1" } }]);
  assert.deepEqual([journal.oldest, journal.entry(1), journal.entry(2), journal.entry(12).revision], [10, null, null, 12]);
});

test("if a crash loses the revision that started over, the earlier history is read again", async () => {
  let moves = 0, { read } = restarted(10, 12);
  const journal = new Journal((after, limit) => read(after, limit), () => moves++);
  await journal.need(1, 12);
  journal.forgetAfter(11);
  assert.deepEqual([journal.oldest, moves], [10, 1], "it is there still");
  ({ read } = restarted(1, 9));
  journal.forgetAfter(8);
  assert.deepEqual([journal.oldest, moves], [1, 2]);
  await journal.need(1, 9);
  assert.deepEqual([journal.oldest, moves, journal.entry(1).kind, journal.entry(9).revision], [1, 2, "creation", 9]);
});

for (const [missed, oldest, newest, why] of [
  [2, 4, 9, "Revision 2 is gone: the session started over at revision 4, the oldest that is kept."],
  [12, 4, 9, "There is no revision 12 yet: the newest is 9."], [0, 1, 9, "There is no revision 0: the first is 1."], [9, 4, 9, ""], [4, 4, 9, ""],
]) {
  test(`if revisions ${oldest} to ${newest} are stored, revision ${missed} is ${why ? "missing" : "there"}`, () => assert.equal(whyMissed(missed, oldest, newest), why));
}

for (const [entry, text, work] of [
  [{ kind: "creation", input: { app: "tudy" } }, "open tudy"],
  [{ kind: "creation", input: { app: "tudy", startedOver: { ended: 3 } } }, "start over tudy"],
  [{ kind: "input", input: { screen: 3, event: "close" } }, "close"],
  [{ kind: "input", input: { event: { login: { name: "kim" } } } }, "login"],
  [{ kind: "input", input: { back: true } }, "back"],
  [{ kind: "input", input: { popped: 5 } }, "popped 5"],
  [{ kind: "input", input: { select: "chat" } }, "select chat"],
  [{ kind: "inputKeepingLink", input: { open: ["tabBar", { chat: { id: 1 } }] } }, "open tabBar › chat"],
  [{ kind: "input", input: { effect: "7.1", success: {} } }, "result of effect 7.1"],
  [{ kind: "input", input: { effect: "7.1", success: {} } }, "result of charge", "charge"],
  [{ kind: "input", input: { effect: "7.1", failure: { code: "declined" } } }, "failure of charge", "charge"],
  [{ kind: "input", input: { refused: "7.1", reason: "no" } }, "refused result of charge", "charge"],
  [{ kind: "input", input: { timer: "7.1" } }, "timer", "timer"],
  [{ kind: "divergence", input: { resumed: 4 } }, "resumed at 4"],
  [{ kind: "input", input: {} }, "input "],
]) {
  test(`the summary of the entry ${JSON.stringify(entry.input)} is "${text}"`, () => assert.equal(summary(entry, work), text));
}

test("the input that created a coordinator is found by reading a few pages, even among 5,000 entries", async () => {
  let count = 0;
  const entries = Array.from({ length: 5_000 }, (_, place) => ({ revision: place + 1, time: "", input: {}, nextIDs: { screen: place + 2, coordinator: 2 + Math.floor(place / 10) } }));
  const journal = new Journal(async (after, limit) => {
    count++;
    return { entries: entries.slice(after, after + limit) };
  });
  assert.equal((await journal.creationOf("coordinator", 1, 5_000)).revision, 1);
  assert.equal((await journal.creationOf("coordinator", 300, 5_000)).revision, 2_991);
  assert.equal((await journal.creationOf("screen", 5_000, 5_000)).revision, 5_000);
  assert.equal(await journal.creationOf("coordinator", 9_999, 5_000), null, "none has created it yet");
  assert.ok(count < 30, `${count} pages`);
});
