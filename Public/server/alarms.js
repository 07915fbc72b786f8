// The alerts of deploy/usher.rules.yaml, as far as this page can evaluate them: over the time since it was opened, which may
// be shorter than the window of an expression.

/** @typedef {import("./samples.js").Samples} Samples */

const minute = 60_000, hour = 60 * minute;

/**
 * @typedef {object} Alarm
 * @property {string} expression In PromQL, as in the rules file.
 * @property {string} meaning
 * @property {(samples: Samples) => boolean} holds
 */

/** @param {string} name @param {import("./samples.js").Filter} filter @param {number} span */
const grows = (name, filter, span) => (/** @type {Samples} */ samples) => samples.increase(name, filter, span) > 0;

/** @param {number | null} part @param {number | null} whole */
const share = (part, whole) => (part === null || !whole ? 0 : part / whole);

/** @type {Alarm[]} */
export const alarms = [
  {
    expression: "increase(usher_coordinators_leaked_total[1h]) > 0", meaning: "An app keeps what has ended: memory grows.",
    holds: grows("usher_coordinators_leaked_total", {}, hour),
  },
  {
    expression: 'increase(usher_events_total{outcome="failed"}[5m]) > 0', meaning: "Handlers fail; the log has the cause.",
    holds: grows("usher_events_total", { outcome: "failed" }, 5 * minute),
  },
  {
    expression: 'increase(usher_events_total{outcome="unavailable"}[5m]) > 0', meaning: "Inputs cannot be kept: the journal is full, gone, or does not answer.",
    holds: grows("usher_events_total", { outcome: "unavailable" }, 5 * minute),
  },
  {
    expression: "increase(usher_journal_commit_failures_total[5m]) > 0", meaning: "Commits to the journal fail.",
    holds: grows("usher_journal_commit_failures_total", {}, 5 * minute),
  },
  {
    expression: 'increase(usher_incidents_total{kind=~"diverged|held"}[1h]) > 0', meaning: "This build leads sessions elsewhere, or cannot restore them.",
    holds: grows("usher_incidents_total", ({ kind }) => kind === "diverged" || kind === "held", hour),
  },
  {
    expression: 'increase(usher_incidents_total{kind="diverged"}[1h]) > 0', meaning: "The newest build leads sessions elsewhere: go back.",
    holds: grows("usher_incidents_total", { kind: "diverged" }, hour),
  },
  {
    expression: 'increase(usher_incidents_total{kind="guilty"}[1h]) > 0', meaning: "An input ends the process; it is refused until a new build.",
    holds: grows("usher_incidents_total", { kind: "guilty" }, hour),
  },
  {
    expression: "sum without (state) (usher_sessions) / usher_sessions_limit > 0.9", meaning: "Soon no session can be opened.",
    holds: (samples) => share(samples.sum("usher_sessions"), samples.sum("usher_sessions_limit")) > 0.9,
  },
  {
    expression: "histogram_quantile(0.99, rate(usher_journal_commit_duration_seconds_bucket[5m])) > 0.1", meaning: "The journal is slow, and so is every answer.",
    holds: (samples) => (samples.quantile(0.99, "usher_journal_commit_duration_seconds", 5 * minute) ?? 0) > 0.1,
  },
  {
    expression: "increase(usher_journal_outcomes_unknown_total[1h]) > 0", meaning: "The disk failed at a commit and at its undoing.",
    holds: grows("usher_journal_outcomes_unknown_total", {}, hour),
  },
  {
    expression: "increase(usher_journal_outcomes_unknown_total[5m]) > 0", meaning: "The journal did not say what became of inputs.",
    holds: grows("usher_journal_outcomes_unknown_total", {}, 5 * minute),
  },
  {
    expression: "increase(usher_clock_jumps_total[1h]) > 0", meaning: "The time of day was set; nothing expires for an hour.",
    holds: grows("usher_clock_jumps_total", {}, hour),
  },
  {
    expression: "abs(usher_clock_offset_seconds) > 60", meaning: "The server's clock differs from the database's; the server expires nothing.",
    holds: (samples) => Math.abs(samples.sum("usher_clock_offset_seconds") ?? 0) > 60,
  },
  {
    expression: "increase(usher_log_lines_dropped_total[5m]) > 0", meaning: "Whoever reads the log stalls, or it says too much.",
    holds: grows("usher_log_lines_dropped_total", {}, 5 * minute),
  },
  {
    expression: "usher_effect_threads > 100", meaning: "Effects block their threads.",
    holds: (samples) => (samples.sum("usher_effect_threads") ?? 0) > 100,
  },
  {
    expression: 'increase(usher_refused_total{limit="server"}[5m]) > 0', meaning: "Memory or connections run short.",
    holds: grows("usher_refused_total", { limit: "server" }, 5 * minute),
  },
  {
    expression: 'rate(usher_refused_total{limit="address"}[5m]) > 1', meaning: "A client uses more than its part.",
    holds: (samples) => samples.rate("usher_refused_total", { limit: "address" }, 5 * minute) > 1,
  },
  {
    expression: "process_open_fds / process_max_fds > 0.8", meaning: "Soon no connection can be accepted.",
    holds: (samples) => share(samples.sum("process_open_fds"), samples.sum("process_max_fds")) > 0.8,
  },
  {
    expression: "changes(process_start_time_seconds[15m]) > 1", meaning: "The worker crashes, and comes back.",
    holds: (samples) => samples.changes("process_start_time_seconds", 15 * minute) > 1,
  },
];

/** The metrics that they ask for. */
export const metrics = alarms.flatMap(({ expression }) => expression.match(/\b(?:usher|process)_\w+/g) ?? []);
