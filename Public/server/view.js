// The server at a glance: its figures as lines over time, the alerts that hold, and the servers beside it.
import { ask, follow, read } from "../client/client.js";
import { age, bytes, count, element, set, stylesheet, write } from "../document/element.js";
import { makePlot } from "../session/plot.js";
import { alarms, metrics } from "./alarms.js";
import { Samples } from "./samples.js";

await stylesheet("/session/around.css");

/** @typedef {{ name: string, build: string, since: string, until: string }} Peer */
/** @typedef {{ x: number, y: number }[]} Line */

const interval = 5_000;
const perSecond = (/** @type {number} */ number) => `${number < 10 ? number.toFixed(1) : count(Math.round(number))}/s`;
const hundredths = (/** @type {number} */ number) => number.toFixed(2);

/** @type {{ name: string, format: (value: number) => string, metric: string, line: (samples: Samples, metric: string) => Line }[]} */
const lines = [
  { name: "Requests", format: perSecond, metric: "usher_http_requests_total", line: (samples, metric) => samples.rates(metric) },
  { name: "Events that counted", format: perSecond, metric: "usher_events_total", line: (samples, metric) => samples.rates(metric, { outcome: "accepted" }) },
  { name: "Sessions", format: count, metric: "usher_sessions", line: (samples, metric) => samples.line(metric) },
  { name: "Sessions awake", format: count, metric: "usher_sessions", line: (samples, metric) => samples.line(metric, { state: "awake" }) },
  { name: "Coordinators", format: count, metric: "usher_coordinators", line: (samples, metric) => samples.line(metric) },
  { name: "Streams", format: count, metric: "usher_streams", line: (samples, metric) => samples.line(metric) },
  { name: "Effects running", format: count, metric: "usher_effects_running", line: (samples, metric) => samples.line(metric) },
  { name: "Connections", format: count, metric: "usher_http_connections", line: (samples, metric) => samples.line(metric) },
  { name: "Resident memory", format: bytes, metric: "process_resident_memory_bytes", line: (samples, metric) => samples.line(metric) },
  { name: "Processors in use", format: hundredths, metric: "process_cpu_seconds_total", line: (samples, metric) => samples.rates(metric) },
];
const others = ["usher_ready", "process_start_time_seconds", "usher_build_info"];

/**
 * @param {import("../page.js").Page} page
 * @returns {import("../page.js").View}
 */
export function open(page) {
  page.title("Server");
  const samples = new Samples([...metrics, ...others, ...lines.map(({ metric }) => metric)]);
  const notice = element("p", { class: "fault", role: "alert", hidden: true });
  const summary = element("p", { class: "hint" });
  const board = makeBoard();
  const plots = lines.map(({ name, format }) => makePlot(name, format, (time) => new Date(time).toLocaleTimeString("en")));
  const peers = makePeers();
  const following = follow(page, interval, async () => {
    const [text, { nodes }] = await Promise.all([read("/metrics"), ask("/admin/nodes")]);
    samples.add(Date.now(), text);
    show();
    peers.update(nodes);
  }, (fault) => {
    write(notice, fault);
    notice.hidden = !fault;
  });

  function show() {
    const started = new Date((samples.sum("process_start_time_seconds") ?? 0) * 1_000).toISOString();
    write(summary, `${samples.sum("usher_ready") ? "Ready" : "Draining"}; this process began ${age(started, Date.now())} ago.`);
    board.update(samples);
    lines.forEach(({ line, metric }, index) => {
      const points = line(samples, metric);
      if (points.length) plots[index].update(points, null);
    });
  }

  return {
    root: element("div", { class: "list" },
      element("h1", {}, "Server"), summary, notice, board.verdict,
      element("section", { class: "panel", "aria-labelledby": "figures" },
        element("h2", { id: "figures" }, "Figures"),
        element("p", { class: "hint" }, "Over the last hour, while this page looks; a monitor that scrapes /metrics keeps more."),
        element("div", { class: "plots" }, ...plots.map(({ root }) => root))),
      board.root, peers.root),
    close: following.close,
  };
}

/** The alerts of deploy/usher.rules.yaml; the alerts that hold come first. */
function makeBoard() {
  const verdict = element("p", { class: "note verdict", role: "status", "aria-label": "Alerts that hold" });
  const rows = alarms.map(({ expression, meaning }) => {
    const state = element("bdi", {}, "–");
    return { state, root: element("tr", {}, element("td", { "data-column": "State" }, state), element("td", {}, meaning), element("td", {}, element("code", {}, expression))) };
  });
  const body = element("tbody", {}, ...rows.map(({ root }) => root));
  return {
    verdict,
    root: element("section", { class: "panel alarms", "aria-labelledby": "alarms" },
      element("h2", { id: "alarms" }, "Alerts"),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of alerts" },
        element("table", {},
          element("caption", { class: "unseen" }, "Alerts"),
          element("thead", {}, element("tr", {}, ...["State", "Meaning", "Expression"].map((name) => element("th", { scope: "col" }, name)))),
          body))),
    /** @param {Samples} samples */
    update(samples) {
      const lit = alarms.map(({ holds }) => holds(samples));
      const held = alarms.filter((_, index) => lit[index]).map(({ meaning }) => meaning);
      write(verdict, held.length ? held.join(" ") : "No alert holds.");
      verdict.classList.toggle("warning", held.length > 0);
      rows.forEach(({ state, root }, index) => {
        write(state, lit[index] ? "holds" : "quiet");
        set(root, "data-lit", lit[index]);
      });
      const order = rows.map((row, index) => ({ row, index })).sort((one, other) => Number(lit[other.index]) - Number(lit[one.index]) || one.index - other.index);
      order.forEach(({ row }, place) => {
        if (body.children[place] !== row.root) body.insertBefore(row.root, body.children[place] ?? null);
      });
    },
  };
}

/** The servers on one journal; nothing where this one has it alone. */
function makePeers() {
  const rows = element("tbody");
  const root = element("section", { class: "panel", "aria-labelledby": "nodes", hidden: true },
    element("h2", { id: "nodes" }, "Servers on this journal"),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of servers" },
      element("table", {},
        element("caption", { class: "unseen" }, "Servers on this journal"),
        element("thead", {}, element("tr", {}, ...["Name", "Build", "Since", "Lease until"].map((name) => element("th", { scope: "col" }, name)))),
        rows)));
  return {
    root,
    /** @param {Peer[]} nodes */
    update(nodes) {
      root.hidden = nodes.length === 0;
      rows.replaceChildren(...nodes.map(({ name, build, since, until }) => element("tr", {}, ...[name, build, since, until].map((text) => element("td", {}, element("bdi", {}, text))))));
    },
  };
}
