// The types of docs/protocol.md.

/** @typedef {"root" | "push" | "sheet" | "formSheet" | "popover" | "fullScreen" | "overFullScreen" | "alert" | "actionSheet"} Shown */
/** @typedef {{ id: number, screen: string, coordinator: string, shown: Shown, state: any, events?: Record<string, any> }} Screen */
/** @typedef {{ selected: string, names: string[] }} Tabs */
/**
 * A session's state: always complete, so that the newest is all that a client needs.
 * @typedef {object} State
 * @property {string} session
 * @property {string} app
 * @property {number} revision
 * @property {Screen[]} stack
 * @property {Tabs} [tabs]
 * @property {boolean | { refused: string }} back
 * @property {any[]} changes
 * @property {string[]} pending
 * @property {string[]} [warnings]
 * @property {any[]} [leaks]
 * @property {{ reason: string, result?: any }} [ended]
 */

export {};
