import assert from "node:assert/strict";
import { test } from "node:test";
import { Figures } from "../../Public/journal/figures.js";
import { Journal, payload } from "../../Public/journal/journal.js";
import { barLength, changeInWords, outcome } from "../../Public/journal/rows.js";
import { Search, isFound, isRefusalFound, lowerBound } from "../../Public/journal/search.js";
import { rowHeight, rowsInView } from "../../Public/journal/window.js";

for (const [view, size, expected] of [
  [{ top: 0, height: 300 }, 5, [0, 5]], [{ top: 0, height: 300 }, 5_000, [0, 16]], [{ top: 2_500 * rowHeight, height: 300 }, 5_000, [2_494, 2_516]],
  [{ top: 5_000 * rowHeight, height: 300 }, 5_000, [4_994, 5_000]], [{ top: 90_000, height: 300 }, 10, [10, 10]], [{ top: 0, height: 0 }, 0, [0, 0]],
]) {
  test(`with ${size} rows scrolled to ${view.top}, the document has rows ${expected.join(" to ")}`, () => {
    const { first, last } = rowsInView(view, size);
    assert.deepEqual([first, last], expected);
  });
}

test("the figures of a range are requested once, even if a revision in the range has no figures", async () => {
  const asked = [];
  const figures = new Figures(async (after, revision) => {
    asked.push([after, revision]);
    const points = Array.from({ length: revision - after }, (_, place) => after + place + 1).filter((each) => each !== 4_900);
    return { points: points.map((revision) => ({ revision, live: 5, created: revision, finished: revision - 5 })) };
  });
  await figures.need(4_890, 4_910);
  await figures.need(4_890, 4_910);
  assert.deepEqual(asked, [[4_800, 4_910]]);
  assert.deepEqual(figures.change(4_890), { created: 1, finished: 1 });
  assert.equal(figures.change(4_900), null);
  await figures.need(1, 10);
  assert.deepEqual(asked.at(-1), [0, 10]);
  assert.deepEqual(figures.change(1, { created: 0, finished: 0 }), { created: 1, finished: -4 });
});

test("figures from before the oldest revision are not requested again", async () => {
  let count = 0;
  const figures = new Figures(async (after, revision) => {
    count++;
    const points = Array.from({ length: revision - Math.max(9, after) }, (_, place) => ({ revision: Math.max(9, after) + place + 1, live: 5, created: 9, finished: 4 }));
    return { points };
  });
  await figures.need(10, 20, 10);
  await figures.need(10, 20, 10);
  figures.note([{ revision: 21, live: 5, created: 9, finished: 4 }]);
  await figures.need(10, 21, 10);
  assert.equal(count, 1);
});

test("a failed request for figures is sent again", async () => {
  let count = 0;
  const figures = new Figures(async () => {
    if (++count === 1) throw new Error("away");
    return { points: [] };
  });
  await assert.rejects(figures.need(1, 2), /away/);
  await figures.need(1, 2);
  assert.equal(count, 2);
});

for (const [visible, before, coordinators, words] of [
  ["login 5", "home 1", { created: 1, finished: 0 }, "→ login 5 +1"], ["home 1", "home 1", { created: 0, finished: 0 }, "same screen"],
  ["home 1", "home 1", null, "same screen"], ["home 1", null, null, "→ home 1"], ["", "home 1", { created: 0, finished: 3 }, "→ no screen −3"],
]) {
  test(`the text for a change to "${visible}" is "${words}"`, () => assert.equal(changeInWords(visible, before, coordinators), words));
}

for (const [entry, word] of [
  [{ kind: "creation", input: { app: "tudy" } }, "opened"], [{ kind: "creation", input: { app: "tudy", startedOver: { ended: 3 } } }, "started over"], [{ kind: "divergence", input: { resumed: 4 } }, "resumed"],
  [{ kind: "input", input: { event: "go" } }, "accepted"], [{ kind: "input", input: { effect: "1.1", failure: {} } }, "failed"],
  [{ kind: "input", input: { refused: "1.1", reason: "no" } }, "rejected"],
]) {
  test(`the outcome of the entry ${JSON.stringify(entry.input)} is "${word}"`, () => assert.equal(outcome(entry), word));
}

test("a bar gets one step longer if the work takes ten times as long", () => {
  const [short, long, longer] = [9, 99, 999].map(barLength);
  assert.equal(long - short, longer - long);
  assert.ok(barLength(0) >= 4 && barLength(3_600_000) < 70);
});

const entry = { revision: 7, kind: "input", input: { event: { login: { name: "Kim" } } }, visible: "home 1", begun: [{ id: "7.1", name: "signIn" }] };

for (const [filter, expected] of [
  [{ text: "", kind: "all" }, true], [{ text: "KIM", kind: "all" }, true], [{ text: "signin", kind: "user" }, true], [{ text: "home", kind: "work" }, false],
  [{ text: "lee", kind: "all" }, false], [{ text: "", kind: "outside" }, false], [{ text: "", kind: "refused" }, false],
]) {
  test(`the filter ${JSON.stringify(filter)} ${expected ? "finds" : "does not find"} a login`, () => assert.equal(isFound(entry, "", filter), expected));
}

test("a search finds a refused input by its status, its reason and its content", () => {
  const refusal = { number: 1, revision: 7, time: "", status: 422, detail: "closed on Mondays", input: { event: "buy" } };
  for (const text of ["422", "mondays", "buy", "refused"]) assert.ok(isRefusalFound(refusal, { text, kind: "refused" }), text);
  assert.ok(isRefusalFound(refusal, { text: "", kind: "user" }));
  assert.ok(!isRefusalFound(refusal, { text: "", kind: "work" }));
  assert.ok(!isRefusalFound({ ...refusal, input: undefined }, { text: "buy", kind: "all" }));
});

test("a search reads the whole journal from the end, and then every new entry", async () => {
  const asked = [];
  const made = (revision) => ({ revision, kind: "input", time: "", input: { event: revision % 500 ? "wait" : "pay" }, visible: "" });
  const journal = new Journal(async (after, limit) => {
    asked.push(after);
    return { entries: Array.from({ length: Math.max(0, Math.min(limit, 1_201 - after)) }, (_, place) => made(after + place + 1)) };
  });
  let told = () => {};
  const search = new Search(journal, () => told());
  const done = new Promise((resolve) => { told = () => search.isDone && resolve(); });
  search.begin({ text: "pay", kind: "all" }, 1_200);
  await done;
  assert.deepEqual(search.found, [500, 1_000]);
  assert.deepEqual(asked, [1_000, 800, 600, 400, 200, 0]);
  journal.keep(made(1_500));
  for (let revision = 1_201; revision < 1_500; revision++) journal.keep(made(revision));
  await search.extend(1_500);
  assert.deepEqual(search.found, [500, 1_000, 1_500]);
});

test("after a session has started over, a search finds no earlier revisions", async () => {
  const made = (revision, kind = "input") => ({ revision, kind, time: "", input: { event: "pay" }, visible: "" });
  const journal = new Journal(async (after, limit) => ({ entries: Array.from({ length: Math.max(0, Math.min(limit, 300 - after)) }, (_, place) => made(after + place + 1)) }));
  let told = () => {};
  const search = new Search(journal, () => told());
  const done = new Promise((resolve) => { told = () => search.isDone && resolve(); });
  search.begin({ text: "pay", kind: "all" }, 300);
  await done;
  assert.deepEqual([search.found.length, search.extent], [300, { searched: 300, all: 300 }]);
  journal.take([made(301, "creation"), made(302)]);
  await search.extend(302);
  assert.deepEqual(search.found, [301, 302]);
  assert.deepEqual([search.isDone, search.extent], [true, { searched: 2, all: 2 }]);
});

test("a new search ends the previous search", async () => {
  const journal = new Journal(async (after, limit) => ({ entries: Array.from({ length: limit }, (_, place) => ({ revision: after + place + 1, kind: "input", input: { event: "pay" }, visible: "", time: "" })) }));
  const search = new Search(journal, () => {});
  search.begin({ text: "pay", kind: "all" }, 1_000);
  search.begin({ text: "", kind: "all" }, 1_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(search.found, []);
  assert.ok(search.isDone);
});

for (const [numbers, limit, expected] of [[[], 3, 0], [[1, 3, 5], 3, 1], [[1, 3, 5], 4, 2], [[1, 3, 5], 9, 3]]) {
  test(`in ${JSON.stringify(numbers)}, ${expected} numbers are below ${limit}`, () => assert.equal(lowerBound(numbers, limit), expected));
}

for (const [input, words] of [
  [{ event: { show: { product: "lamp", count: 2 } } }, "product: lamp, count: 2"], [{ event: { login: { password: "…" } } }, "password: …"],
  [{ message: { note: { text: "hello" } } }, "text: hello"], [{ event: "close" }, ""], [{ event: { close: {} } }, ""], [{ back: true }, ""], [{}, ""],
]) {
  test(`the input ${JSON.stringify(input)} carries "${words}"`, () => assert.equal(payload(input), words));
}
