/** A failed request: a response's problem details (RFC 9457); status 0 if there was no readable response. */
export class Problem extends Error {
    /**
     * Creates a problem that the client itself reports.
     * @param {string} name
     * @param {string} detail
     */
    static own(name: string, detail: string): Problem;
    /** @param {unknown} error */
    static from(error: unknown): Problem;
    /**
     * @param {number} status
     * @param {string} detail
     * @param {{ type?: string, current?: import("./protocol.js").State, [member: string]: any }} [members] The body.
     * @param {number} [retryAfter] The pause in seconds that the server requests.
     * @param {string | null} [tag] The entity tag of `current`, as received.
     */
    constructor(status: number, detail: string, members?: {
        [member: string]: any;
        type?: string | undefined;
        current?: import("./protocol.js").State | undefined;
    } | undefined, retryAfter?: number | undefined, tag?: string | null | undefined);
    status: number;
    type: string;
    /** The session's current state, if the response has it. */
    current: import("./protocol.js").State | null;
    members: {
        [member: string]: any;
        type?: string | undefined;
        current?: import("./protocol.js").State | undefined;
    };
    retryAfter: number;
    tag: string | null;
    get isUnreachable(): boolean;
    /** Whether the session has ended or never existed. */
    get isGone(): boolean;
    /** Whether the session's token is missing, wrong or revoked, or the server refuses this page's origin. */
    get isDenied(): boolean;
    /** Whether the session is held: the server's build cannot restore it, and a retry does not help. Another session can be opened. */
    get isHeld(): boolean;
    /** Whether this client can no longer use the session. */
    get isFinal(): boolean;
    /**
     * Whether the server has not decided the request, as far as this response shows, so that the request may be sent
     * again with its key.
     */
    get isTransient(): boolean;
    #private;
}
