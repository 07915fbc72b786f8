import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { alarms, judge, metrics } from "../../Public/server/alarms.js";
import { inWords, stateInWords } from "../../Public/server/board.js";
import { Samples } from "../../Public/server/samples.js";

/** The alert rules; each value is on its own line, in quotes. */
const rules = readFileSync(new URL("../../deploy/usher.rules.yaml", import.meta.url), "utf8").split(/^ +- alert: /m).slice(1).map((rule) => {
  const value = (name) => new RegExp(`^ +${name}: (['"])(.*)\\1$`, "m").exec(rule)[2];
  return { expression: value("expr").replaceAll("''", "'"), summary: value("summary"), action: value("action") };
});

/** Returns the metrics of a healthy server, with some lines replaced. */
function server(changed = {}) {
  const healthy = {
    "usher_coordinators_leaked_total": 0, 'usher_events_total{app="a",outcome="accepted"}': 100, 'usher_events_total{app="a",outcome="failed"}': 0,
    'usher_events_total{app="a",outcome="unavailable"}': 0, "usher_journal_commit_failures_total": 0, 'usher_incidents_total{kind="diverged"}': 0,
    'usher_incidents_total{kind="held"}': 0, 'usher_incidents_total{kind="guilty"}': 0, 'usher_sessions{state="awake"}': 10,
    'usher_sessions{state="hibernated"}': 20, "usher_sessions_limit": 100, 'usher_journal_commit_duration_seconds_bucket{le="0.1"}': 5,
    'usher_journal_commit_duration_seconds_bucket{le="0.5"}': 5, 'usher_journal_commit_duration_seconds_bucket{le="+Inf"}': 5,
    "usher_journal_outcomes_unknown_total": 0, "usher_clock_jumps_total": 0, "usher_clock_offset_seconds": 0.2, "usher_log_lines_dropped_total": 0, "usher_effect_threads": 2,
    'usher_refused_total{limit="server",work="session"}': 0, 'usher_refused_total{limit="address",work="session"}': 0, "process_open_fds": 20,
    "process_max_fds": 1024, "process_start_time_seconds": 1000,
  };
  return Object.entries({ ...healthy, ...changed }).map(([name, value]) => `${name} ${value}`).join("\n");
}

/** Returns the expressions of the alarms that hold after these metrics, one text per minute. */
function lit(...texts) {
  const samples = new Samples(metrics);
  texts.forEach((text, index) => samples.add(index * 60_000, text));
  return alarms.filter(({ holds }) => holds(samples)).map(({ expression }) => expression);
}

test("the page has exactly the alarms of the rules file, with their summaries and actions", () => {
  assert.ok(rules.length > 0);
  const sorted = (list) => list.map(({ expression, summary, action }) => ({ expression, summary, action })).sort((one, other) => (one.expression < other.expression ? -1 : 1));
  assert.deepEqual(sorted(alarms), sorted(rules));
});

test("no alarm fires for a healthy server, at the first sample and later", () => {
  assert.deepEqual(lit(server()), []);
  assert.deepEqual(lit(server(), server(), server()), []);
});

const slow = { 'usher_journal_commit_duration_seconds_bucket{le="0.5"}': 50, 'usher_journal_commit_duration_seconds_bucket{le="+Inf"}': 50 };
const causes = [
  [{ usher_coordinators_leaked_total: 1 }, ["increase(usher_coordinators_leaked_total[1h]) > 0"]],
  [{ 'usher_events_total{app="a",outcome="failed"}': 1 }, ['increase(usher_events_total{outcome="failed"}[5m]) > 0']],
  [{ 'usher_events_total{app="a",outcome="unavailable"}': 1 }, ['increase(usher_events_total{outcome="unavailable"}[5m]) > 0']],
  [{ usher_journal_commit_failures_total: 1 }, ["increase(usher_journal_commit_failures_total[5m]) > 0"]],
  [{ 'usher_incidents_total{kind="diverged"}': 1 }, ['increase(usher_incidents_total{kind=~"diverged|held"}[1h]) > 0', 'increase(usher_incidents_total{kind="diverged"}[1h]) > 0']],
  [{ 'usher_incidents_total{kind="held"}': 1 }, ['increase(usher_incidents_total{kind=~"diverged|held"}[1h]) > 0']],
  [{ 'usher_incidents_total{kind="guilty"}': 1 }, ['increase(usher_incidents_total{kind="guilty"}[1h]) > 0']],
  [{ 'usher_sessions{state="awake"}': 71 }, ["sum without (state) (usher_sessions) / usher_sessions_limit > 0.9"]],
  [slow, ["histogram_quantile(0.99, rate(usher_journal_commit_duration_seconds_bucket[5m])) > 0.1"]],
  [{ usher_journal_outcomes_unknown_total: 1 }, ["increase(usher_journal_outcomes_unknown_total[1h]) > 0", "increase(usher_journal_outcomes_unknown_total[5m]) > 0"]],
  [{ usher_clock_jumps_total: 1 }, ["increase(usher_clock_jumps_total[1h]) > 0"]],
  [{ usher_clock_offset_seconds: 90.5 }, ["abs(usher_clock_offset_seconds) > 60"]],
  [{ usher_clock_offset_seconds: -90.5 }, ["abs(usher_clock_offset_seconds) > 60"]],
  [{ usher_log_lines_dropped_total: 1 }, ["increase(usher_log_lines_dropped_total[5m]) > 0"]],
  [{ usher_effect_threads: 101 }, ["usher_effect_threads > 100"]],
  [{ 'usher_refused_total{limit="server",work="session"}': 1 }, ['increase(usher_refused_total{limit="server"}[5m]) > 0']],
  [{ 'usher_refused_total{limit="address",work="session"}': 61 }, ['rate(usher_refused_total{limit="address"}[5m]) > 1']],
  [{ process_open_fds: 820 }, ["process_open_fds / process_max_fds > 0.8"]],
];
for (const [changed, expressions] of causes) {
  test(`the value ${Object.values(changed)[0]} of ${Object.keys(changed)[0]} fires exactly the expected alarms`, () => {
    assert.deepEqual(lit(server(), server(changed)).sort(), [...expressions].sort());
  });
}

test("the alarm for crashes fires if the process has restarted twice within 15 minutes", () => {
  const begun = (time) => server({ process_start_time_seconds: time });
  assert.deepEqual(lit(begun(1), begun(2)), []);
  assert.deepEqual(lit(begun(1), begun(2), begun(3)), ["changes(process_start_time_seconds[15m]) > 1"]);
});

/** Returns the judgement on the alarm for leaks after the metrics at these times, in minutes. */
function leaks(...texts) {
  const samples = new Samples(metrics);
  for (const [time, changed] of texts) samples.add(time * 60_000, server(changed));
  return judge(alarms[0], samples);
}

/** Returns the metrics of a process that started at a minute. */
const began = (minute, leaked) => ({ process_start_time_seconds: minute * 60, usher_coordinators_leaked_total: leaked });

test("an alarm fires for leaks that a young process counted before the first sample", () => {
  assert.deepEqual(leaks([100, began(90, 2)]), { verdict: "firing", count: 2 });
});

test("the alarm for leaks is unknown until its window is over, if an old process counted leaks before the first sample", () => {
  assert.deepEqual(leaks([1_000, began(90, 2)]), { verdict: "unsure", count: 2 });
  const hour = Array.from({ length: 60 * 4 + 1 }, (_, quarter) => [1_000 + quarter / 4, began(90, 2)]);
  assert.deepEqual(leaks(...hour), { verdict: "quiet", count: 2 });
});

test("the state of an alarm is unknown again after a time without samples", () => {
  assert.deepEqual(leaks([1_000, began(90, 2)], [1_200, began(90, 2)]), { verdict: "unsure", count: 2 });
});

test("the verdict names the firing alarms or how long the page has watched, and names alarms that may have fired", () => {
  const quiet = alarms.map(() => ({ verdict: "quiet", count: 0 }));
  assert.equal(inWords(quiet, 125_000, ""), "No alert fires; watched for 2 min.");
  assert.equal(inWords(quiet.with(0, { verdict: "firing", count: 1 }), 0, ""), alarms[0].summary);
  assert.equal(inWords(quiet.with(0, { verdict: "unsure", count: 3 }), 5_000, ""),
    `No alert fires; watched for less than 1 min. May have fired recently (3 cases since the process began): ${alarms[0].summary}`);
  assert.equal(inWords(quiet, 0, "Unknown since 12:00:00: nobody answers"), "Unknown since 12:00:00: nobody answers");
  assert.deepEqual([null, { verdict: "firing", count: 1 }, { verdict: "quiet", count: 2 }, { verdict: "quiet", count: 0 }].map(stateInWords),
    ["unknown", "firing", "not firing, 2 cases before", "not firing"]);
});
