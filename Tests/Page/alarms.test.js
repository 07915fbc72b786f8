import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { alarms, metrics } from "../../Public/server/alarms.js";
import { Samples } from "../../Public/server/samples.js";

/** The expressions of the alert rules; each is on a line of its own, in single quotes. */
const rules = [...readFileSync(new URL("../../deploy/usher.rules.yaml", import.meta.url), "utf8").matchAll(/^ +expr: (.*)$/gm)]
  .map(([, value]) => value.replace(/^'(.*)'$/, "$1").replaceAll("''", "'"));

/** What a healthy server says, with some lines replaced. */
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

/** The expressions of the alarms that hold after these texts, one text a minute. */
function lit(...texts) {
  const samples = new Samples(metrics);
  texts.forEach((text, index) => samples.add(index * 60_000, text));
  return alarms.filter(({ holds }) => holds(samples)).map(({ expression }) => expression);
}

test("the page has an alarm for each expression of the rules file, and no other alarm", () => {
  assert.ok(rules.length > 0);
  assert.deepEqual(alarms.map(({ expression }) => expression).sort(), [...rules].sort());
});

test("no alarm holds for a healthy server, at the first look and later", () => {
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
  test(`${Object.keys(changed)[0]} of ${Object.values(changed)[0]} lights its alarms and no others`, () => {
    assert.deepEqual(lit(server(), server(changed)).sort(), [...expressions].sort());
  });
}

test("the alarm for crashes lights if the process has started again twice within 15 minutes", () => {
  const begun = (time) => server({ process_start_time_seconds: time });
  assert.deepEqual(lit(begun(1), begun(2)), []);
  assert.deepEqual(lit(begun(1), begun(2), begun(3)), ["changes(process_start_time_seconds[15m]) > 1"]);
});
