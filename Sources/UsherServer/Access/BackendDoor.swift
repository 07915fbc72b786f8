import UsherHTTP

/// The decision whether an app's backend asks: it opens sessions for its users, tells them messages, and ends them.
struct BackendDoor: Sendable {
    private let key: BearerSecret?
    private let access: Access?
    private let limiter: AddressLimiter

    /// Knows the backend by a key.
    ///
    /// - Parameters:
    ///   - key: The key; nobody is the backend where nil.
    ///   - access: Knows the operator, who may do as much; nobody is the operator here where nil.
    ///   - limiter: Slows down those who guess the key.
    init(_ key: BearerSecret?, or access: Access?, _ limiter: AddressLimiter) {
        self.key = key
        self.access = access
        self.limiter = limiter
    }

    /// True of a request that shows the backend's key.
    ///
    /// A client may show another bearer, which a proxy asks for: it is a client then, also if its address has shown many.
    func hasKey(_ request: Request) -> Bool {
        guard let key, let bearer = Access.bearer(request) else { return false }
        return (try? limiter.allowsSecret(of: request) { key.matches(bearer) }) ?? false
    }

    /// Lets the backend pass, and the operator.
    ///
    /// - Throws: `Problem` 401 or 403 for anyone else, 429 after many wrong keys.
    func require(_ request: Request) throws(Problem) {
        guard let bearer = Access.bearer(request) else {
            if let access, case .operator? = try? access.caller(of: request) { return }
            throw Self.keyNeeded
        }
        let isRight = try limiter.allowsSecret(of: request) {
            key?.matches(bearer) ?? false || access?.takes(bearer) ?? false
        }
        guard isRight else { throw Self.wrongKey }
    }

    private static let keyNeeded = Problem(
        .tokenNeeded,
        "this is the backend's, and needs its key: Authorization: Bearer KEY, with that of --backend-key",
        headers: ["WWW-Authenticate": "Bearer", "Cache-Control": "no-store"])

    private static let wrongKey = Problem(
        .wrongToken, "this is not the backend's key; the server has that of --backend-key",
        headers: ["Cache-Control": "no-store"])
}
