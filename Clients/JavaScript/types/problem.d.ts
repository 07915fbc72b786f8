/** An answer that is not 2xx, as RFC 9457 has it; status 0 where there was no answer, or none that can be read. */
export class Problem extends Error {
    /**
     * A problem that is the client's own.
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
     * @param {number} [retryAfter] Seconds.
     * @param {string | null} [tag] The entity tag of `current`, as it came.
     */
    constructor(status: number, detail: string, members?: {
        [member: string]: any;
        type?: string | undefined;
        current?: import("./protocol.js").State | undefined;
    } | undefined, retryAfter?: number | undefined, tag?: string | null | undefined);
    status: number;
    type: string;
    /** The session as it stands, where the answer told. */
    current: import("./protocol.js").State | null;
    members: {
        [member: string]: any;
        type?: string | undefined;
        current?: import("./protocol.js").State | undefined;
    };
    retryAfter: number;
    tag: string | null;
    get isUnreachable(): boolean;
    /** The session is over, or never was. */
    get isGone(): boolean;
    /** The session is not this client's: its token is missing, wrong or revoked, or the server takes nothing from this page. */
    get isDenied(): boolean;
    /** The session is on hold: the server's build must not serve it, no retry helps, and another session can be opened meanwhile. */
    get isHeld(): boolean;
    /** Nothing more comes of the session, as far as this client knows. */
    get isFinal(): boolean;
    /** The server has decided nothing yet, as far as this answer tells: the same request may be sent again under its key. */
    get isTransient(): boolean;
    #private;
}
