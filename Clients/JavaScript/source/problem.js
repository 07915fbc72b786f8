/** An answer that is not 2xx, as RFC 9457 has it; status 0 where there was no answer, or none that can be read. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   * @param {{ type?: string, current?: import("./protocol.js").State, [member: string]: any }} [members] The body.
   * @param {number} [retryAfter] Seconds.
   * @param {string | null} [tag] The entity tag of `current`, as it came.
   */
  constructor(status, detail, members = {}, retryAfter = 0, tag = null) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.type = members.type ?? "about:blank";
    /** The session as it stands, where the answer told. */
    this.current = members.current ?? null;
    this.members = members;
    this.retryAfter = retryAfter;
    this.tag = tag;
  }

  get isUnreachable() { return this.status === 0; }

  /** The session is over, or never was. */
  get isGone() { return this.type === "urn:usher:problem:session-ended" || this.type === "urn:usher:problem:unknown-session"; }

  /** The session is not this client's: its token is missing, wrong or revoked, or the server takes nothing from this page. */
  get isDenied() { return (this.status === 401 || this.status === 403) && this.#isServers; }

  /** Something on the way may answer so, too, and knows nothing of the session. */
  get #isServers() { return this.type.startsWith("urn:usher:problem:"); }

  /** The session is on hold: the server's build must not serve it, no retry helps, and another session can be opened meanwhile. */
  get isHeld() { return this.type === "urn:usher:problem:session-held"; }

  /** Nothing more comes of the session, as far as this client knows. */
  get isFinal() { return this.isGone || this.isDenied || this.isHeld; }

  /** The server has decided nothing yet, as far as this answer tells: the same request may be sent again under its key. */
  get isTransient() {
    if (this.type === "urn:usher:problem:handler-failed" || this.isHeld) return false;
    return this.status === 0 || this.status === 408 || this.status === 425 || this.status === 429 || this.status >= 500;
  }

  /**
   * A problem that is the client's own.
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
