/**
 * A body as it is sent.
 * @param {any} body
 * @param {Pick<import("./world.js").World, "write">} world
 * @returns {string}
 * @throws {Problem} `unwritable` of the client's own, where JSON has no such value.
 */
export function textOf(body: any, world: Pick<import("./world.js").World, "write">): string;
export class Exchange {
    /** @param {import("./world.js").World} world @param {{ headers?: Headers, cookie?: boolean }} [settings] @param {string | null} [token] */
    constructor(world: import("./world.js").World, settings?: {
        headers?: Headers | undefined;
        cookie?: boolean | undefined;
    } | undefined, token?: string | null | undefined);
    /** A session's, sent with each request instead of an `Authorization` among the headers. */
    token: string | null;
    /**
     * @param {string} url
     * @param {Request} [request]
     * @returns {Promise<any>} The answer's JSON; null where it is empty, or 304.
     * @throws {Problem}
     */
    ask(url: string, request?: Request | undefined): Promise<any>;
    /**
     * Asks for a session's state.
     * @param {string} url
     * @param {Request} [request]
     * @returns {Promise<import("./snapshot.js").Snapshot | null>} Null where the answer is 304.
     * @throws {Problem}
     */
    askForState(url: string, request?: Request | undefined): Promise<import("./snapshot.js").Snapshot | null>;
    /**
     * Sends a request; one that a rotation of the token has overtaken goes again with the new one.
     * @param {string} url
     * @param {Request} request
     * @returns {Promise<Response>} Its head has come; it is 2xx or 304.
     * @throws {Problem} What `fetch` throws is none yet.
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
     * The same, where it is written already.
     */
    text?: string | undefined;
    headers?: Record<string, string> | undefined;
    /**
     * Milliseconds for the whole answer.
     */
    patience?: number | undefined;
    signal?: AbortSignal | undefined;
};
/**
 * Of each request, such as `Authorization`.
 */
export type Headers = (() => Record<string, string>) | Record<string, string>;
