import assert from "node:assert/strict";
import { test } from "node:test";
import { balanced } from "../../Public/list/view.js";
import { hashOf, isAskable, pathOf, readFilter, totalInWords } from "../../Public/list/filter.js";
import { cells, changes, inWords } from "../../Public/list/table.js";

const now = Date.parse("2026-01-02T00:01:00Z");
const resting = { session: "00ff", app: "notes", created: "2026-01-02T00:00:00Z", used: "2026-01-02T00:00:57Z", revision: 1200, hibernated: true };

test("the row of a live session shows its figures", () => {
  assert.deepEqual(cells({ ...resting, hibernated: false, visible: "list 1", screens: 3, coordinators: 5, leaked: 0, bytes: 2048 }, now),
    ["notes", "–", "1 min", "3 s", "list 1", "1,200", "3", "5", "2.0 KiB", "live"]);
  assert.equal(cells({ ...resting, subject: "kim" }, now)[1], "kim");
});

test("the row of a hibernated session has no memory figures", () => {
  assert.deepEqual(cells(resting, now), ["notes", "–", "1 min", "3 s", "–", "1,200", "–", "–", "–", "hibernated"]);
});

test("the row of a session whose handler is running says that the session is busy", () => {
  assert.equal(cells({ ...resting, hibernated: false, busy: true }, now).at(-1), "busy");
});

test("the row of a held session shows the reason, even if its header is damaged", () => {
  assert.equal(cells({ ...resting, held: "replay-crashes", cause: "the replay of revision 4 ends the process" }, now).at(-1), "on hold: replay crashes");
  assert.deepEqual(cells({ session: "00ff", held: "record-damaged", cause: "a row" }, now), ["–", "–", "–", "–", "–", "–", "–", "–", "–", "on hold: record damaged"]);
});

const anything = { app: "", prefix: "", subject: "", visible: "", state: "", leaked: false, sort: "created" };

test("a filter is the same after writing it into an address and reading the address", () => {
  assert.equal(hashOf(anything), "#/");
  assert.deepEqual(readFilter(""), anything);
  const filter = { app: "a b&c", prefix: "", subject: "", visible: "", state: "awake", leaked: true, sort: "used" };
  assert.equal(hashOf(filter), "#/?app=a+b%26c&state=awake&leaked=true&sort=used");
  assert.deepEqual(readFilter(hashOf(filter)), filter);
  const ofUser = { ...anything, subject: "tom&jerry" };
  assert.deepEqual(readFilter(hashOf(ofUser)), ofUser);
});

test("unknown values in an address are ignored", () => {
  assert.deepEqual(readFilter("#/?state=gone&leaked=false&sort=__proto__&other=1"), anything);
});

test("a list that is filtered by prefix, by user or by hold is always ordered by id", () => {
  assert.equal(pathOf({ ...anything, state: "held" }, "", 9), "/admin/sessions?state=held&sort=id&limit=9");
  assert.equal(pathOf({ ...anything, prefix: "00ff", sort: "used" }, "", 100), "/admin/sessions?prefix=00ff&sort=id&limit=100");
  assert.equal(pathOf({ ...anything, subject: "tom&jerry" }, "", 9), "/admin/sessions?subject=tom%26jerry&sort=id&limit=9");
  const showing = { ...anything, visible: "log in", state: "hibernated", sort: "used" };
  assert.equal(pathOf(showing, "", 9), "/admin/sessions?visible=log+in&sort=id&limit=9", "no state, because only what is in memory shows a screen");
  assert.equal(pathOf(anything, "5-00ff", 10), "/admin/sessions?sort=created&limit=10&after=5-00ff");
});

test("a prefix is requested only if it could be the beginning of an id", () => {
  for (const [prefix, expected] of [["", true], ["00ff", true], ["kim", false], ["00f ", false], ["0".repeat(33), false]]) {
    assert.equal(isAskable({ ...anything, prefix }), expected, prefix);
  }
});

test("the total says whether it counts all sessions or only the found sessions", () => {
  assert.equal(totalInWords({ count: 1_000_000, of: "matching" }, anything), "1,000,000 in all");
  assert.equal(totalInWords({ count: 12, of: "matching" }, { ...anything, leaked: true }), "12 found");
  assert.equal(totalInWords({ count: 1_000_000, of: "all" }, { ...anything, app: "tudy" }), "of 1,000,000 in all");
  assert.equal(totalInWords({ count: 5_000, of: "all" }, { ...anything, visible: "login" }, 812), "searched only the 812 in memory, of 5,000 in all");
});

test("while the list is paused, the page reports new and ended sessions", () => {
  const change = changes(["a", "b"], [{ session: "b" }, { session: "c" }, { session: "d" }]);
  assert.deepEqual(change, { added: ["c", "d"], gone: ["a"] });
  assert.match(inWords(change, false), /^2 new, 1 ended: /);
  assert.match(inWords(change, true), /^2 new, 1 left this page: /);
  assert.equal(inWords({ added: [], gone: [] }, false), "");
});

for (const [counts, expected] of [
  [{ created: 22, live: 17, finished: 5, leaked: 0 }, ["at rest", "+", 0]],
  [{ created: 22, live: 10, finished: 5, leaked: 1 }, ["at rest", "+", 7]],
  [{ created: 0, live: 4, finished: 0, leaked: 0 }, ["from before", "−", 4]],
  [{ created: 1, live: 0, finished: 5, leaked: 0 }, ["from before", "−", 4]],
]) {
  test(`the counts add up: created ${counts.created} = live ${counts.live} + finished ${counts.finished} ${expected[1]} ${expected[2]} ${expected[0]}`, () => {
    const { name, sign, count } = balanced(counts);
    assert.deepEqual([name, sign, count], expected);
    assert.equal(counts.created, counts.live + counts.finished + (sign === "+" ? count : -count));
  });
}
