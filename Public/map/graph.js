// A map as a graph of screens: states with the same screen are one node, and all inputs between two screens are one edge.

/** @typedef {{ screen: string, digest: string, stacks: string, depth: number, untried: number }} MapState */
/** @typedef {{ from: number, to?: number, kind: string, label: string, input: any, outcome: string }} MapInput */
/** @typedef {{ kind: string, text: string, wrong: boolean, export?: any, next?: any }} Finding `export` opens a session in the state in which it was found. */
/** @typedef {{ app: string, complete: boolean, bound?: string, offered: number, tried: number, states: MapState[], inputs: MapInput[], findings: Finding[] }} AppMap The response of `GET /admin/apps/{app}/map`. */
/** @typedef {{ revision: number, input: string, digest?: string }} Step `input` is the input that led there, such as `event close`. */
/** @typedef {{ from: string, to: string, labels: string[], isWalked: boolean }} GraphEdge */
/** @typedef {{ name: string, isVisited: boolean, isHere: boolean }} GraphNode */
/** @typedef {{ input: any, label: string, target: string, isWalked: boolean, kind: string, place: number }} Way An input that is possible in the session's state; `place` counts the inputs of its kind from the top screen down. */
/** @typedef {{ nodes: GraphNode[], edges: GraphEdge[], here: number | null, ways: Way[] }} Graph */

/** The node from which links and messages come. */
export const outside = "from outside";

/**
 * @param {AppMap} map
 * @param {Step[]} steps The states that a session has reached; the last is its current state.
 * @returns {Graph}
 */
export function graph(map, steps) {
  const indices = new Map(map.states.map(({ digest }, index) => [digest, index]));
  const places = steps.map(({ digest }) => indices.get(digest ?? "") ?? null);
  const here = places.at(-1) ?? null;
  const walked = new Set(places.slice(1).map((to, step) => `${places[step]} ${to} ${steps[step + 1].input === "popped" ? "back" : steps[step + 1].input}`));
  const visited = new Set(places.flatMap((place) => (place === null ? [] : [map.states[place].screen])));
  /** @type {Map<string, GraphEdge>} */
  const edges = new Map();
  for (const each of map.inputs) {
    if (each.outcome !== "accepted" || each.to === undefined) continue;
    const isOutside = each.kind === "link" || each.kind === "message";
    const from = isOutside ? outside : map.states[each.from].screen, to = map.states[each.to].screen;
    if (from === to) continue;
    const key = JSON.stringify([from, to]), edge = edges.get(key) ?? { from, to, labels: [], isWalked: false };
    edges.set(key, edge);
    if (!edge.labels.includes(name(each))) edge.labels.push(name(each));
    edge.isWalked ||= !isOutside && walked.has(passage(each));
  }
  const names = [...new Set(map.states.map(({ screen }) => screen)), ...[...edges.values()].some(({ from }) => from === outside) ? [outside] : []];
  return {
    nodes: names.map((name) => ({ name, isVisited: visited.has(name), isHere: here !== null && map.states[here].screen === name })),
    edges: [...edges.values()],
    here,
    ways: here === null ? [] : ways(map, here, walked),
  };
}

/** @param {MapInput} input All ways to go back have the same name, as on the map of the command line. */
function name({ kind, label }) {
  if (kind === "back" || kind === "popped") return "back";
  if (kind === "dismissed") return "dismiss";
  return label;
}

/** @param {MapInput} input The key by which a step is recognized; two inputs may lead from one state to another. */
function passage({ from, to, kind, input }) {
  const summaries = { popped: "back", link: "open", success: "result", failure: "result" };
  return `${from} ${to} ${kind === "event" ? `event ${caseName(input?.event)}` : summaries[/** @type {keyof typeof summaries} */ (kind)] ?? kind}`;
}

/** @param {any} event An event: the name of its case, or an object whose only member has this name and the payload. */
function caseName(event) {
  if (typeof event === "string") return event;
  const names = event && typeof event === "object" && !Array.isArray(event) ? Object.keys(event) : [];
  return names.length === 1 ? names[0] : "";
}

/**
 * Returns the inputs that are possible in a state, each label once; a `popped` is left out if `back` does the same.
 * @param {AppMap} map
 * @param {number} here
 * @param {Set<string>} walked
 * @returns {Way[]}
 */
function ways(map, here, walked) {
  /** @type {Map<string, Way>} */
  const found = new Map();
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const each of map.inputs) {
    if (each.from !== here) continue;
    const place = counts.get(each.kind) ?? 0;
    counts.set(each.kind, place + 1);
    if (each.outcome !== "accepted" || each.to === undefined) continue;
    const target = map.states[each.to].screen, key = `${name(each)} ${target}`;
    const known = found.get(key), isWalked = walked.has(passage(each));
    if (known) known.isWalked ||= isWalked;
    else found.set(key, { input: each.input, kind: each.kind, label: name(each), target, isWalked, place });
  }
  return [...found.values()];
}

/**
 * Returns an input of the map as this session sends it, with the session's own ids; null if only the server creates such an input.
 * @param {Way} way
 * @param {import("../client/usher.js").State} state
 * @returns {object | null}
 */
export function body({ kind, input, place }, state) {
  const top = state.stack.at(-1), screen = state.stack.at(-1 - place), modals = state.stack.filter(({ shown }) => shown !== "push" && shown !== "root");
  const visible = top ? { screen: top.id } : {};
  if (kind === "event") return { ...visible, event: input.event };
  if (kind === "back") return { ...visible, back: true };
  if (kind === "popped") return screen ? { popped: screen.id } : null;
  if (kind === "dismissed") return place < modals.length ? { dismissed: modals[modals.length - 1 - place].id } : null;
  if (kind === "select") return { select: input.select };
  if (kind === "link") return { open: input.open };
  return null;
}

/**
 * Leaves out the edges back whose opposite edge leads forward, because they would double the number of lines.
 * @param {GraphEdge[]} edges
 * @returns {{ shown: GraphEdge[], folded: number }} The edges that a session has walked stay.
 */
export function foldBacks(edges) {
  const isBack = (/** @type {GraphEdge} */ { labels }) => labels.every((label) => label === "back" || label === "dismiss");
  const ahead = new Set(edges.filter((edge) => !isBack(edge)).map(({ from, to }) => JSON.stringify([from, to])));
  const shown = edges.filter((edge) => !isBack(edge) || edge.isWalked || !ahead.has(JSON.stringify([edge.to, edge.from])));
  return { shown, folded: edges.length - shown.length };
}

/**
 * Describes the size of a map in a sentence.
 * @param {AppMap} map
 * @param {Graph} graph
 */
export function toldAlone(map, { nodes, edges }) {
  const screens = nodes.filter(({ name }) => name !== outside).length;
  return `The app has ${screens} screens and ${edges.filter(({ from }) => from !== outside).length} ways between them.${incomplete(map)}`;
}

/** @param {AppMap} map */
function incomplete(map) {
  return map.complete ? "" : ` The map is incomplete${map.bound ? `: the exploration reached its limit of ${map.bound}` : ""}.`;
}

/**
 * Describes how much of the map a session has walked, in a sentence.
 * @param {AppMap} map
 * @param {Graph} graph
 */
export function told(map, { nodes, edges, here }) {
  const screens = nodes.filter(({ name }) => name !== outside), own = edges.filter(({ from }) => from !== outside);
  const [seen, gone] = [screens.filter(({ isVisited }) => isVisited).length, own.filter(({ isWalked }) => isWalked).length];
  const place = here === null ? " The session's state is not on the map, because the map shows the app with the default options." : "";
  return `This session has seen ${seen} of ${screens.length} screens and walked ${gone} of ${own.length} ways.${place}${incomplete(map)}`;
}
