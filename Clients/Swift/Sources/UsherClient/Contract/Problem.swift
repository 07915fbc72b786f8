public import Foundation

/// An answer that is not 2xx, as RFC 9457 has it, or none at all.
public struct Problem: Error, Sendable {
    /// The answer's status; 0 where there was none, or none that can be read; -1 where the problem is the client's own.
    public let status: Int
    /// A URN of docs/protocol.md, `about:blank`, or `urn:usher:client:…`.
    public let type: String
    /// The status in words.
    public let title: String
    /// One sentence for who reads it.
    public let detail: String
    /// The code that the app's author has given to a refusal.
    public let code: String?
    /// The session as it stands, where the answer tells.
    public let current: SessionState?
    /// The whole body, where it is an object.
    public let members: JSON
    /// The pause that the server asks for before the next attempt.
    public let retryAfter: Duration
    /// The entity tag of `current`, as it came.
    private let tag: String?

    /// Of an answer's body, which may be a proxy's page: then the status has to do.
    init(status: Int, body: Data, retryAfter: Duration = .zero, tag: String? = nil) {
        let read = (try? JSONDecoder().decode(JSON.self, from: body)) ?? .null
        members = if case .object = read { read } else { [:] }
        self.status = status
        type = members["type"]?.text ?? "about:blank"
        title = members["title"]?.text ?? "The server answered \(status)"
        detail = members["detail"]?.text ?? title
        code = members["code"]?.text
        current = members["current"].flatMap { try? $0.decoded() }
        self.retryAfter = retryAfter
        self.tag = tag
    }

    private init(status: Int, type: String, detail: String) {
        self.status = status
        self.type = type
        title = "No answer"
        self.detail = detail
        code = nil
        current = nil
        members = [:]
        retryAfter = .zero
        tag = nil
    }

    /// Of an attempt that has failed, for whatever reason.
    init(_ error: any Error) {
        self = (error as? Problem) ?? .unanswered("the server does not answer: \(error)")
    }

    /// An attempt whose outcome is open.
    static func unanswered(_ detail: String) -> Problem { Problem(status: 0, type: "about:blank", detail: detail) }

    /// A stream that was there, and is no more.
    static func streamBroke(_ detail: String) -> Problem { Problem(status: 503, type: "about:blank", detail: detail) }

    /// A problem of the client's own.
    static func own(_ name: String, _ detail: String) -> Problem {
        Problem(status: -1, type: "urn:usher:client:\(name)", detail: detail)
    }

    /// True where there was no answer, or none that can be read.
    public var isUnreachable: Bool { status == 0 }

    /// True where the session is over, or never was.
    public var isGone: Bool {
        type == "urn:usher:problem:session-ended" || type == "urn:usher:problem:unknown-session"
    }

    /// True where the session is not this client's: its token is missing, wrong or revoked, or opens it for reading alone.
    ///
    /// Something on the way may answer so, too, and knows nothing of the session.
    public var isDenied: Bool { (status == 401 || status == 403) && type.hasPrefix("urn:usher:problem:") }

    /// A Boolean value indicating whether the session is on hold: the server's build must not serve it.
    ///
    /// No retry helps; another session can be opened meanwhile.
    public var isHeld: Bool { type == "urn:usher:problem:session-held" }

    /// A Boolean value indicating whether nothing more comes of the session, as far as this client knows.
    var isFinal: Bool { isGone || isDenied || isHeld }

    /// The session as it stands, with its entity tag.
    var snapshot: Snapshot? { current.map { Snapshot($0, tag: tag) } }

    /// True where the server has decided nothing yet, as far as this answer tells: the same request may be sent again
    /// under its key.
    public var isTransient: Bool {
        if type == "urn:usher:problem:handler-failed" || isHeld { return false }
        return [0, 408, 425, 429].contains(status) || status >= 500
    }
}

extension Problem: CustomStringConvertible, LocalizedError {
    /// The status, the type and the detail.
    public var description: String { "\(status) \(type): \(detail)" }

    /// The detail.
    public var errorDescription: String? { detail }
}
