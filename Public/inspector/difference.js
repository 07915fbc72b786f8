// The differences between two revisions: members of the state, one by one, and coordinators.
import { writeJSON } from "../client/exact-json.js";

/** @typedef {import("../session/session.js").State} State */
/** @typedef {import("../session/session.js").Coordinator} Coordinator */
/**
 * @typedef {{ place: string, before: any, after: any }} Difference For a new or removed member, one of the two values
 * is undefined.
 */

/** The maximum number of differences; a list that was sorted differently may have as many as it has members. */
export const mostDifferences = 60;

/**
 * Returns the members that differ, each with the shortest path that names it.
 * @param {any} before
 * @param {any} after
 * @param {string} [place]
 * @returns {Difference[]}
 */
export function differences(before, after, place = "") {
  if (before === after || writeJSON(before ?? null) === writeJSON(after ?? null) && (before === undefined) === (after === undefined)) return [];
  if (!isOpen(before) || !isOpen(after) || Array.isArray(before) !== Array.isArray(after)) return [{ place, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const found = [];
  for (const name of names) {
    const inner = Array.isArray(after) ? `${place}[${name}]` : place ? `${place}.${name}` : name;
    found.push(...differences(member(before, name), member(after, name), inner));
    if (found.length > mostDifferences) break;
  }
  return found;
}

/** @param {any} value Whether its members are compared one by one; a `Digits` is a single value. */
function isOpen(value) {
  return value !== null && typeof value === "object" && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
}

/** @param {any} value @param {string} name */
function member(value, name) {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/**
 * Returns the differences that a client sees: in the states of screens that both revisions have, in the tabs, and in `back`.
 * @param {State} before
 * @param {State} after
 * @returns {Difference[]}
 */
export function stateDifferences(before, after) {
  const known = new Map(before.stack.map((screen) => [screen.id, screen]));
  const found = after.stack.flatMap((screen) => {
    const old = known.get(screen.id);
    return old ? differences(old.state, screen.state, `${screen.screen} ${screen.id}`) : [];
  });
  for (const name of /** @type {const} */ (["tabs", "back", "pending"])) found.push(...differences(before[name], after[name], name));
  return found;
}

/**
 * Returns the coordinators that only one of the two trees has.
 * @param {Coordinator | null} before
 * @param {Coordinator | null} after
 * @returns {{ created: Coordinator[], finished: Coordinator[] }}
 */
export function coordinatorDifferences(before, after) {
  const [old, fresh] = [flat(before), flat(after)];
  return { created: [...fresh.values()].filter(({ id }) => !old.has(id)), finished: [...old.values()].filter(({ id }) => !fresh.has(id)) };
}

/** @param {Coordinator | null} top @returns {Map<number, Coordinator>} */
function flat(top) {
  const found = new Map(), waiting = top ? [top] : [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    found.set(next.id, next);
    waiting.push(...next.children);
  }
  return found;
}

/**
 * Returns a tree with the coordinators that finished since the previous revision, as ghosts in their former places.
 * @template {{ id: number | string, children: any[] }} Node
 * @param {Node} after
 * @param {Coordinator | null} before
 * @returns {Node}
 */
export function withGhosts(after, before) {
  if (!before || before.id !== after.id) return after;
  const here = new Set(after.children.map(({ id }) => id));
  const old = new Map(before.children.map((child) => [child.id, child]));
  const kept = after.children.map((child) => {
    const was = old.get(child.id);
    return was ? withGhosts(child, was) : { ...child, isNew: true };
  });
  return { ...after, children: [...kept, ...before.children.filter(({ id }) => !here.has(id)).map(ghost)] };
}

/** @param {Coordinator} gone @returns {any} */
function ghost(gone) {
  return { ...gone, work: [], isGhost: true, children: gone.children.map(ghost) };
}

/**
 * Formats a duration, in a unit and precision that suits its length.
 * @param {number} milliseconds
 * @returns {string}
 */
export function span(milliseconds) {
  if (!Number.isFinite(milliseconds)) return "";
  if (milliseconds < 0) return `${span(-milliseconds)} before`;
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor(seconds % 3_600 / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor(seconds % 86_400 / 3_600)} h`;
}
