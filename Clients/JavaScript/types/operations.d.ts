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
export function operations(before: State | null, after: State): Operation[];
export type Screen = import("./protocol.js").Screen;
export type State = import("./protocol.js").State;
/**
 * - `remove`: a screen left the display. A hidden screen left with its tab and may come back with its id.
 * - `select`: shows these tabs below the stack; null removes the tabs.
 * - `insert`: inserts a screen at an index, counted from the bottom.
 * - `update`: a screen's state or events have changed.
 */
export type Operation = {
    remove: number;
    hidden?: true;
} | {
    select: import("./protocol.js").Tabs | null;
} | {
    insert: Screen;
    at: number;
} | {
    update: Screen;
};
