// The tree of coordinators as a drawing that one can also walk with the arrow keys.
import { clip, drawing, element, set, write } from "../document/element.js";
import { tidyTree } from "./tidy-tree.js";

/** @typedef {{ id: number | string, type: string, name: string, screens: { id: number, screen: string }[], children: Node[], leak?: import("./session.js").Leak, zombie?: boolean }} Node A coordinator, live, leaked or a zombie. */
/** @typedef {{ group: SVGGElement, edge: SVGPathElement, type: SVGTextElement, screens: SVGTextElement, title: SVGTitleElement }} Drawn */

const column = 156, row = 104, width = 140, height = 52, margin = 12, leaving = 700, mostLeaks = 8;

/** @param {string} label Its accessible name. */
export function makeTreeDrawing(label) {
  const edges = drawing("g", { class: "edges", "aria-hidden": "true" });
  const nodes = drawing("g", { class: "nodes", role: "presentation" });
  const ghosts = drawing("g", { "aria-hidden": "true" });
  const picture = drawing("svg", { role: "tree", "aria-label": label }, edges, ghosts, nodes);
  const root = element("div", { class: "scroll drawing", onkeydown: walk, onfocusin: follow }, picture);
  /** @type {Map<number | string, Drawn>} */
  const drawn = new Map();
  /** @type {number | string} */
  let focused = 0, extent = 0;

  /** @param {Node} coordinator @param {{ x: number, y: number }} start Where it comes from. */
  function add(coordinator, start) {
    const type = drawing("text", { class: "type", y: 22 }), screens = drawing("text", { class: "screens", y: 39 });
    const title = drawing("title");
    const group = drawing("g", { role: "treeitem", tabindex: -1, class: "node" },
      title, drawing("rect", { x: -width / 2, width, height, rx: 12 }), type, screens);
    const edge = drawing("path", { class: "edge" });
    place(group, start);
    nodes.append(group);
    edges.append(edge);
    // The style has to be seen once before it moves on from there.
    group.getBoundingClientRect();
    const made = { group, edge, type, screens, title };
    drawn.set(coordinator.id, made);
    return made;
  }

  /** @param {number | string} id The one that the tab key comes to. */
  function point(id) {
    if (!drawn.has(id)) return;
    for (const [each, { group }] of drawn) set(group, "tabindex", each === id ? 0 : -1);
    focused = id;
  }

  /** @param {number | string} id @param {boolean} isSilent */
  function remove(id, isSilent) {
    const gone = drawn.get(id);
    if (!gone) return;
    drawn.delete(id);
    for (const part of [gone.group, gone.edge]) {
      part.remove();
      if (isSilent) continue;
      for (const name of ["role", "tabindex", "aria-label", "aria-level"]) part.removeAttribute(name);
      part.classList.add("leaving");
      ghosts.append(part);
      setTimeout(() => part.remove(), leaving);
    }
  }

  return {
    root,
    /**
     * @param {Node | null} live
     * @param {import("./session.js").Leak[]} leaks
     * @param {boolean} isSilent Whether nothing is to be made of the changes: another time is shown.
     */
    update(live, leaks, isSilent) {
      const top = live && withLeaks(live, leaks);
      root.hidden = !top;
      const places = top ? tidyTree(top) : new Map();
      const all = top ? inOrder(top) : [];
      for (const id of drawn.keys()) if (!places.has(id)) remove(id, isSilent);
      const right = Math.max(0, ...[...places.values()].map(({ x }) => x)), down = Math.max(0, ...[...places.values()].map(({ depth }) => depth));
      const size = { width: right * column + width + 2 * margin, height: top ? down * row + height + 2 * margin : 0 };
      set(picture, "viewBox", `0 0 ${size.width} ${size.height}`);
      set(picture, "width", size.width);
      set(picture, "height", size.height);
      /** @param {number | string} id */
      const at = (id) => ({ x: places.get(id).x * column + width / 2 + margin, y: places.get(id).depth * row + margin });
      for (const { coordinator, parent, level, number, siblings } of all) {
        const node = drawn.get(coordinator.id) ?? add(coordinator, at(parent?.id ?? coordinator.id));
        const short = coordinator.type.replace(/(.)Coordinator$/, "$1");
        const screens = coordinator.screens.map((screen) => `${screen.screen} ${screen.id}`);
        const name = `${coordinator.type}${screens.length ? `: ${screens.join(", ")}` : ""}`;
        write(node.type, fit(short, 16));
        const { leak, zombie } = coordinator;
        const fault = leak ? `leaked, held by ${leak.holder ?? "something unknown so far"}` : zombie ? "a zombie: shows nothing" : "";
        write(node.screens, fit(fault || screens.slice(0, 8).join(", ") || "no screen", 21));
        write(node.title, clip(fault ? `${name}: ${fault}` : name, 400));
        set(node.group, "aria-label", clip(fault ? `${name}: ${fault}` : name, 400));
        set(node.group, "data-leaked", Boolean(fault));
        set(node.group, "aria-level", level);
        set(node.group, "aria-posinset", number);
        set(node.group, "aria-setsize", siblings);
        set(node.group, "data-owns", screens.length > 0);
        place(node.group, at(coordinator.id));
        if (parent) draw(node.edge, at(parent.id), at(coordinator.id));
      }
      // Readers and the tab key go by the order in the document.
      all.forEach(({ coordinator }, order) => {
        const group = drawn.get(coordinator.id)?.group;
        if (group && nodes.children[order] !== group) nodes.insertBefore(group, nodes.children[order] ?? null);
      });
      if (right !== extent) root.scrollLeft = (size.width - root.clientWidth) / 2;
      extent = right;
      if (top) point(drawn.has(focused) ? focused : top.id);
    },
  };

  /** @param {FocusEvent} event */
  function follow(event) {
    for (const [id, { group }] of drawn) if (group === event.target) point(id);
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    const items = /** @type {SVGGElement[]} */ ([...nodes.querySelectorAll("[role=treeitem]")]);
    const place = items.indexOf(/** @type {SVGGElement} */ (event.target));
    const level = (/** @type {number} */ order) => Number(items[order]?.getAttribute("aria-level"));
    let parent = place - 1;
    while (parent >= 0 && level(parent) >= level(place)) parent--;
    const next = {
      ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: items.length - 1,
      ArrowLeft: parent, ArrowRight: level(place + 1) > level(place) ? place + 1 : -1,
    }[event.key];
    if (next === undefined || place < 0) return;
    event.preventDefault();
    items[next]?.focus();
  }
}

/** @param {string} text @param {number} length */
function fit(text, length) {
  return text.length <= length ? text : `${clip(text, length - 1)}…`;
}

/** @param {SVGGElement} group @param {{ x: number, y: number }} position */
function place(group, { x, y }) {
  group.style.transform = `translate(${x}px, ${y}px)`;
}

/** @param {SVGPathElement} edge @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to */
function draw(edge, from, to) {
  const start = from.y + height, bend = (start + to.y) / 2;
  set(edge, "d", `M${from.x} ${start}C${from.x} ${bend} ${to.x} ${bend} ${to.x} ${to.y}`);
  edge.style.setProperty("d", `path("${edge.getAttribute("d")}")`);
}

/**
 * The tree with what has leaked, where it was.
 * @param {Node} live
 * @param {import("./session.js").Leak[]} leaks
 * @returns {Node}
 */
function withLeaks(live, leaks) {
  if (leaks.length === 0) return live;
  /** @param {Node} node @param {string} path @returns {Node} */
  const copy = (node, path) => ({
    ...node,
    children: [...node.children.map((child) => copy(child, `${path}/${child.name}`)), ...leaks.slice(0, mostLeaks)
      .filter((leak) => leak.coordinator.slice(0, leak.coordinator.lastIndexOf("/")) === path)
      .map((leak) => ({ id: `leak ${leaks.indexOf(leak)}`, type: leak.type, name: leak.coordinator, screens: [], children: [], leak }))],
  });
  return copy(live, live.name);
}

/**
 * All coordinators, parents before children.
 * @param {Node} top
 */
function inOrder(top) {
  /** @type {{ coordinator: Node, parent: Node | null, level: number, number: number, siblings: number }[]} */
  const found = [];
  /** @param {Node} coordinator @param {Node | null} parent @param {number} level @param {number} number @param {number} siblings */
  const visit = (coordinator, parent, level, number, siblings) => {
    found.push({ coordinator, parent, level, number, siblings });
    coordinator.children.forEach((child, order) => visit(child, coordinator, level + 1, order + 1, coordinator.children.length));
  };
  visit(top, null, 1, 1, 1);
  return found;
}
