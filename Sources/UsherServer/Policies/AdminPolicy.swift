import UsherHTTP

/// Who may look inside: anyone on this machine while no token is set, else whoever has the token (RFC 6750).
struct AdminPolicy: Sendable {
    private let token: [UInt8]?
    private let isLoopback: Bool

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - token: The operator's secret, if one is set; then it is always asked for.
    ///   - isLoopback: Whether only this machine can reach the server.
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
