import UsherHTTP

/// The asker of a request, as far as the keys that it brings tell.
enum Caller: Equatable {
    /// Nobody in particular: without a key.
    case anyone
    /// The operator, who may look inside.
    case `operator`(OperatorProof)
}

/// The sign by which the operator is known.
enum OperatorProof: String {
    /// The token itself.
    case token
    /// The cookie of a browser that has logged in with the token.
    case login
    /// The listener that is the operator's alone.
    case listener
}

/// The decision who asks: the one place where the keys of a request are read.
struct Access: Sendable {
    /// The token, and the logins that it has begun; nil behind the operator's own listener, where none is asked for.
    private let keys: (token: BearerSecret, logins: Logins)?
    private let cookie: LoginCookie
    private let origins: OriginPolicy
    private let limiter: AddressLimiter

    /// Knows the operator by a token.
    ///
    /// - Parameters:
    ///   - token: The token; nil where there is none, which nobody knows then.
    ///   - loginFile: The file that keeps logins beyond the process; nil if there is none.
    ///   - isSecure: True where browsers come over TLS.
    ///   - origins: Knows the server's own page, for which alone a cookie counts.
    ///   - limiter: Slows down those who guess the token.
    ///   - report: Called when the file cannot be read or written.
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

    /// Takes everybody for the operator: behind a listener that nobody else reaches.
    init(listenerOf origins: OriginPolicy, _ limiter: AddressLimiter) {
        keys = nil
        cookie = LoginCookie(isSecure: false)
        self.origins = origins
        self.limiter = limiter
    }

    /// True where a token can be shown.
    var hasToken: Bool { keys != nil }

    /// Finds out who asks.
    ///
    /// - Throws: `Problem` 403 for a wrong token, and for a foreign page that uses a login or the operator's own listener;
    ///   429 after many wrong tokens.
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
        // A browser sends its cookie along whichever page asks: SameSite keeps other sites out, not other ports.
        guard origins.isOwnPage(request) else { throw Self.foreignPage }
        return .operator(.login)
    }

    /// Lets the operator alone pass.
    ///
    /// - Throws: `Problem` 401 for anyone else, 403 as `caller(of:)` does.
    func requireOperator(_ request: Request) throws(Problem) {
        guard try caller(of: request) == .anyone else { return }
        throw Self.tokenNeeded
    }

    /// Begins a login.
    ///
    /// - Parameter given: The token, as the browser's user has it.
    /// - Returns: The field that sets the cookie.
    /// - Throws: `Problem` 403 for a wrong token, 429 after many.
    func logIn(_ given: String, _ request: Request) throws(Problem) -> String {
        try check(given.utf8, of: request)
        return cookie.setting(keys?.logins.begin() ?? "", for: request)
    }

    /// Ends the login of a request, if it has one.
    ///
    /// - Returns: The field that removes the cookie.
    /// - Throws: `Problem` 403 for a foreign page.
    func logOut(_ request: Request) throws(Problem) -> String {
        guard origins.isOwnPage(request) else { throw Self.foreignPage }
        for key in cookie.keys(of: request) { keys?.logins.end(key) }
        return cookie.removing(for: request)
    }

    /// True of the operator's token; behind the operator's own listener of any.
    func takes(_ bearer: ArraySlice<UInt8>) -> Bool {
        keys?.token.matches(bearer) ?? true
    }

    private func check(_ given: some Collection<UInt8>, of request: Request) throws(Problem) {
        guard let keys, try limiter.allowsSecret(of: request, { keys.token.matches(given) }) else {
            throw Self.wrongToken
        }
    }

    /// The token that a request bears (RFC 6750, section 2.1); nil for none.
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
        this is the operator's, and needs the admin token: send Authorization: Bearer TOKEN, or log in on the debug page
        """, headers: ["WWW-Authenticate": "Bearer"])

    private static let wrongToken = Problem(
        .wrongToken, "this is not the admin token; where none is configured, each start makes another")

    private static let foreignSite = Problem(
        .foreignOrigin,
        "this listener asks for no token, so pages of other sites may not use it; open its own page, or use a program")

    private static let foreignPage = Problem(
        .foreignOrigin, "a login counts for requests of the server's own page; others send the admin token")
}
