/** @typedef {import("./session.js").Settings} Settings */
/** @typedef {import("./protocol.js").Client} Client */
/**
 * Opens a session. It is tried until the server answers, and opens one, however often it is tried.
 * @param {string | URL} server Its address.
 * @param {string} app
 * @param {Settings & { options?: any, link?: any[], client?: Client }} [settings] With the app's options, a deep link to begin
 *   with, and what this client says of itself, so that it is sent no screen that it cannot draw.
 * @returns {Promise<Session>}
 * @throws {Problem} The server's refusal, or `unwritable` or `unsendable` of the client's own.
 */
export function open(server: string | URL, app: string, settings?: (import("./session.js").Settings & {
    options?: any;
    link?: any[] | undefined;
    client?: import("./protocol.js").Client | undefined;
}) | undefined): Promise<Session>;
/**
 * Goes on with a session that was opened before, here or elsewhere.
 * @param {string | URL} server
 * @param {string} id
 * @param {Settings & { token?: string | null }} [settings] With the session's token, as `token` of the session that was opened.
 * @returns {Promise<Session>}
 * @throws {Problem} `isGone` where it is over, `isHeld` where the server's build cannot restore it, `isDenied` where the token
 *   does not open it, `unsendable` of the client's own.
 */
export function resume(server: string | URL, id: string, settings?: (import("./session.js").Settings & {
    token?: string | null | undefined;
}) | undefined): Promise<Session>;
export type Settings = import("./session.js").Settings;
export type Client = import("./protocol.js").Client;
import { Session } from "./session.js";
