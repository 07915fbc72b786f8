import UsherHTTP

/// The checks of a request's host, origin and token.
struct Policies: Sendable {
    let hosts: HostPolicy
    let origins: OriginPolicy
    let proxies: TrustedProxies
    let admin: AdminPolicy
}

/// The check of `Host` (RFC 9110, section 7.2): a foreign name that was made to point at a local server (DNS rebinding)
/// cannot drive it.
struct HostPolicy: Sendable {
    /// True of a server that is bound to loopback.
    let isLoopback: Bool
    private let boundHost: String
    private let allowed: Set<String>

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - host: The address that the server is bound to.
    ///   - allowed: Further names, in lower case.
    init(boundTo host: String, allowing allowed: [String] = []) {
        boundHost = host.lowercased()
        isLoopback = Self.isLoopback(boundHost)
        self.allowed = Set(allowed.map { $0.lowercased() })
    }

    /// Checks a request.
    ///
    /// - Throws: `Problem` 403 for a foreign host. A request without one is HTTP/1.0's, and no browser's.
    func check(_ request: Request) throws(Problem) {
        guard let bytes = request.headers.onlyValue(of: .host) else { return }
        // The usual names of a local server need no parsing.
        if isLoopback, Self.isUsual(bytes.span) { return }
        let field = String(decoding: bytes, as: UTF8.self)
        let host = Self.hostWithoutPort(field).lowercased()
        if allowed.contains(host) || (isLoopback ? Self.isLoopback(host) : host == boundHost) { return }
        throw Problem(
            .forbidden, "this server does not answer for the host \"\(host)\"; start it with --allow-host to allow it",
            type: ProblemType.foreignHost)
    }

    /// True of `127.0.0.1` and `localhost`, with any port.
    private static func isUsual(_ host: Span<UInt8>) -> Bool {
        usualNames.contains { name in
            guard host.count >= name.count else { return false }
            for index in name.indices where host[index] != name[index] { return false }
            return host.count == name.count || host[name.count] == UInt8(ascii: ":")
        }
    }

    private static let usualNames = ["127.0.0.1", "localhost"].map { Array($0.utf8) }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        guard !host.utf8.contains(UInt8(ascii: ":")) else { return isLoopbackIPv6(host) }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && $0.first != "+" }
    }

    /// `::1`, however many of its zeros are written out.
    private static func isLoopbackIPv6(_ host: String) -> Bool {
        let groups = host.split(separator: ":", omittingEmptySubsequences: false).map { $0.drop { $0 == "0" } }
        return groups.last == "1" && groups.count <= 8 && groups.dropLast().allSatisfy(\.isEmpty)
    }

    /// `[::1]:8080` is `::1`, `localhost:8080` is `localhost`.
    private static func hostWithoutPort(_ field: String) -> Substring {
        if field.first == "[", let end = field.firstIndex(of: "]") {
            return field[field.index(after: field.startIndex)..<end]
        }
        return field.prefix { $0 != ":" }
    }
}

/// The check of `Origin`: the server's own page may drive it, and those that the operator allows (RFC 6454; the Fetch
/// standard's CORS protocol).
struct OriginPolicy: Sendable {
    private let allowed: Set<String>

    /// Makes a policy.
    ///
    /// - Parameter allowed: Origins such as `https://shop.example`.
    init(allowing allowed: [String] = []) {
        self.allowed = Set(allowed.map { $0.lowercased() })
    }

    /// Checks a request.
    ///
    /// - Returns: The origin that the answer must name, for a page from elsewhere that is allowed.
    /// - Throws: `Problem` 403 for a foreign origin.
    func check(_ request: Request) throws(Problem) -> String? {
        guard let origin = request.headers[.origin] else { return nil }
        if let host = request.headers[.host], origin.lowercased() == "http://\(host.lowercased())" { return nil }
        guard allowed.contains(origin.lowercased()) else {
            throw Problem(
                .forbidden,
                "pages from \"\(origin)\" may not use this server; start it with --allow-origin to allow it",
                type: ProblemType.foreignOrigin)
        }
        return origin
    }

    /// Lets the page from an allowed origin read the answer.
    func open(_ response: inout Response, to origin: String) {
        response.headers.set(name: "Access-Control-Allow-Origin", value: origin)
        response.headers.set(name: "Access-Control-Expose-Headers", value: "ETag, Location, Retry-After")
        response.headers.set(name: "Vary", value: "Origin")
    }

    /// Answers a preflight: the request in which a page asks before it sends.
    ///
    /// - Parameter response: The answer to OPTIONS, which names the methods under `Allow`.
    func answerPreflight(_ request: Request, _ response: inout Response) {
        guard request.method == .options, request.headers.contains("Access-Control-Request-Method") else { return }
        response.headers.set(name: "Access-Control-Allow-Methods", value: response.headers["Allow"] ?? "")
        response.headers.set(
            name: "Access-Control-Allow-Headers",
            value: "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer")
        response.headers.set(name: "Access-Control-Max-Age", value: "600")
    }
}

/// The check of the operator's token (RFC 6750); while none is set, all on this machine may look inside.
struct AdminPolicy: Sendable {
    private let token: [UInt8]?
    private let isLoopback: Bool

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - token: The operator's secret, if one is set; then it is always asked for.
    ///   - isLoopback: True where only this machine can reach the server.
    init(token: String?, isLoopback: Bool) {
        self.token = token.map { Array($0.utf8) }
        self.isLoopback = isLoopback
    }

    /// Checks a request under `/admin`, or for `/metrics`.
    ///
    /// - Throws: `Problem` 401 without a token where one is needed, 403 with a wrong one.
    func check(_ request: Request) throws(Problem) {
        guard let token else {
            if isLoopback, !Self.wasForwarded(request) { return }
            throw Self.unauthorized(
                "/metrics and the paths under /admin are closed; start the server with --admin-token")
        }
        guard let given = Self.bearer(request) else {
            throw Self.unauthorized(
                "/metrics and the paths under /admin need the admin token: Authorization: Bearer TOKEN")
        }
        guard Self.areEqual(given, token) else {
            throw Problem(.forbidden, "this is not the admin token", type: ProblemType.wrongToken)
        }
    }

    private static func unauthorized(_ detail: String) -> Problem {
        Problem(.unauthorized, detail, type: ProblemType.tokenNeeded, headers: ["WWW-Authenticate": "Bearer"])
    }

    private static func wasForwarded(_ request: Request) -> Bool {
        ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"].contains(
            where: request.headers.contains)
    }

    private static func bearer(_ request: Request) -> [UInt8]? {
        guard let field = request.headers["Authorization"] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return Array(parts[1].utf8)
    }

    /// Takes the same time wherever the two differ.
    private static func areEqual(_ given: [UInt8], _ token: [UInt8]) -> Bool {
        guard given.count == token.count else { return false }
        return zip(given, token).reduce(UInt8(0)) { difference, pair in difference | (pair.0 ^ pair.1) } == 0
    }
}
