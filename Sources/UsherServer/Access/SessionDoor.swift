import UsherHTTP
import UsherJournal
import UsherSessions

/// The key to sessions (`--session-access`).
package enum SessionKeyKind: String, Sendable {
    /// The token that the opening has answered.
    case token
    /// The session's id alone, for development.
    case id
}

/// A way to sessions: the beginning of its paths, and the decision who is let in there.
struct SessionDoor: Sendable {
    private enum Keeper: Sendable {
        case tokens(SessionCookie, BackendDoor)
        case ids
        case `operator`(Access)
    }

    /// The path before `/sessions`: none for clients.
    let path: String
    /// The cookie that it sets for browsers; nil where there is none.
    let cookie: SessionCookie?
    private let keeper: Keeper

    /// The clients' way.
    ///
    /// - Parameters:
    ///   - kind: The key that they need.
    ///   - cookie: The cookie in which a browser has it.
    ///   - backend: Knows the backend, which opens sessions here as well.
    static func clients(by kind: SessionKeyKind, _ cookie: SessionCookie, _ backend: BackendDoor) -> SessionDoor {
        switch kind {
        case .token: SessionDoor(path: "", cookie: cookie, keeper: .tokens(cookie, backend))
        case .id: SessionDoor(path: "", cookie: nil, keeper: .ids)
        }
    }

    /// The operator's way, below `/admin`.
    static func operators(_ access: Access) -> SessionDoor {
        SessionDoor(path: "/admin", cookie: nil, keeper: .operator(access))
    }

    /// True of the operator's way.
    var isOperators: Bool {
        if case .operator = keeper { true } else { false }
    }

    /// Lets those pass alone who may open sessions here.
    ///
    /// - Returns: True where they may open one for a user, and with any options.
    /// - Throws: `Problem` 401 or 403.
    func opensAll(_ request: Request) throws(Problem) -> Bool {
        switch keeper {
        case .ids: return true
        case .tokens(_, let backend): return backend.hasKey(request)
        case .operator(let access):
            try access.requireOperator(request)
            return true
        }
    }

    /// True if the limits of addresses hold for an opening: neither for the operator's, nor for a backend's, which opens
    /// sessions for all of its users.
    ///
    /// - Parameter opensAll: The answer of `opensAll(_:)`.
    func isLimited(opensAll: Bool) -> Bool {
        switch keeper {
        case .ids: true
        case .tokens: !opensAll
        case .operator: false
        }
    }

    /// The claim of a request to a session.
    ///
    /// A browser sends a cookie along whichever page asks: for a change it counts where the page is the server's own or
    /// allowed, which its `Origin` says, and which has been checked.
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
        "a cookie counts for changes that a page makes, with its Origin; others send Authorization: Bearer TOKEN",
        headers: ["Cache-Control": "no-store"])
}
