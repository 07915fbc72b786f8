/** @typedef {import("./session.js").Settings} Settings */
/** @typedef {import("./protocol.js").Client} Client */
/**
 * Opens a session. The opening is retried until the server answers, and opens one session only.
 * @param {string | URL} server The server's URL.
 * @param {string} app
 * @param {Settings & { options?: any, link?: any[], client?: Client }} [settings] With the app's options, a deep link
 *   to begin with, and a description of this client, so that the server sends no screen that this client cannot draw.
 * @returns {Promise<Session>}
 * @throws {Problem} The server's refusal, or the client's own `unwritable` or `unsendable`.
 */
export function open(server: string | URL, app: string, settings?: (import("./session.js").Settings & {
    options?: any;
    link?: any[] | undefined;
    client?: import("./protocol.js").Client | undefined;
}) | undefined): Promise<Session>;
/**
 * Resumes a session that was opened before, here or elsewhere.
 * @param {string | URL} server
 * @param {string} id
 * @param {Settings & { token?: string | null }} [settings] With the session's token, which was `token` of the opened session.
 * @returns {Promise<Session>}
 * @throws {Problem} `isGone` if the session has ended, `isHeld` if the server's build cannot restore it, `isDenied` if the
 *   token is refused, or the client's own `unsendable`.
 */
export function resume(server: string | URL, id: string, settings?: (import("./session.js").Settings & {
    token?: string | null | undefined;
}) | undefined): Promise<Session>;
export type Settings = import("./session.js").Settings;
export type Client = import("./protocol.js").Client;
import { Session } from "./session.js";
