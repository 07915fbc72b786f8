import assert from "node:assert/strict";
import { test } from "node:test";
import { Samples, parse } from "../../Public/server/samples.js";

const minute = 60_000;

/** Returns the samples of these texts, one text per minute. */
function samples(names, ...texts) {
  const made = new Samples(names);
  texts.forEach((text, index) => made.add(index * minute, text));
  return made;
}

test("labels and their escapes are parsed", () => {
  const text = '# HELP a b\n# TYPE a counter\na{app="x",why="say \\"no\\"\\\\\\n"} 3\nb 1.5\nc{le="+Inf"} +Inf\n\nnot a line\n';
  assert.deepEqual(parse(text), [
    { name: "a", labels: { app: "x", why: 'say "no"\\\n' }, value: 3 },
    { name: "b", labels: {}, value: 1.5 },
    { name: "c", labels: { le: "+Inf" }, value: Infinity },
  ]);
});

test("a sum adds the series that match its filter, and is null if no series match", () => {
  const made = samples(["a"], 'a{s="x"} 1\na{s="y"} 4\nb 9');
  assert.equal(made.sum("a"), 5);
  assert.equal(made.sum("a", { s: "y" }), 4);
  assert.equal(made.sum("a", ({ s }) => s === "x"), 1);
  assert.equal(made.sum("b"), null, "what is not wanted is not kept");
  assert.equal(made.sum("a", { s: "z" }), null);
});

test("an increase is measured over the requested time", () => {
  const made = samples(["a"], "a 1", "a 5", "a 6");
  assert.equal(made.increase("a", {}, 60 * minute), 5);
  assert.equal(made.increase("a", {}, minute), 1);
  assert.equal(made.rate("a", {}, 2 * minute), 5 / 120);
});

test("a counter that was reset by a restart counts as grown by its new value", () => {
  assert.equal(samples(["a"], "a 100", "a 2", "a 3").increase("a", {}, 60 * minute), 3);
});

test("a series that appears between two scrapes counts as grown from zero", () => {
  assert.equal(samples(["a"], 'a{s="x"} 7', 'a{s="x"} 7\na{s="y"} 2').increase("a", {}, 60 * minute), 2);
});

test("a counter has not increased at the first scrape", () => {
  assert.equal(samples(["a"], "a 7").increase("a", {}, 60 * minute), 0);
  assert.equal(samples(["a"], "a 7").rate("a", {}, 60 * minute), 0);
  assert.equal(new Samples(["a"]).increase("a", {}, minute), 0);
});

test("samples older than an hour are removed", () => {
  const made = new Samples(["a"]);
  for (let time = 0; time <= 90; time++) made.add(time * minute, `a ${time}`);
  assert.equal(made.line("a").length, 61);
  assert.equal(made.increase("a", {}, 600 * minute), 60);
});

test("the number of times that a value changed between scrapes is counted", () => {
  assert.equal(samples(["a"], "a 1", "a 1", "a 2", "a 3").changes("a", 15 * minute), 2);
});

test("a rate is the growth per second between two scrapes", () => {
  assert.deepEqual(samples(["a"], "a 0", "a 60", "a 180").rates("a"), [{ x: minute, y: 1 }, { x: 2 * minute, y: 2 }]);
});

test("a quantile is interpolated within its bucket", () => {
  const histogram = (...counts) => ["0.1", "0.2", "+Inf"].map((le, index) => `d_bucket{le="${le}"} ${counts[index]}`).join("\n");
  assert.equal(samples(["d_bucket"], histogram(0, 0, 0), histogram(10, 10, 10)).quantile(0.5, "d", 5 * minute), 0.05);
  assert.ok(Math.abs(samples(["d_bucket"], histogram(0, 0, 0), histogram(0, 10, 10)).quantile(0.99, "d", 5 * minute) - 0.199) < 1e-9);
  assert.equal(samples(["d_bucket"], histogram(0, 0, 0), histogram(0, 0, 10)).quantile(0.99, "d", 5 * minute), 0.2);
  assert.equal(samples(["d_bucket"], histogram(4, 4, 4), histogram(4, 4, 4)).quantile(0.99, "d", 5 * minute), null);
});

test("a mean divides the growth of two counters, and is unknown if the divisor has not grown", () => {
  const made = samples(["t_sum", "t_count"], 't_sum{r="a"} 0\nt_count{r="a"} 0', 't_sum{r="a"} 6\nt_count{r="a"} 3', 't_sum{r="a"} 6\nt_count{r="a"} 3');
  assert.deepEqual(made.ratios("t_sum", "t_count"), [{ x: minute, y: 2 }]);
  assert.deepEqual(made.ratios("t_sum", "t_count", { r: "b" }), []);
});

test("a share is unknown while the whole is unknown or zero", () => {
  const made = samples(["used", "budget"], "used 5", "used 5\nbudget 0", "used 5\nbudget 20");
  assert.deepEqual(made.shares("used", "budget"), [{ x: 2 * minute, y: 0.25 }]);
});

test("a quantile between two scrapes is unknown if nothing was counted", () => {
  const text = (low, all) => `d_bucket{le="1"} ${low}\nd_bucket{le="2"} ${all}\nd_bucket{le="+Inf"} ${all}`;
  const made = samples(["d_bucket"], text(0, 0), text(100, 100), text(100, 100), text(100, 200));
  const found = made.quantiles(0.5, "d");
  assert.deepEqual(found.map(({ x }) => x), [minute, 3 * minute]);
  assert.deepEqual(found.map(({ y }) => y), [0.5, 1.5]);
});
