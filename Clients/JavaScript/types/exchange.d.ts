/**
 * Writes a body.
 * @param {any} body
 * @param {Pick<import("./world.js").World, "write">} world
 * @returns {string}
 * @throws {Problem} The client's own `unwritable`, if JSON cannot represent the value.
 */
export function textOf(body: any, world: Pick<import("./world.js").World, "write">): string;
export class Exchange {
    /** @param {import("./world.js").World} world @param {{ headers?: Headers, cookie?: boolean }} [settings] @param {string | null} [token] */
    constructor(world: import("./world.js").World, settings?: {
        headers?: Headers | undefined;
        cookie?: boolean | undefined;
    } | undefined, token?: string | null | undefined);
    /** The session's token, which each request sends in place of an `Authorization` field of the settings' headers. */
    token: string | null;
    /**
     * @param {string} url
     * @param {Request} [request]
     * @returns {Promise<any>} The response's JSON; null if the body is empty or the status is 304.
     * @throws {Problem}
     */
    ask(url: string, request?: Request | undefined): Promise<any>;
    /**
     * Requests a session's state.
     * @param {string} url
     * @param {Request} [request]
     * @returns {Promise<import("./snapshot.js").Snapshot | null>} Null if the status is 304.
     * @throws {Problem}
     */
    askForState(url: string, request?: Request | undefined): Promise<import("./snapshot.js").Snapshot | null>;
    /**
     * Sends a request. A request that was denied because the token was rotated meanwhile is sent again with the new
     * token.
     * @param {string} url
     * @param {Request} request
     * @returns {Promise<Response>} The response once its head has arrived, with a status of 2xx or 304.
     * @throws {Problem} Or an error of `fetch`.
     */
    begin(url: string, request: Request): Promise<Response>;
    #private;
}
export type Request = {
    method?: string | undefined;
    /**
     * Sent as JSON.
     */
    body?: any;
    /**
     * The same body, already written.
     */
    text?: string | undefined;
    headers?: Record<string, string> | undefined;
    /**
     * The time limit for the whole response, in milliseconds.
     */
    patience?: number | undefined;
    signal?: AbortSignal | undefined;
};
/**
 * Header fields of each request, such as `Authorization`.
 */
export type Headers = (() => Record<string, string>) | Record<string, string>;
