/** A failed request: a response's problem details (RFC 9457); status 0 if there was no readable response. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   * @param {{ type?: string, current?: import("./protocol.js").State, [member: string]: any }} [members] The body.
   * @param {number} [retryAfter] The pause in seconds that the server requests.
   * @param {string | null} [tag] The entity tag of `current`, as received.
   */
  constructor(status, detail, members = {}, retryAfter = 0, tag = null) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.type = members.type ?? "about:blank";
    /** The session's current state, if the response has it. */
    this.current = members.current ?? null;
    this.members = members;
    this.retryAfter = retryAfter;
    this.tag = tag;
  }

  get isUnreachable() { return this.status === 0; }

  /** Whether the session has ended or never existed. */
  get isGone() { return this.type === "urn:usher:problem:session-ended" || this.type === "urn:usher:problem:unknown-session"; }

  /** Whether the session's token is missing, wrong or revoked, or the server refuses this page's origin. */
  get isDenied() { return (this.status === 401 || this.status === 403) && this.#isServers; }

  /** A proxy may answer with the same status, but knows nothing of the session. */
  get #isServers() { return this.type.startsWith("urn:usher:problem:"); }

  /** Whether the session is held: the server's build cannot restore it, and a retry does not help. Another session can be opened. */
  get isHeld() { return this.type === "urn:usher:problem:session-held"; }

  /** Whether this client can no longer use the session. */
  get isFinal() { return this.isGone || this.isDenied || this.isHeld; }

  /**
   * Whether the server has not decided the request, as far as this response shows, so that the request may be sent
   * again with its key.
   */
  get isTransient() {
    if (this.type === "urn:usher:problem:handler-failed" || this.isHeld) return false;
    return this.status === 0 || this.status === 408 || this.status === 425 || this.status === 429 || this.status >= 500;
  }

  /**
   * Creates a problem that the client itself reports.
   * @param {string} name
   * @param {string} detail
   */
  static own(name, detail) {
    return new Problem(-1, detail, { type: `urn:usher:client:${name}` });
  }

  /** @param {unknown} error */
  static from(error) {
    return error instanceof Problem ? error : new Problem(0, `the server does not answer: ${error instanceof Error ? error.message : error}`);
  }
}
