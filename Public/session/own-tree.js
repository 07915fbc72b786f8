// The tree of coordinators that a UIKit app keeps itself, beside the engine's tree, with zombies and leaks.
import { element, shown } from "../document/element.js";
import { makeTreeDrawing } from "./tree-drawing.js";

/** @typedef {{ type: string, screens: { id: number, screen: string }[], zombie?: boolean, guessed?: boolean, children: OwnCoordinator[] }} OwnCoordinator A coordinator that the app itself keeps. */
/** @typedef {{ type: string, holder: string }} Finding */
/** @typedef {{ roots: OwnCoordinator[], zombies: Finding[], leaks: Finding[] }} OwnTree */

/** @typedef {import("./tree-drawing.js").Node} Node */

/**
 * @param {(chosen: Node | null, parent: Node | null) => void} choose Called with the selected coordinator.
 * @returns {{ root: HTMLElement, update: (own: OwnTree | null, isSilent: boolean) => void, leave: () => void }}
 */
export function makeOwnTree(choose) {
  const drawing = makeTreeDrawing("Tree of the app's own coordinators", choose);
  const findings = element("ul", { class: "leaks", "aria-label": "Zombies and leaks of the app's own coordinators" });
  const root = element("div", { class: "own", hidden: true }, element("h4", {}, "The app's own coordinators"), findings, drawing.root);
  let told = "";

  return {
    root,
    leave: drawing.leave,
    update(own, isSilent) {
      root.hidden = !own;
      drawing.update(own && topNode(own), [], isSilent);
      const text = JSON.stringify(own && [own.zombies, own.leaks]);
      if (text === told) return;
      told = text;
      findings.replaceChildren(
        ...(own?.zombies ?? []).map((zombie) => item(zombie, " is a zombie: it shows nothing; kept by ")),
        ...(own?.leaks ?? []).map((leak) => item(leak, " was removed but is still in memory; held by ")));
    },
  };
}

/**
 * Returns the tree for drawing: a node's id is its path from the top, because these coordinators have no ids.
 * @param {OwnTree} own
 * @returns {Node | null}
 */
export function topNode(own) {
  /** @param {OwnCoordinator} member @param {string} id @returns {Node} */
  const node = (member, id) => ({
    id, type: member.type, name: member.guessed ? `${member.type}?` : member.type, screens: member.screens, zombie: member.zombie,
    children: member.children.map((child, place) => node(child, `${id}.${place}`)),
  });
  const nodes = own.roots.map((member, place) => node(member, `own ${place}`));
  if (nodes.length < 2) return nodes[0] ?? null;
  return { id: "own", type: "App", name: "App", screens: [], children: nodes };
}

/** @param {Finding} finding @param {string} words */
function item(finding, words) {
  return element("li", {}, element("strong", {}, shown(finding.type, 80)), words, element("code", {}, shown(finding.holder)));
}
