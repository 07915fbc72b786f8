// The alerts of deploy/usher.rules.yaml, as far as this page can evaluate them. The page has only the present values,
// and their growth since the page was opened. The time since then may be shorter than an expression's window.

/** @typedef {import("./samples.js").Samples} Samples */
/** @typedef {"firing" | "unsure" | "quiet"} Verdict `unsure` if the counted events may be older than the expression's window. */

const minute = 60_000, hour = 60 * minute;

/**
 * @typedef {object} Alarm
 * @property {string} expression In PromQL, as in the rules file.
 * @property {string} summary
 * @property {string} action The first step to take.
 * @property {{ address: string, name: string }} [link] The place on this page that shows the affected things.
 * @property {(samples: Samples) => boolean} holds
 * @property {(samples: Samples) => number} [counted] For an alarm with a counter, the count since the start of the process.
 * @property {number} [span] The expression's window, in milliseconds.
 */

/** @param {string} name @param {import("./samples.js").Filter} filter @param {number} span */
const grows = (name, filter, span) => ({
  span,
  holds: (/** @type {Samples} */ samples) => samples.increase(name, filter, span) > 0,
  counted: (/** @type {Samples} */ samples) => samples.sum(name, filter) ?? 0,
});

/** @param {number | null} part @param {number | null} whole */
const share = (part, whole) => (part === null || !whole ? 0 : part / whole);

/** @type {Alarm[]} */
export const alarms = [
  {
    expression: "increase(usher_coordinators_leaked_total[1h]) > 0",
    summary: "An app keeps coordinators that have ended, so the server's memory grows.",
    action: "Read the log line `coordinator leaked`. The session's `leaks` name the object that holds it.",
    link: { address: "#/?leaked=true", name: "Sessions with leaks" },
    ...grows("usher_coordinators_leaked_total", {}, hour),
  },
  {
    expression: 'increase(usher_events_total{outcome="failed"}[5m]) > 0',
    summary: "Handlers of an app fail, and clients get status 500.",
    action: "Read the log line `handler failed`, which has the cause.",
    ...grows("usher_events_total", { outcome: "failed" }, 5 * minute),
  },
  {
    expression: 'increase(usher_events_total{outcome="unavailable"}[5m]) > 0',
    summary: "The server answers inputs with 503, because it cannot store them or cannot restore their sessions.",
    action: "Check that the disk or the database of the journal is reachable and has free space.",
    ...grows("usher_events_total", { outcome: "unavailable" }, 5 * minute),
  },
  {
    expression: "increase(usher_journal_commit_failures_total[5m]) > 0",
    summary: "Commits to the journal fail, so the server acknowledges no input.",
    action: "File: free disk space, or put a moved journal back. Database: look for a failover or a full disk.",
    ...grows("usher_journal_commit_failures_total", {}, 5 * minute),
  },
  {
    expression: 'increase(usher_incidents_total{kind=~"diverged|held"}[1h]) > 0',
    summary: "This build handles stored inputs differently from the previous build, or cannot restore sessions.",
    action: "Return to the previous build, and run `usher check` before the next deploy.",
    link: { address: "#/?state=held", name: "Sessions on hold" },
    ...grows("usher_incidents_total", ({ kind }) => kind === "diverged" || kind === "held", hour),
  },
  {
    expression: 'increase(usher_incidents_total{kind="diverged"}[1h]) > 0',
    summary: "The newest build handles stored inputs differently from the previous build.",
    action: "Stop all servers of the newest build, and start the previous build.",
    ...grows("usher_incidents_total", { kind: "diverged" }, hour),
  },
  {
    expression: 'increase(usher_incidents_total{kind="guilty"}[1h]) > 0',
    summary: "An input crashes the server process. The server rejects this input until a new build runs.",
    action: "Read the log line `input guilty`, which names the app, the screen and the crash. Fix the app.",
    ...grows("usher_incidents_total", { kind: "guilty" }, hour),
  },
  {
    expression: "sum without (state) (usher_sessions) / usher_sessions_limit > 0.9",
    summary: "More than 90 % of `--max-sessions` are in use. At 100 % the server opens no session.",
    action: "Raise `--max-sessions`, or shorten `--expire-after`.",
    holds: (samples) => share(samples.sum("usher_sessions"), samples.sum("usher_sessions_limit")) > 0.9,
  },
  {
    expression: "histogram_quantile(0.99, rate(usher_journal_commit_duration_seconds_bucket[5m])) > 0.1",
    summary: "One commit in a hundred takes longer than 100 ms, so answers are slow too.",
    action: "Check the latency of the journal's disk, or of the database and its standby.",
    holds: (samples) => (samples.quantile(0.99, "usher_journal_commit_duration_seconds", 5 * minute) ?? 0) > 0.1,
  },
  {
    expression: "increase(usher_journal_outcomes_unknown_total[1h]) > 0",
    summary: "A commit was neither completed nor undone. An input with the answer `outcome-unknown` may take effect later.",
    action: "File: replace the disk. Database: see the alert `UsherDatabaseSilent`.",
    ...grows("usher_journal_outcomes_unknown_total", {}, hour),
  },
  {
    expression: "increase(usher_journal_outcomes_unknown_total[5m]) > 0",
    summary: "The database did not answer for ten seconds, so clients got `outcome-unknown`.",
    action: "Check the primary and the network. Clients learn the outcome when they repeat the request.",
    ...grows("usher_journal_outcomes_unknown_total", {}, 5 * minute),
  },
  {
    expression: "increase(usher_clock_jumps_total[1h]) > 0",
    summary: "The time of day jumped by more than a minute. No session expires for an hour.",
    action: "Check the time synchronization of the machine.",
    ...grows("usher_clock_jumps_total", {}, hour),
  },
  {
    expression: "abs(usher_clock_offset_seconds) > 60",
    summary: "The server's clock differs from the database's by more than a minute, so the server expires nothing.",
    action: "Compare both with a third clock, and synchronize the wrong one.",
    holds: (samples) => Math.abs(samples.sum("usher_clock_offset_seconds") ?? 0) > 60,
  },
  {
    expression: "increase(usher_log_lines_dropped_total[5m]) > 0",
    summary: "The server dropped log lines, because the reader of standard error is too slow.",
    action: "Check the log collector. If it works, find out which message fills the log.",
    ...grows("usher_log_lines_dropped_total", {}, 5 * minute),
  },
  {
    expression: "usher_effect_threads > 100",
    summary: "Effects block more than 100 of the 128 effect threads. At 128, other effects wait.",
    action: "Find the effects that block, and make them `await` instead.",
    holds: (samples) => (samples.sum("usher_effect_threads") ?? 0) > 100,
  },
  {
    expression: 'increase(usher_refused_total{limit="server"}[5m]) > 0',
    summary: "The server rejects work, because its memory or its connections run short.",
    action: "Read the log line `server is full`. Add memory, or lower the limits for each client address.",
    ...grows("usher_refused_total", { limit: "server" }, 5 * minute),
  },
  {
    expression: 'rate(usher_refused_total{limit="address"}[5m]) > 1',
    summary: "The server rejects more than one request a second, because a client address exceeds its limits.",
    action: "Find out who uses the address. If it belongs to your proxy, name it with `--trusted-proxy`.",
    holds: (samples) => samples.rate("usher_refused_total", { limit: "address" }, 5 * minute) > 1,
  },
  {
    expression: "process_open_fds / process_max_fds > 0.8",
    summary: "More than 80 % of the file descriptors are in use. At 100 % the server accepts no connection.",
    action: "Raise the hard limit of open files (`ulimit -Hn`, `LimitNOFILE=`), or lower the limits for each client address.",
    holds: (samples) => share(samples.sum("process_open_fds"), samples.sum("process_max_fds")) > 0.8,
  },
  {
    expression: "changes(process_start_time_seconds[15m]) > 1",
    summary: "The worker process crashed more than once in 15 minutes.",
    action: "Read the log line `worker ended` and the answer of `GET /admin/incidents`.",
    holds: (samples) => samples.changes("process_start_time_seconds", 15 * minute) > 1,
  },
];

/** The metrics that the alarms use. */
export const metrics = alarms.flatMap(({ expression }) => expression.match(/\b(?:usher|process)_\w+/g) ?? []);

/**
 * Evaluates an alarm.
 * @param {Alarm} alarm
 * @param {Samples} samples At least one scrape.
 * @returns {{ verdict: Verdict, count: number }} `count` is the number that the process has counted since its start.
 */
export function judge({ holds, counted, span = 0 }, samples) {
  const count = counted?.(samples) ?? 0;
  if (holds(samples)) return { verdict: "firing", count };
  return { verdict: count > 0 && !samples.covers(span) ? "unsure" : "quiet", count };
}
