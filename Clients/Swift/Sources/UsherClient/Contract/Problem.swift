public import Foundation

/// A failed request: the problem details of a response (RFC 9457), or the lack of a response.
public struct Problem: Error, Sendable {
    /// The HTTP status; 0 without a readable response, -1 if the client itself reports the problem.
    public let status: Int
    /// A URN from docs/protocol.md, `about:blank`, or `urn:usher:client:…`.
    public let type: String
    /// The status in words.
    public let title: String
    /// An explanation in one sentence.
    public let detail: String
    /// The code that the app's author gave the refusal.
    public let code: String?
    /// The session's current state, if the response has it.
    public let current: SessionState?
    /// The whole body, if it is an object.
    public let members: JSON
    /// The pause that the server requests before the next attempt.
    public let retryAfter: Duration
    /// The entity tag of `current`, as received.
    private let tag: String?

    /// Creates a problem from a response, whose body may also be a proxy's page.
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

    /// Creates a problem from the error of an attempt.
    init(_ error: any Error) {
        self = (error as? Problem) ?? .unanswered("the server does not answer: \(error)")
    }

    /// Returns the problem of an attempt without a response, whose outcome is unknown.
    static func unanswered(_ detail: String) -> Problem { Problem(status: 0, type: "about:blank", detail: detail) }

    /// Returns the problem of a stream that broke.
    static func streamBroke(_ detail: String) -> Problem { Problem(status: 503, type: "about:blank", detail: detail) }

    /// Returns a problem that the client itself reports.
    static func own(_ name: String, _ detail: String) -> Problem {
        Problem(status: -1, type: "urn:usher:client:\(name)", detail: detail)
    }

    /// A Boolean value indicating whether there was no readable response.
    public var isUnreachable: Bool { status == 0 }

    /// A Boolean value indicating whether the session has ended or never existed.
    public var isGone: Bool {
        type == "urn:usher:problem:session-ended" || type == "urn:usher:problem:unknown-session"
    }

    /// A Boolean value indicating whether the session's token is missing, wrong, revoked, or read-only.
    ///
    /// The value is `false` for a proxy's 401 or 403, which says nothing about the session.
    public var isDenied: Bool { (status == 401 || status == 403) && type.hasPrefix("urn:usher:problem:") }

    /// A Boolean value indicating whether the session is on hold, because the server's build cannot restore it.
    ///
    /// A retry does not help. The client can open another session meanwhile.
    public var isHeld: Bool { type == "urn:usher:problem:session-held" }

    /// A Boolean value indicating whether this client can no longer use the session.
    var isFinal: Bool { isGone || isDenied || isHeld }

    /// The session's current state with its entity tag.
    var snapshot: Snapshot? { current.map { Snapshot($0, tag: tag) } }

    /// A Boolean value indicating whether the same request may be sent again with its key.
    ///
    /// The response shows that the server has neither accepted nor refused the request.
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
