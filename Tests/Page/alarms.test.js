import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { alarms, metrics } from "../../Public/server/alarms.js";
import { Samples } from "../../Public/server/samples.js";

/** The expressions of the manual's tables of alerts, those in words and those of the database left out. */
function documented() {
  return ["operating", "cluster"].flatMap((name) => {
    const tables = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8").split("| when | why |\n").slice(1);
    return tables.flatMap((table) => table.split("\n").slice(1).filter((row, index, rows) => rows.slice(0, index + 1).every((each) => each.startsWith("|")))
      .flatMap((row) => {
        const cell = row.replaceAll("\\|", "\0").split("|")[1].replaceAll("\0", "|").split("`");
        return cell.every((part, index) => index % 2 === 1 || /^[ ,]*$/.test(part)) ? cell.filter((_, index) => index % 2 === 1) : [];
      }));
  });
}

/** What a server that is well says, with some lines in the place of others. */
function server(changed = {}) {
  const well = {
    "usher_coordinators_leaked_total": 0, 'usher_events_total{app="a",outcome="accepted"}': 100, 'usher_events_total{app="a",outcome="failed"}': 0,
    'usher_events_total{app="a",outcome="unavailable"}': 0, "usher_journal_commit_failures_total": 0, 'usher_incidents_total{kind="diverged"}': 0,
    'usher_incidents_total{kind="unavailable"}': 0, 'usher_incidents_total{kind="guilty"}': 0, 'usher_sessions{state="awake"}': 10,
    'usher_sessions{state="hibernated"}': 20, "usher_sessions_limit": 100, 'usher_journal_commit_duration_seconds_bucket{le="0.1"}': 5,
    'usher_journal_commit_duration_seconds_bucket{le="0.5"}': 5, 'usher_journal_commit_duration_seconds_bucket{le="+Inf"}': 5,
    "usher_journal_outcomes_unknown_total": 0, "usher_clock_jumps_total": 0, "usher_log_lines_dropped_total": 0, "usher_effect_threads": 2,
    'usher_refused_total{limit="server",work="session"}': 0, 'usher_refused_total{limit="address",work="session"}': 0, "process_open_fds": 20,
    "process_max_fds": 1024, "process_start_time_seconds": 1000,
  };
  return Object.entries({ ...well, ...changed }).map(([name, value]) => `${name} ${value}`).join("\n");
}

/** The expressions of those that hold after these texts, one a minute. */
function lit(...texts) {
  const samples = new Samples(metrics);
  texts.forEach((text, index) => samples.add(index * 60_000, text));
  return alarms.filter(({ holds }) => holds(samples)).map(({ expression }) => expression);
}

test("the page knows each alert of the manual, and no other", () => {
  const known = alarms.map(({ expression }) => expression);
  assert.deepEqual([...new Set(known)], known);
  assert.deepEqual([...known].sort(), [...new Set(documented())].sort());
});

test("none holds for a server that is well, at the first look and later", () => {
  assert.deepEqual(lit(server()), []);
  assert.deepEqual(lit(server(), server(), server()), []);
});

const slow = { 'usher_journal_commit_duration_seconds_bucket{le="0.5"}': 50, 'usher_journal_commit_duration_seconds_bucket{le="+Inf"}': 50 };
const causes = [
  [{ usher_coordinators_leaked_total: 1 }, ["increase(usher_coordinators_leaked_total[1h]) > 0"]],
  [{ 'usher_events_total{app="a",outcome="failed"}': 1 }, ['increase(usher_events_total{outcome="failed"}[5m]) > 0']],
  [{ 'usher_events_total{app="a",outcome="unavailable"}': 1 }, ['increase(usher_events_total{outcome="unavailable"}[5m]) > 0']],
  [{ usher_journal_commit_failures_total: 1 }, ["increase(usher_journal_commit_failures_total[5m]) > 0"]],
  [{ 'usher_incidents_total{kind="diverged"}': 1 }, ['increase(usher_incidents_total{kind=~"diverged|unavailable"}[1h]) > 0', 'increase(usher_incidents_total{kind="diverged"}[1h]) > 0']],
  [{ 'usher_incidents_total{kind="unavailable"}': 1 }, ['increase(usher_incidents_total{kind=~"diverged|unavailable"}[1h]) > 0']],
  [{ 'usher_incidents_total{kind="guilty"}': 1 }, ['increase(usher_incidents_total{kind="guilty"}[1h]) > 0']],
  [{ 'usher_sessions{state="awake"}': 71 }, ["sum without (state) (usher_sessions) / usher_sessions_limit > 0.9"]],
  [slow, ["histogram_quantile(0.99, rate(usher_journal_commit_duration_seconds_bucket[5m])) > 0.1"]],
  [{ usher_journal_outcomes_unknown_total: 1 }, ["increase(usher_journal_outcomes_unknown_total[1h]) > 0", "increase(usher_journal_outcomes_unknown_total[5m]) > 0"]],
  [{ usher_clock_jumps_total: 1 }, ["increase(usher_clock_jumps_total[1h]) > 0"]],
  [{ usher_log_lines_dropped_total: 1 }, ["increase(usher_log_lines_dropped_total[5m]) > 0"]],
  [{ usher_effect_threads: 101 }, ["usher_effect_threads > 100"]],
  [{ 'usher_refused_total{limit="server",work="session"}': 1 }, ['increase(usher_refused_total{limit="server"}[5m]) > 0']],
  [{ 'usher_refused_total{limit="address",work="session"}': 61 }, ['rate(usher_refused_total{limit="address"}[5m]) > 1']],
  [{ process_open_fds: 820 }, ["process_open_fds / process_max_fds > 0.8"]],
];
for (const [changed, expressions] of causes) {
  test(`${Object.keys(changed)[0]} of ${Object.values(changed)[0]} lights what it is about, and nothing else`, () => {
    assert.deepEqual(lit(server(), server(changed)).sort(), [...expressions].sort());
  });
}

test("a process that has begun twice within a quarter of an hour crashes", () => {
  const begun = (time) => server({ process_start_time_seconds: time });
  assert.deepEqual(lit(begun(1), begun(2)), []);
  assert.deepEqual(lit(begun(1), begun(2), begun(3)), ["changes(process_start_time_seconds[15m]) > 1"]);
});
