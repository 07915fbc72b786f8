import UsherHTTP
import UsherJournal
import UsherSessions

/// The credential that clients need for a session (`--session-access`).
package enum SessionKeyKind: String, Sendable {
    /// The token in the response that opened the session.
    case token
    /// Only the session's id, for development.
    case id
}

/// A group of session endpoints, with their path prefix and their authentication.
struct SessionDoor: Sendable {
    private enum Keeper: Sendable {
        case tokens(SessionCookie, BackendDoor)
        case ids
        case `operator`(Access)
    }

    /// The path before `/sessions`; empty for clients.
    let path: String
    /// The cookie for browsers; nil if the server sets no cookie.
    let cookie: SessionCookie?
    private let keeper: Keeper

    /// Creates the clients' endpoints; the backend also opens sessions here.
    static func clients(by kind: SessionKeyKind, _ cookie: SessionCookie, _ backend: BackendDoor) -> SessionDoor {
        switch kind {
        case .token: SessionDoor(path: "", cookie: cookie, keeper: .tokens(cookie, backend))
        case .id: SessionDoor(path: "", cookie: nil, keeper: .ids)
        }
    }

    /// Creates the operator's endpoints, below `/admin`.
    static func operators(_ access: Access) -> SessionDoor {
        SessionDoor(path: "/admin", cookie: nil, keeper: .operator(access))
    }

    var isOperators: Bool {
        if case .operator = keeper { true } else { false }
    }

    /// Returns `true` if the sender of a request may open sessions for any user and with any options.
    ///
    /// - Throws: `Problem` 401 or 403 if the sender may not open sessions.
    func opensAll(_ request: Request) throws(Problem) -> Bool {
        switch keeper {
        case .ids: return true
        case .tokens(_, let backend): return backend.hasKey(request)
        case .operator(let access):
            try access.requireOperator(request)
            return true
        }
    }

    /// Returns a Boolean value that indicates whether the limits per address apply to a new session.
    ///
    /// The limits apply neither to the operator nor to the backend, which opens sessions for all of the backend's
    /// users.
    func isLimited(opensAll: Bool) -> Bool {
        switch keeper {
        case .ids: true
        case .tokens: !opensAll
        case .operator: false
        }
    }

    /// Returns the claim of a request to a session.
    ///
    /// A browser sends the cookie even with requests from other sites' pages. The cookie therefore authorizes a change
    /// only if the request also has an `Origin` field, which the server has already checked.
    ///
    /// - Throws: `Problem` 401 or 403.
    func claim(of request: Request) throws(Problem) -> SessionClaim {
        switch keeper {
        case .ids: return .granted
        case .operator(let access):
            try access.requireOperator(request)
            return .operator
        case .tokens(let cookie, _):
            let isReading = request.method == .get || request.method == .head
            if let bearer = Access.bearer(request) {
                return .shown(TokenHash(of: Array(bearer)), isReading: isReading)
            }
            guard let token = cookie.token(of: request) else { return .shown(nil, isReading: isReading) }
            guard isReading || request.headers.contains(.origin) else { throw Self.noOrigin }
            return .shown(TokenHash(of: Array(token)), isReading: isReading)
        }
    }

    private static let noOrigin = Problem(
        .foreignOrigin,
        "a change with a cookie needs an Origin; outside of a page, send Authorization: Bearer TOKEN",
        headers: ["Cache-Control": "no-store"])
}
