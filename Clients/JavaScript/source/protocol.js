// The types from docs/protocol.md.

/** @typedef {"root" | "push" | "sheet" | "formSheet" | "popover" | "fullScreen" | "overFullScreen" | "alert" | "actionSheet"} Shown */
/**
 * A description of the client, sent when it opens a session.
 * @typedef {object} Client
 * @property {string} [name] Such as `web`.
 * @property {string} [version] The program's version, such as `3.2`.
 * @property {Record<string, number>} [screens] The newest version of each screen that the client can draw, with `*` for all
 *   others; every screen if missing.
 * @property {string} [locale] A language tag, such as `navigator.language`.
 * @property {string} [timeZone] Such as `Intl.DateTimeFormat().resolvedOptions().timeZone`.
 */
/** @typedef {{ id: number, screen: string, version?: number, coordinator: string, shown: Shown, state: any, events?: Record<string, any> }} Screen */
/** @typedef {{ selected: string, names: string[] }} Tabs */
/**
 * The report that a session was resumed because a new build or the operator undid inputs: the last valid revision (0 if
 * the session was restarted), and what was lost, with effects and the owners of timers by name.
 * @typedef {{ revision: number, reason: string, dropped: { inputs: number, messages: number, results: string[], effects: string[], timers: string[] } }} Resumed
 */
/**
 * The complete state of a session; a client needs only the newest state.
 * @typedef {object} State
 * @property {string} session
 * @property {string} app
 * @property {number} revision
 * @property {Screen[]} stack
 * @property {Tabs} [tabs]
 * @property {boolean | { refused: string }} back
 * @property {any[]} changes
 * @property {string[]} pending
 * @property {Resumed} [resumed] Present up to and including the answer to a client's next input.
 * @property {string[]} [warnings]
 * @property {any[]} [leaks]
 * @property {{ reason: string, result?: any }} [ended]
 */

export {};
