import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal } from "../../Public/journal/journal.js";
import { story } from "../../Public/journal/story.js";

const day = "2026-11-28";

/** Returns a journal of entries, each with its second, input, visible screen, and other members. */
async function journalOf(...entries) {
  const all = entries.map(([second, input, visible, more = {}], place) => ({
    revision: place + 1, kind: place ? "input" : "creation", time: `${day}T14:03:${second}Z`, input, visible, ...more,
  }));
  const journal = new Journal(async (after, limit) => ({ entries: all.slice(after, after + limit) }));
  await journal.needNamed(1, all.length);
  return journal;
}

const opened = ["11.000", { app: "shop", subject: "kim", client: { name: "iOS", version: "2.1" } }, "home 1"];

test("a story has one sentence for each input, with its time, screen, payload and work", async () => {
  const journal = await journalOf(
    opened,
    ["12.000", { screen: 1, event: { buy: { id: 7, note: "" } } }, "checkout 2"],
    ["14.000", { event: "pay" }, "checkout 2", { begun: [{ id: "3.1", name: "charge" }, { id: "3.2", name: "remind" }] }],
    ["15.200", { effect: "3.1", success: {} }, "receipt 4"],
    ["16.000", { timer: "3.2" }, "receipt 4"],
    ["17.000", { screen: 4, back: true }, "checkout 2"],
    ["18.000", { popped: 2 }, "home 1"],
  );
  const refusals = [
    { number: 2, revision: 6, time: `${day}T14:03:17.500Z`, status: 422, detail: "nothing to go back to", input: undefined },
    { number: 1, revision: 2, time: `${day}T14:03:13.000Z`, status: 422, detail: "the shop is closed", input: { screen: 2, event: "pay" } },
  ];
  assert.deepEqual(story(journal, 1, 7, { refusals }), [
    day,
    "14:03:11 kim (iOS 2.1) opened shop → home",
    "14:03:12 kim pressed buy on home with id: 7, note: – → checkout",
    "14:03:13 kim pressed pay on checkout → refused: the shop is closed",
    "14:03:14 kim pressed pay on checkout → began charge, remind",
    "14:03:15 effect charge ended after 1.2 s → receipt",
    "14:03:16 timer remind fired after 2.0 s",
    "14:03:17 kim went back from receipt → checkout",
    "14:03:17 an input that cannot be read → refused: nothing to go back to",
    "14:03:18 kim swiped back from checkout → home",
  ]);
});

for (const [input, sentence, more] of [
  [{ dismissed: 1 }, "kim pulled down home"], [{ select: "chat" }, "kim chose the tab chat"], [{ screen: 9, event: "pay" }, "kim pressed pay on screen 9, behind home"],
  [{ open: ["tabs", { chat: { id: 1 } }] }, "a link opened tabs › chat"], [{ message: { shipped: { order: 4 } } }, "the backend sent shipped with order: 4"],
  [{ event: { write: { text: "one\ntwo" } } }, "kim pressed write on home with text: one two"],
  [{ event: { login: { name: "lee", password: "…" } } }, "kim pressed login on home with name: lee, password: …"],
  [{ effect: "1.9", failure: { code: "declined", message: "no cover" } }, "effect 1.9 failed after 9.0 s: declined, no cover"],
  [{ refused: "1.9", reason: "the cart is empty" }, "result of effect 1.9 was rejected after 9.0 s: the cart is empty"],
  [{ input: { back: true }, reason: "the login ended" }, "kim went back from home, without the link that waited, because the login ended", { kind: "inputDroppingLink" }],
  [{ resumed: 1, reason: "input 2 differs", dropped: { inputs: 1, messages: 0, results: [], effects: [], timers: [] } },
    "a new build resumed the session at revision 1, because input 2 differs. Lost: 1 input", { kind: "divergence" }],
  [{ event: "end" }, "kim pressed end on home → no screen", { visible: "" }],
]) {
  test(`the sentence for ${JSON.stringify(input)} is "${sentence}"`, async () => {
    const journal = await journalOf(opened, ["20.000", input, "home 1", more]);
    assert.deepEqual(story(journal, 2, 2, { user: "kim", refusals: [] }), [day, `14:03:20 ${sentence}`]);
  });
}

for (const [input, sentence] of [
  [{ app: "shop" }, "the user opened shop → home"], [{ app: "shop", open: ["cart"] }, "the user opened shop with the link cart → home"],
  [{ app: "shop", startedOver: { ended: 3 } }, "shop started over → home"], [{ app: "shop", import: { revision: 4 } }, "an operator imported shop → home"],
  [{ app: "shop", fork: { session: "00ff", revision: 4 } }, "an operator forked shop from session 00ff at revision 4 → home"],
]) {
  test(`the first sentence of a story is "${sentence}"`, async () => {
    const journal = await journalOf(["01.000", input, "home 1"]);
    assert.deepEqual(story(journal, 1, 1, { refusals: [] }), [day, `14:03:01 ${sentence}`]);
  });
}

test("a story shows the date before each day's entries, and the name of an effect that began on an earlier page", async () => {
  const all = Array.from({ length: 450 }, (_, place) => ({ revision: place + 1, kind: place ? "input" : "creation", time: `2026-11-${28 + Math.floor(place / 449)}T10:00:00.000Z`, input: place ? { event: "wait" } : { app: "shop" }, visible: "home 1" }));
  all[9].begun = [{ id: "10.1", name: "charge" }];
  all[448].input = { effect: "10.1", success: {} };
  const journal = new Journal(async (after, limit) => ({ entries: all.slice(after, after + limit) }));
  await journal.needNamed(449, 450);
  assert.deepEqual(story(journal, 449, 450, { user: "kim", refusals: [] }), ["2026-11-28", "10:00:00 effect charge ended after 0 ms", "2026-11-29", "10:00:00 kim pressed wait on home"]);
});
