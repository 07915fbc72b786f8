// The server in an incident: what is known and unknown, alerts, crashes, and the metrics as lines over time.
import { poll, read } from "../client/client.js";
import { age, bytes, clockTime, count, element, set, stylesheet, write } from "../document/element.js";
import { makePlot } from "../session/plot.js";
import { metrics } from "./alarms.js";
import { makeBoard } from "./board.js";
import { makeControls } from "./controls.js";
import { Samples } from "./samples.js";
import { makeSource, patience, unknown } from "./source.js";
import { makeBuilds, makeCrashes, makePeers } from "./tables.js";

await stylesheet("/session/around.css");

/** @typedef {{ x: number, y: number }[]} Line */
/** @typedef {import("./source.js").Source<any>} Source */

const perSecond = (/** @type {number} */ number) => `${number < 10 ? number.toFixed(1) : count(Math.round(number))}/s`;
const hundredths = (/** @type {number} */ number) => number.toFixed(2);
const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
const time = (/** @type {number} */ seconds) => (seconds < 0.0995 ? `${(seconds * 1_000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`);

const durations = "usher_http_request_duration_seconds", commits = "usher_journal_commit_duration_seconds", budget = "usher_memory_budget_bytes";

/** @type {{ name: string, format: (value: number) => string, metric: string, line: (samples: Samples, metric: string) => Line }[]} */
const lines = [
  { name: "Failed answers (5xx)", format: perSecond, metric: "usher_http_requests_total", line: (samples, metric) => samples.rates(metric, ({ code }) => /^5/.test(code)) },
  { name: "Mean time to answer an input", format: time, metric: `${durations}_sum`, line: (samples, metric) => samples.ratios(metric, `${durations}_count`, ({ route }) => /\/events$/.test(route)) },
  { name: "Commit time, 99th percentile", format: time, metric: `${commits}_bucket`, line: (samples) => samples.quantiles(0.99, commits) },
  { name: "Changes waiting for the journal", format: count, metric: "usher_journal_changes_waiting", line: (samples, metric) => samples.line(metric) },
  { name: "Memory budget in use", format: percent, metric: "usher_memory_used_bytes", line: (samples, metric) => samples.shares(metric, budget) },
  { name: "Requests", format: perSecond, metric: "usher_http_requests_total", line: (samples, metric) => samples.rates(metric) },
  { name: "Accepted inputs", format: perSecond, metric: "usher_events_total", line: (samples, metric) => samples.rates(metric, { outcome: "accepted" }) },
  { name: "Sessions", format: count, metric: "usher_sessions", line: (samples, metric) => samples.line(metric) },
  { name: "Sessions awake", format: count, metric: "usher_sessions", line: (samples, metric) => samples.line(metric, { state: "awake" }) },
  { name: "Coordinators", format: count, metric: "usher_coordinators", line: (samples, metric) => samples.line(metric) },
  { name: "Streams", format: count, metric: "usher_streams", line: (samples, metric) => samples.line(metric) },
  { name: "Effects running", format: count, metric: "usher_effects_running", line: (samples, metric) => samples.line(metric) },
  { name: "Connections", format: count, metric: "usher_http_connections", line: (samples, metric) => samples.line(metric) },
  { name: "Resident memory", format: bytes, metric: "process_resident_memory_bytes", line: (samples, metric) => samples.line(metric) },
  { name: "Processors in use", format: hundredths, metric: "process_cpu_seconds_total", line: (samples, metric) => samples.rates(metric) },
];
const others = [`${durations}_count`, budget, "usher_ready", "usher_sessions_held", "process_start_time_seconds", "usher_build_info"];

/** All metrics since the page was loaded; a login, or a visit to another view, does not discard them. */
const samples = new Samples([...metrics, ...others, ...lines.map(({ metric }) => metric)]);

/**
 * @param {import("../page.js").Page} page
 * @returns {import("../page.js").View}
 */
export function open(page) {
  page.title("Server");
  const board = makeBoard(), states = makeStates();
  const plots = lines.map(({ name, format }) => makePlot(name, format, clockTime));
  const crashes = makeCrashes(), peers = makePeers(), builds = makeBuilds(), controls = makeControls();
  // Separate sources, because in an outage the server may answer some requests and not others.
  const process = makeSource(page, async () => samples.add(Date.now(), await read("/metrics", { patience })), showProcess);
  const readiness = makeSource(page, askReadiness, showRest);
  const nodes = makeSource(page, () => poll("/admin/nodes", { patience }), showRest);
  const incidents = makeSource(page, async () => (await poll("/admin/incidents", { patience })).incidents, showRest);

  function showProcess() {
    if (!process.fault) {
      lines.forEach(({ line, metric }, index) => {
        const points = line(samples, metric);
        if (points.length) plots[index].update(points, null);
      });
    }
    showRest();
  }

  function showRest() {
    const now = Date.now();
    states.update({ Process: processState(process, now), Readiness: readinessState(readiness), Held: heldState(process), Servers: serverState(nodes), Crashes: crashState(incidents, now) });
    if (!nodes.fault && nodes.value) {
      peers.update(nodes.value.nodes);
      builds.update(nodes.value.builds, nodes.value.nodes.length > 0);
    }
    if (!incidents.fault && incidents.value) crashes.update(incidents.value);
    const isUnready = !readiness.fault && readiness.known && readiness.value !== ready;
    board.update(samples, isUnready ? [`The server says: ${readiness.value}.`] : [], process.fault && unknown(process));
  }

  return {
    root: element("div", { class: "list" },
      element("h1", {}, "Server"), board.verdict, states.root,
      board.root, crashes.root, controls.root,
      element("section", { class: "panel", "aria-labelledby": "figures" },
        element("h2", { id: "figures" }, "Figures"),
        element("p", { class: "hint" }, "The figures cover at most the last hour, and only the time while this page was open. For longer times, have a monitor scrape /metrics."),
        element("div", { class: "plots" }, ...plots.map(({ root }) => root))),
      peers.root, builds.root),
    close() { for (const source of [process, readiness, nodes, incidents]) source.close(); },
  };
}

const ready = "ready";

/** @returns {Promise<string>} The server's statement on its readiness for new work. */
async function askReadiness() {
  try {
    return (await read("/readyz", { patience })).trim();
  } catch (error) {
    const { status, message } = /** @type {import("../client/usher.js").Problem} */ (error);
    if (status === 503) return message;
    throw error;
  }
}

/** @typedef {{ text: string, state: "good" | "bad" | "unknown" }} State */

/** @param {Source} source @param {number} now @returns {State} */
function processState(source, now) {
  if (source.fault || !source.known) return { text: unknown(source), state: "unknown" };
  const began = age(new Date((samples.sum("process_start_time_seconds") ?? 0) * 1_000).toISOString(), now);
  return samples.sum("usher_ready") ? { text: `Began ${began} ago`, state: "good" } : { text: `Draining, began ${began} ago`, state: "bad" };
}

/** @param {Source} source @returns {State} */
function readinessState(source) {
  if (source.fault || !source.known) return { text: unknown(source), state: "unknown" };
  return source.value === ready ? { text: "Takes new work", state: "good" } : { text: source.value, state: "bad" };
}

/** @param {Source} source @returns {State} */
function heldState(source) {
  if (source.fault || !source.known) return { text: unknown(source), state: "unknown" };
  const held = samples.sum("usher_sessions_held") ?? 0;
  return held ? { text: `${count(held)} sessions on hold`, state: "bad" } : { text: "No session on hold", state: "good" };
}

/** @param {Source} source @returns {State} */
function serverState(source) {
  if (source.fault || !source.known) return { text: unknown(source), state: "unknown" };
  const { nodes } = source.value;
  return { text: nodes.length ? `${count(nodes.length)} on this journal` : "Only this one", state: "good" };
}

/** @param {Source} source @param {number} now @returns {State} */
function crashState(source, now) {
  if (source.fault || !source.known) return { text: unknown(source), state: "unknown" };
  const times = source.value.map((/** @type {import("./tables.js").Incident} */ { time }) => Date.parse(time));
  if (!times.length) return { text: "None recorded", state: "good" };
  return { text: `${count(times.length)} recorded, the last ${age(new Date(Math.max(...times)).toISOString(), now)} ago`, state: "bad" };
}

/** Shows what is known and what is unknown. */
function makeStates() {
  const names = ["Process", "Readiness", "Servers", "Crashes", "Held"];
  const boxes = Object.fromEntries(names.map((name) => [name, element("dd", {}, "Asking …")]));
  return {
    root: element("dl", { class: "states", "aria-label": "State of the server" }, ...names.map((name) => element("div", {}, element("dt", {}, name), boxes[name]))),
    /** @param {Record<string, State>} states */
    update(states) {
      for (const [name, { text, state }] of Object.entries(states)) {
        write(boxes[name], text);
        set(/** @type {HTMLElement} */ (boxes[name].parentElement), "data-state", state);
      }
    },
  };
}
