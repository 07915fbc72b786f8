/** @typedef {import("./protocol.js").Screen} Screen */
/** @typedef {import("./protocol.js").State} State */
/**
 * - `remove`: a screen left the display; `hidden` where a tab took it along, and it may come back under its id.
 * - `select`: the tabs that stand under the stack now; null where there are none any more.
 * - `insert`: a screen came on display, at a place counted from the bottom.
 * - `update`: a screen that stays has other contents, or another `events`, which only the visible one has.
 * @typedef {{ remove: number, hidden?: true } | { select: import("./protocol.js").Tabs | null }
 *   | { insert: Screen, at: number } | { update: Screen }} Operation
 */
/**
 * The operations that lead a view from one state to another, however many revisions lie between: removals from the top,
 * the tabs, insertions from the bottom, updates. Places are right when the operations are applied in this order.
 * @param {State | null} before
 * @param {State} after
 * @returns {Operation[]}
 */
export function operations(before: State | null, after: State): Operation[];
export type Screen = import("./protocol.js").Screen;
export type State = import("./protocol.js").State;
/**
 * - `remove`: a screen left the display; `hidden` where a tab took it along, and it may come back under its id.
 * - `select`: the tabs that stand under the stack now; null where there are none any more.
 * - `insert`: a screen came on display, at a place counted from the bottom.
 * - `update`: a screen that stays has other contents, or another `events`, which only the visible one has.
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
