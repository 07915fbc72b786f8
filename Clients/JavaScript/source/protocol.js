// The types of docs/protocol.md.

/** @typedef {"root" | "push" | "sheet" | "formSheet" | "popover" | "fullScreen" | "overFullScreen" | "alert" | "actionSheet"} Shown */
/**
 * What a client says of itself when it opens a session.
 * @typedef {object} Client
 * @property {string} [name] Such as `web`.
 * @property {string} [version] Of the program, such as `3.2`.
 * @property {Record<string, number>} [screens] The newest version of each screen that it can draw, `*` for all others;
 *   everything where it is left out.
 * @property {string} [locale] A language tag, such as `navigator.language`.
 * @property {string} [timeZone] Such as `Intl.DateTimeFormat().resolvedOptions().timeZone`.
 */
/** @typedef {{ id: number, screen: string, version?: number, coordinator: string, shown: Shown, state: any, events?: Record<string, any> }} Screen */
/** @typedef {{ selected: string, names: string[] }} Tabs */
/**
 * Inputs that a new build or the operator has undone: the last revision that counts, 0 if the session began anew, and what
 * was lost, with effects and the owners of timers by name.
 * @typedef {{ revision: number, reason: string, dropped: { inputs: number, messages: number, results: string[], effects: string[], timers: string[] } }} Resumed
 */
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
 * @property {Resumed} [resumed] Up to the answer to a client's next input.
 * @property {string[]} [warnings]
 * @property {any[]} [leaks]
 * @property {{ reason: string, result?: any }} [ended]
 */

export {};
