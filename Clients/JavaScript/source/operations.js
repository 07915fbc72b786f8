// The only place that turns a new state into operations on a view.

/** @typedef {import("./protocol.js").Screen} Screen */
/** @typedef {import("./protocol.js").State} State */
/**
 * - `remove`: a screen left the display. A hidden screen left with its tab and may come back with its id.
 * - `select`: shows these tabs below the stack; null removes the tabs.
 * - `insert`: inserts a screen at an index, counted from the bottom.
 * - `update`: a screen's state or events have changed.
 * @typedef {{ remove: number, hidden?: true } | { select: import("./protocol.js").Tabs | null }
 *   | { insert: Screen, at: number } | { update: Screen }} Operation
 */

/**
 * Returns the operations that lead a view from one state to another, across any number of revisions: removals from the top,
 * the tabs, insertions from the bottom, updates. Indices are valid if the operations are applied in this order.
 * @param {State | null} before
 * @param {State} after
 * @returns {Operation[]}
 */
export function operations(before, after) {
  const old = before?.stack ?? [];
  const kept = keptScreens(old, after.stack);
  const isTabChange = before?.tabs && after.tabs && before.tabs.selected !== after.tabs.selected;
  const base = old.findIndex(({ shown }) => shown !== "root" && shown !== "push");
  /** @type {Operation[]} */
  const list = [];
  for (let place = old.length - 1; place >= 0; place--) {
    if (kept.has(old[place].id)) continue;
    const isHidden = isTabChange && (base < 0 || place < base) && !hasLeft(old[place].id, after.changes);
    list.push(isHidden ? { remove: old[place].id, hidden: true } : { remove: old[place].id });
  }
  if (!isEqual(before?.tabs, after.tabs)) list.push({ select: after.tabs ?? null });
  after.stack.forEach((screen, at) => { if (!kept.has(screen.id)) list.push({ insert: screen, at }); });
  for (const screen of after.stack) {
    if (kept.has(screen.id) && !isEqual(kept.get(screen.id), screen)) list.push({ update: screen });
  }
  return list;
}

/**
 * Returns the screens that stay, by id. A screen that changes its place is removed and inserted.
 * @param {Screen[]} old
 * @param {Screen[]} fresh
 */
function keptScreens(old, fresh) {
  const places = new Map(old.map(({ id }, place) => [id, place]));
  /** @type {Map<number, Screen>} */
  const kept = new Map();
  let last = -1;
  for (const { id } of fresh) {
    const place = places.get(id);
    if (place === undefined || place < last) continue;
    last = place;
    kept.set(id, old[place]);
  }
  return kept;
}

/** @param {number} id @param {any[]} changes */
function hasLeft(id, changes) {
  return changes.some(({ pop, remove, dismiss, replace }) =>
    [pop, remove, dismiss, replace?.out].some((ids) => Array.isArray(ids) && ids.includes(id)));
}

/**
 * Compares as JSON, whatever the order of members.
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length
    && names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]));
}
