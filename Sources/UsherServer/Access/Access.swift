import UsherHTTP

/// The sender of a request, identified by the request's credentials.
enum Caller: Equatable {
    case anyone
    case `operator`(OperatorProof)
}

enum OperatorProof: String {
    case token
    /// The cookie of a browser that has logged in with the token.
    case login
    /// A listener that only the operator can reach.
    case listener
}

/// Authenticates the operator's requests.
struct Access: Sendable {
    /// The token, and the browsers that have logged in with the token; nil on the operator's own listener, where
    /// requests need no credentials.
    private let keys: (token: BearerSecret, logins: Logins)?
    private let cookie: LoginCookie
    private let origins: OriginPolicy
    private let limiter: AddressLimiter

    /// Creates the authentication of an operator who has a token.
    ///
    /// If `token` is nil, a random token that no sender knows is used, so no sender is the operator. If `loginFile` is
    /// nil, logins end with the process. The login's cookie is valid only for the server's own page.
    init(
        token: BearerSecret?, loginFile: String? = nil, isSecure: Bool, origins: OriginPolicy,
        _ limiter: AddressLimiter, report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        let token = token ?? .random()
        keys = (token, Logins(with: token, in: loginFile, report: report))
        cookie = LoginCookie(isSecure: isSecure)
        self.origins = origins
        self.limiter = limiter
    }

    /// Creates the authentication for a listener that only the operator can reach: every sender counts as the operator.
    init(listenerOf origins: OriginPolicy, _ limiter: AddressLimiter) {
        keys = nil
        cookie = LoginCookie(isSecure: false)
        self.origins = origins
        self.limiter = limiter
    }

    var hasToken: Bool { keys != nil }

    /// Returns the sender of a request.
    ///
    /// - Throws: `Problem` 403 for a wrong token, and for a request that another site's page sends with the login's
    ///   cookie or to the operator's own listener; 429 after many wrong tokens.
    func caller(of request: Request) throws(Problem) -> Caller {
        guard let keys else {
            guard !OriginPolicy.isOfOtherSite(request) else { throw Self.foreignSite }
            return .operator(.listener)
        }
        if let given = Self.bearer(request) {
            try check(given, of: request)
            return .operator(.token)
        }
        guard cookie.keys(of: request).contains(where: { keys.logins.hold($0) }) else { return .anyone }
        // SameSite withholds the cookie from other sites, but not from pages on other ports of the same host.
        guard origins.isOwnPage(request) else { throw Self.foreignPage }
        return .operator(.login)
    }

    /// Throws `Problem` 401 unless the operator sent the request; throws 403 or 429 as `caller(of:)` does.
    func requireOperator(_ request: Request) throws(Problem) {
        guard try caller(of: request) == .anyone else { return }
        throw Self.tokenNeeded
    }

    /// Starts a login with the token that the user entered, and returns the header field that sets the cookie.
    ///
    /// - Throws: `Problem` 403 for a wrong token, 429 after many wrong tokens.
    func logIn(_ given: String, _ request: Request) throws(Problem) -> String {
        try check(given.utf8, of: request)
        return cookie.setting(keys?.logins.begin() ?? "", for: request)
    }

    /// Ends the login of a request, if there is one, and returns the header field that removes the cookie.
    ///
    /// - Throws: `Problem` 403 if another site's page sent the request.
    func logOut(_ request: Request) throws(Problem) -> String {
        guard origins.isOwnPage(request) else { throw Self.foreignPage }
        for key in cookie.keys(of: request) { keys?.logins.end(key) }
        return cookie.removing(for: request)
    }

    /// Returns `true` for the operator's token; on the operator's own listener, returns `true` for any token.
    func takes(_ bearer: ArraySlice<UInt8>) -> Bool {
        keys?.token.matches(bearer) ?? true
    }

    private func check(_ given: some Collection<UInt8>, of request: Request) throws(Problem) {
        guard let keys, try limiter.allowsSecret(of: request, { keys.token.matches(given) }) else {
            throw Self.wrongToken
        }
    }

    /// Returns the bearer token of a request (RFC 6750, section 2.1); nil if there is none.
    static func bearer(_ request: Request) -> ArraySlice<UInt8>? {
        guard let field = request.headers.onlyValue(of: .authorization),
            let blank = field.firstIndex(of: UInt8(ascii: " ")),
            String(decoding: field[..<blank], as: UTF8.self).lowercased() == "bearer"
        else { return nil }
        let token = field[blank...].drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? nil : token
    }
}

extension Access {
    private static let tokenNeeded = Problem(
        .tokenNeeded,
        """
        this request needs the admin token: send Authorization: Bearer TOKEN, or log in on the debug page
        """, headers: ["WWW-Authenticate": "Bearer"])

    private static let wrongToken = Problem(
        .wrongToken,
        "this is not the admin token; if no token is configured, the server creates a new one at each start"
    )

    private static let foreignSite = Problem(
        .foreignOrigin,
        "this listener needs no token, so pages of other sites must not use it; open the listener's page, or use a program"
    )

    private static let foreignPage = Problem(
        .foreignOrigin, "a login is only for requests of the server's own page; elsewhere, send the admin token")
}
