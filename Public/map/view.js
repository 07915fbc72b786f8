// The map of an app: the session's place, the inputs that the session has walked, untried inputs, and a button for each
// possible input.
import { ask, coalesced, problem } from "../client/client.js";
import { writeJSON } from "../client/exact-json.js";
import { alertLine, clip, drawing, element, set, shown, stylesheet, write } from "../document/element.js";
import { body, foldBacks, graph, outside, told, toldAlone } from "./graph.js";
import { curve, layOut } from "./layered-layout.js";
import { makeLens } from "./lens.js";

await stylesheet("/map/map.css");

/** @typedef {import("./graph.js").AppMap} AppMap */

const wide = 7.4, slim = 6.3, height = 34, longest = 24;
/** The time limit in milliseconds: the first request explores the app, and only one app is explored at a time. */
const patience = 120_000;
/** @typedef {{ states: number, depth: number, seconds: number }} Bounds */
/**
 * The server's default bounds of an exploration, and the widest possible bounds. @type {{ least: Bounds, most: Bounds
 * }}
 */
const bounds = { least: { states: 500, depth: 100, seconds: 20 }, most: { states: 10_000, depth: 1_000, seconds: 600 } };
/** @type {Map<string, { asked: Promise<AppMap>, bounds: Bounds }>} */
const maps = new Map();

/**
 * Returns the map of an app, requested only once per server process, unless wider bounds are requested.
 * @param {string} app
 * @param {Bounds | null} [wider]
 */
function mapOf(app, wider = null) {
  const known = maps.get(app);
  if (known && !wider) return known.asked;
  const chosen = wider ?? bounds.least, query = new URLSearchParams(Object.entries(chosen).map(([name, bound]) => [name, String(bound)]));
  const asked = ask(`/admin/apps/${encodeURIComponent(app)}/map${wider ? `?${query}` : ""}`, { patience: patience + chosen.seconds * 1_000 });
  maps.set(app, { asked, bounds: chosen });
  asked.catch(() => { if (maps.get(app)?.asked === asked) maps.delete(app); });
  return asked;
}

/**
 * Returns wider bounds for an exploration that has reached one of its bounds; null if there are no wider bounds.
 * @param {string} app
 * @returns {Bounds | null}
 */
function widerOf(app) {
  const { states, depth, seconds } = maps.get(app)?.bounds ?? bounds.least, { most } = bounds;
  const wider = { states: Math.min(most.states, states * 4), depth: Math.min(most.depth, depth * 2), seconds: Math.min(most.seconds, seconds * 3) };
  return wider.states === states && wider.depth === depth && wider.seconds === seconds ? null : wider;
}

/** @typedef {Pick<import("../session/session.js").Session, "app" | "now" | "past" | "pastRevision" | "isReadOnly" | "isOver">} Place The session on the map, or a place without a session. */

/**
 * @param {Place} session
 * @param {import("../session/sending.js").Sending | null} sending Null for a map without a session.
 * @param {() => Promise<import("./graph.js").Step[]>} walked Requests the states that the session has reached.
 * @returns {{ root: HTMLElement, update: () => void }}
 */
export function makeMap(session, sending, walked) {
  const status = element("p", { class: "hint", role: "status" }, "Exploring the app …");
  const { root: fault, say: refuse } = alertLine();
  const picture = drawing("svg", { role: "img" });
  const scroll = element("div", { class: "scroll charted", tabindex: 0, role: "group", "aria-label": "Picture of the map" }, picture);
  const lens = makeLens(scroll, picture);
  const further = element("button", { type: "button", class: "quiet", hidden: true, onclick: explore }, "Explore further");
  const backs = element("button", { type: "button", class: "quiet", "aria-pressed": "false", hidden: true, onclick: () => {
    showsBacks = !showsBacks;
    drawn = "";
    refresh();
  } });
  lens.root.append(backs, further);
  const place = element("h4", {}, "From here"), list = element("ul", { class: "ways", "aria-label": "Ways from here" });
  const findings = element("ul", { class: "findings", "aria-label": "Mistakes on the map" });
  const ways = element("div", { class: "onward control" }, place, list);
  let drawn = "", chart = "", stood = 0, showsBacks = false;
  /** @type {AppMap | null} */
  let map = null;

  const refresh = coalesced(async () => {
    try {
      const app = session.app;
      if (!app) return;
      const known = map = map ?? await mapOf(app);
      show(known, await walked());
      refuse("");
    } catch (error) {
      if (!session.isOver) refuse(problem(error).message);
    }
  });

  /** Makes the server explore the app with wider bounds. */
  async function explore() {
    const { app } = session, wider = app && widerOf(app);
    if (!app || !wider) return;
    set(further, "disabled", true);
    write(status, `Exploring the app for up to ${wider.seconds} s …`);
    try {
      map = await mapOf(app, wider);
      drawn = "";
      refresh();
    } catch (error) {
      refuse(problem(error).message);
    }
    set(further, "disabled", false);
  }

  /** @param {AppMap} map @param {import("./graph.js").Step[]} steps */
  function show(map, steps) {
    const shownSteps = session.past ? steps.filter(({ revision }) => revision <= (session.pastRevision ?? 0)) : steps;
    const found = graph(map, shownSteps), text = JSON.stringify([found, session.isReadOnly]);
    if (text === drawn) return;
    drawn = text;
    write(status, sending ? told(map, found) : toldAlone(map, found));
    further.hidden = map.complete || !map.bound || !widerOf(map.app);
    const { shown, folded } = foldBacks(found.edges);
    backs.hidden = folded === 0;
    write(backs, `${folded} ways back`);
    set(backs, "aria-pressed", String(showsBacks));
    if (found.nodes.length) draw(showsBacks ? found : { ...found, edges: shown });
    ways.hidden = !sending;
    const here = found.nodes.find(({ isHere }) => isHere);
    write(place, here ? `From ${here.name}` : "From here");
    const focused = document.activeElement?.closest(".ways li")?.getAttribute("data-way");
    list.replaceChildren(...found.ways.map((way) => item(way)));
    if (focused) /** @type {HTMLElement | null} */ ((list.querySelector(`[data-way=${CSS.escape(focused)}] button`) ?? list.querySelector("button:not(:disabled)")))?.focus({ preventScroll: true });
    const wrong = map.findings.filter(({ wrong }) => wrong);
    findings.replaceChildren(...wrong.slice(0, 20).map((each) => finding(each)));
  }

  /** @param {import("./graph.js").Way} way */
  function item(way) {
    const state = session.now, input = state && body(way, state), told = `${way.label} → ${way.target}`;
    const button = element("button", {
      type: "button", "aria-label": `${told}, ${way.isWalked ? "walked" : "not tried"}`, "data-walked": way.isWalked, disabled: !input || session.isReadOnly,
      title: input ? null : "Only the server or the device sends this input.",
      onclick: (/** @type {MouseEvent} */ click) => send(way, click), onfocus: () => light(way), onblur: () => light(null),
      onpointerenter: () => light(way), onpointerleave: () => light(null),
    }, element("bdi", {}, told));
    return element("li", { "data-way": told }, button);
  }

  /** @param {import("./graph.js").Way} way @param {MouseEvent} click */
  function send(way, click) {
    const input = session.now && body(way, session.now);
    if (input && sending && !session.isReadOnly) sending.send(input, ways, way.label, click);
  }

  /** @param {import("./graph.js").Way | null} way The input whose line is highlighted. */
  function light(way) {
    for (const line of picture.querySelectorAll(".line")) {
      const isOf = way && line.getAttribute("data-to") === way.target && line.hasAttribute("data-here");
      line.toggleAttribute("data-lit", Boolean(isOf));
    }
  }

  /** @param {import("./graph.js").Graph} found */
  function draw({ nodes, edges, ways }) {
    const here = nodes.find(({ isHere }) => isHere)?.name ?? null;
    const boxes = nodes.map(({ name }) => ({ id: name, width: Math.ceil(Math.min(name.length, longest) * wide) + 26, height }));
    const layout = layOut(boxes, edges), size = new Map(boxes.map((box) => [box.id, box]));
    set(picture, "viewBox", `0 0 ${layout.width} ${layout.height}`);
    set(picture, "aria-label", `Map of ${nodes.length} screens and ${edges.length} ways between them${here ? `; the session is at ${here}` : ""}`);
    const taken = nodes.map(({ name }) => around(layout.places.get(name), size.get(name)?.width ?? 0, height));
    const lines = edges.map((edge, index) => line(edge, layout.lines[index], size, edge.from === here, ways));
    const labels = [...edges.keys()].sort((one, other) => Number(edges[other].from === here) - Number(edges[one].from === here))
      .flatMap((index) => label(edges[index], layout.lines[index], size, taken, edges[index].from === here));
    picture.replaceChildren(arrow(), drawing("g", {}, ...lines), drawing("g", {}, ...labels), drawing("g", {}, ...nodes.map((node) => box(node, layout, size))));
    lens.update(layout);
    const text = nodes.map(({ name }) => name).join();
    if (here && (text !== chart || stood !== session.now?.revision)) reveal(layout.places.get(here));
    chart = text;
    stood = session.now?.revision ?? 0;
  }

  /** @param {import("./layered-layout.js").Point | undefined} point */
  function reveal(point) {
    if (point) requestAnimationFrame(() => lens.show(point));
  }

  /**
   * @param {import("./graph.js").GraphEdge} edge
   * @param {import("./layered-layout.js").Point[]} points
   * @param {Map<string, import("./layered-layout.js").Node>} size
   * @param {boolean} isHere Whether the line starts at the session's screen.
   * @param {import("./graph.js").Way[]} ways
   */
  function line(edge, points, size, isHere, ways) {
    const path = curve(cut(points, size.get(edge.from), size.get(edge.to)));
    const own = isHere ? ways.filter(({ target }) => target === edge.to) : [];
    const state = session.now, sendable = own.find((way) => state && body(way, state) && !session.isReadOnly);
    const title = drawing("title", {}, `${edge.from} → ${edge.to}: ${edge.labels.join(", ")}${edge.isWalked ? " (walked)" : ""}`);
    return drawing("g", {
      class: "line", "data-to": edge.to, "data-here": isHere, "data-walked": edge.isWalked, "data-outside": edge.from === outside,
      "data-sends": Boolean(sendable), onclick: (/** @type {MouseEvent} */ click) => sendable && send(sendable, click),
    }, title, drawing("path", { class: "reach", d: path }), drawing("path", { class: "drawn", d: path, "marker-end": "url(#arrow)" }));
  }

  return {
    root: element("section", { class: "map", "aria-label": "Map" },
      element("div", { class: "head" }, element("h3", {}, "Map"), status), fault, lens.root, scroll, ways, findings),
    update() {
      if (!session.isOver) refresh();
    },
  };
}

/** @param {import("./graph.js").Finding} found */
function finding({ kind, text, export: archive, next }) {
  const query = new URLSearchParams();
  if (archive) query.set("export", writeJSON(archive));
  if (next) query.set("next", writeJSON(next));
  const way = archive ? [" ", element("a", { href: `#/import?${query}`, "aria-label": `Go there: ${clip(text, 80)}` }, "Go there")] : [];
  return element("li", {}, element("strong", {}, kind), " ", shown(text, 200), ...way);
}

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Area */

/** @param {import("./layered-layout.js").Point | undefined} point @param {number} width @param {number} height @returns {Area} */
function around(point, width, height) {
  const { x, y } = point ?? { x: 0, y: 0 };
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** @param {Area} one @param {Area} other */
function meet(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/**
 * Shortens a line, so that it connects the edges of two boxes.
 * @param {import("./layered-layout.js").Point[]} points
 * @param {import("./layered-layout.js").Node | undefined} from
 * @param {import("./layered-layout.js").Node | undefined} to
 */
function cut(points, from, to) {
  const side = (/** @type {import("./layered-layout.js").Point} */ point, /** @type {number} */ width, /** @type {import("./layered-layout.js").Point} */ towards) =>
    ({ x: point.x + Math.sign(towards.x - point.x) * width / 2, y: point.y });
  return points.map((point, step) => {
    if (step === 0 && from) return side(point, from.width, points[1] ?? point);
    if (step === points.length - 1 && to) return side(point, to.width + 6, points[step - 1] ?? point);
    return point;
  });
}

/**
 * Returns a line's label, if there is room for it; the line's title always has the text.
 * @param {import("./graph.js").GraphEdge} edge
 * @param {import("./layered-layout.js").Point[]} points
 * @param {Map<string, import("./layered-layout.js").Node>} size
 * @param {Area[]} taken
 * @param {boolean} isHere
 */
function label(edge, points, size, taken, isHere) {
  const [start, next] = cut(points, size.get(edge.from), size.get(edge.to));
  if (!next) return [];
  const more = edge.labels.length > 1 ? ` +${edge.labels.length - 1}` : "", text = `${clip(edge.labels[0], 16)}${edge.labels[0].length > 16 ? "…" : ""}${more}`;
  const middle = { x: (start.x + next.x) / 2, y: (start.y + next.y) / 2 }, area = around(middle, text.length * slim + 4, 14);
  if (taken.some((other) => meet(area, other))) return [];
  taken.push(area);
  return [drawing("text", { class: "label", "data-here": isHere, x: middle.x, y: middle.y + 4 }, text)];
}

/**
 * @param {import("./graph.js").GraphNode} node
 * @param {import("./layered-layout.js").Layout} layout
 * @param {Map<string, import("./layered-layout.js").Node>} size
 */
function box({ name, isVisited, isHere }, layout, size) {
  const { x, y } = layout.places.get(name) ?? { x: 0, y: 0 }, width = size.get(name)?.width ?? 0;
  const state = isHere ? "here" : isVisited ? "visited" : "not seen";
  return drawing("g", { class: "map-screen", "data-name": name, "data-here": isHere, "data-visited": isVisited, "data-outside": name === outside },
    drawing("title", {}, `${name}: ${name === outside ? "links and messages" : state}`),
    drawing("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 9 }),
    drawing("text", { x, y: y + 4.5 }, name.length > longest ? `${clip(name, longest - 1)}…` : name));
}

function arrow() {
  return drawing("defs", {}, drawing("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
    drawing("path", { d: "M0 0L8 4L0 8z", fill: "context-stroke" })));
}
