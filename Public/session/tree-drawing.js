// The tree of coordinators as a drawing, which the user can also navigate with the arrow keys.
import { drawing, element, set, write } from "../document/element.js";
import { withGhosts } from "../inspector/difference.js";
import { edge, layOut, told, written } from "./tree-layout.js";

/** @typedef {{ id: number | string, type: string, name: string, screens: { id: number, screen: string }[], work?: { name: string }[], children: Node[], leak?: import("./session.js").Leak, zombie?: boolean, isNew?: boolean, isGhost?: boolean }} Node A coordinator: in memory, leaked, a zombie, or just finished. */
/** @typedef {{ group: SVGGElement, edge: SVGPathElement, box: SVGRectElement, title: SVGTitleElement, text: string }} Drawn */

const leaving = 700, mostLeaks = 8;

/**
 * @param {string} label The accessible name.
 * @param {(chosen: Node | null, parent: Node | null) => void} [choose] Called with the selected node after each change;
 * null if no node is selected, or the selected node has gone.
 */
export function makeTreeDrawing(label, choose = () => {}) {
  const edges = drawing("g", { class: "edges", "aria-hidden": "true" });
  const nodes = drawing("g", { class: "nodes", role: "presentation" });
  const ghosts = drawing("g", { "aria-hidden": "true" });
  const picture = drawing("svg", { role: "tree", "aria-label": label }, edges, ghosts, nodes);
  const detail = element("p", { class: "hint detail", "aria-hidden": "true" });
  const scroll = element("div", { class: "scroll drawing", onkeydown: walk, onclick: pick, onfocusin: follow, onpointerover: follow, onpointerleave: () => tell(null) }, picture);
  const root = element("div", { class: "tree" }, scroll, detail);
  /** @type {Map<number | string, Drawn>} */
  const drawn = new Map();
  /** @type {number | string} */
  let focused = 0;
  /** @type {Node | null} */
  let top = null;
  let room = 0;
  /** @type {number | string | null} The node whose text is shown below. */
  let detailed = null;
  /** @type {number | string | null} The selected node. */
  let chosen = null;
  // If only the width changes, the same nodes are laid out again.
  new ResizeObserver(() => {
    if (!scroll.clientWidth || scroll.clientWidth === room) return;
    room = scroll.clientWidth;
    draw(true);
  }).observe(scroll);

  /** @param {Node} coordinator @param {import("./tree-layout.js").Box} start The position from which the node moves. */
  function add(coordinator, start) {
    const title = drawing("title"), box = drawing("rect", { rx: 10 });
    const group = drawing("g", { role: "treeitem", tabindex: -1, class: "node" }, title, box);
    const line = drawing("path", { class: "edge" });
    place(group, start);
    nodes.append(group);
    edges.append(line);
    const made = { group, edge: line, box, title, text: "" };
    drawn.set(coordinator.id, made);
    return made;
  }

/** @param {number | string} id The node that the tab key focuses. */
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

  /** @param {boolean} isSilent Whether changes are not animated or announced, because another revision is shown. */
  function draw(isSilent) {
    const all = top ? inOrder(top) : [], ids = new Set(all.map(({ coordinator }) => coordinator.id));
    for (const id of drawn.keys()) if (!ids.has(id)) remove(id, isSilent);
    // The observer reports the width: reading it here would force a layout at each change.
    if (!top || !room) return retell();
    const layout = layOut(top, room);
    set(picture, "viewBox", `0 0 ${layout.width} ${layout.height}`);
    set(picture, "width", layout.width);
    set(picture, "height", layout.height);
    set(picture, "data-outline", layout.isOutline);
    /** @param {number | string} id */
    const at = (id) => /** @type {import("./tree-layout.js").Box} */ (layout.boxes.get(id));
    const added = all.filter(({ coordinator }) => !drawn.has(coordinator.id));
    for (const { coordinator, parent } of added) add(coordinator, at(parent?.id ?? coordinator.id));
    // Forces a layout once, so that the nodes move from their start positions.
    if (added.length && !isSilent) nodes.getBoundingClientRect();
    for (const each of all) {
      const { coordinator, parent } = each;
      const node = /** @type {Drawn} */ (drawn.get(coordinator.id));
      dress(node, each, at(coordinator.id), layout.isOutline);
      place(node.group, at(coordinator.id));
      if (parent) connect(node.edge, edge(at(parent.id), at(coordinator.id), layout.isOutline));
    }
    // Screen readers and the tab key follow the order in the document.
    all.forEach(({ coordinator }, order) => {
      const group = drawn.get(coordinator.id)?.group;
      if (group && nodes.children[order] !== group) nodes.insertBefore(group, nodes.children[order] ?? null);
    });
    point(drawn.has(focused) ? focused : top.id);
    retell();
  }

  return {
    root,
    /**
     * @param {Node | null} live
     * @param {import("./session.js").Leak[]} leaks
     * @param {boolean} isSilent
     * @param {import("./session.js").Coordinator | null} [before] The previous tree, if changes must be shown.
     */
    update(live, leaks, isSilent, before = null) {
      top = live && withLeaks(withGhosts(live, before), leaks);
      root.hidden = !top;
      draw(isSilent);
      tellChosen();
    },
    /** Selects no node. */
    leave() {
      chosen = null;
      tellChosen();
    },
  };

  function tellChosen() {
    const found = top && chosen !== null ? inOrder(top).find(({ coordinator }) => coordinator.id === chosen) : undefined;
    for (const [id, { group }] of drawn) set(group, "aria-selected", id === chosen ? "true" : "false");
    choose(found?.coordinator ?? null, found?.parent ?? null);
  }

  /** @param {Event} event A click or a key press on a node. */
  function pick(event) {
    for (const [id, { group }] of drawn) {
      if (!group.contains(/** @type {Element} */ (event.target))) continue;
      chosen = chosen === id && event.type === "click" ? null : id;
      tellChosen();
    }
  }

  /** @param {Event} event A focus or pointer event of a node. */
  function follow(event) {
    for (const [id, { group }] of drawn) {
      if (!group.contains(/** @type {Element} */ (event.target))) continue;
      if (event.type === "focusin") point(id);
      tell(id);
    }
  }

  /** @param {number | string | null} id The node whose whole text is shown, because the node may show only a part; null for the focused node. */
  function tell(id) {
    detailed = id;
    retell();
  }

  /** Updates the shown text; shows nothing if the node has gone. */
  function retell() {
    const group = detailed === null ? nodes.querySelector(":focus") : drawn.get(detailed)?.group;
    write(detail, group?.getAttribute("aria-label") ?? "");
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return pick(event);
    }
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

/** @typedef {{ coordinator: Node, parent: Node | null, level: number, number: number, siblings: number }} Ordered */

/**
 * Updates a node's texts, for the drawing and for screen readers.
 * @param {Drawn} node
 * @param {Ordered} ordered
 * @param {import("./tree-layout.js").Box} box
 * @param {boolean} isOutline
 */
function dress(node, { coordinator, level, number, siblings }, box, isOutline) {
  const texts = written(coordinator, box, isOutline), text = JSON.stringify(texts);
  if (text !== node.text) {
    for (const old of node.group.querySelectorAll("text")) old.remove();
    node.group.append(...texts.map(({ text, kind, x, y }) => drawing("text", { class: kind, x, y }, text)));
    node.text = text;
  }
  set(node.box, "width", box.width);
  set(node.box, "height", box.height);
  write(node.title, told(coordinator));
  set(node.group, "aria-label", told(coordinator));
  set(node.group, "data-leaked", Boolean(coordinator.leak || coordinator.zombie));
  set(node.group, "data-screens", coordinator.screens.map(({ id }) => id).join(" "));
  set(node.group, "data-new", Boolean(coordinator.isNew));
  set(node.group, "data-ghost", Boolean(coordinator.isGhost));
  set(node.group, "data-works", Boolean(coordinator.work?.length));
  set(node.group, "aria-level", level);
  set(node.group, "aria-posinset", number);
  set(node.group, "aria-setsize", siblings);
  set(node.group, "data-owns", coordinator.screens.length > 0);
}

/** @param {SVGGElement} group @param {{ x: number, y: number }} position */
function place(group, { x, y }) {
  group.style.transform = `translate(${x}px, ${y}px)`;
}

/** @param {SVGPathElement} line @param {string} path */
function connect(line, path) {
  set(line, "d", path);
  line.style.setProperty("d", `path("${path}")`);
}

/**
 * Returns the tree with the leaked coordinators in their former places.
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
 * Returns all coordinators, parents before children.
 * @param {Node} top
 */
function inOrder(top) {
  /** @type {Ordered[]} */
  const found = [];
  /** @param {Node} coordinator @param {Node | null} parent @param {number} level @param {number} number @param {number} siblings */
  const visit = (coordinator, parent, level, number, siblings) => {
    found.push({ coordinator, parent, level, number, siblings });
    coordinator.children.forEach((child, order) => visit(child, coordinator, level + 1, order + 1, coordinator.children.length));
  };
  visit(top, null, 1, 1, 1);
  return found;
}
