import UsherHTTP

/// The decision whether an app's backend asks: it opens sessions for its users, tells them messages, and ends them.
struct BackendDoor: Sendable {
    private let key: BearerSecret?
    private let access: Access?

    /// Knows the backend by a key.
    ///
    /// - Parameters:
    ///   - key: The key; nobody is the backend where nil.
    ///   - access: Knows the operator, who may do as much; nobody is the operator here where nil.
    init(_ key: BearerSecret?, or access: Access?) {
        self.key = key
        self.access = access
    }

    /// True of a request that shows the backend's key.
    func hasKey(_ request: Request) -> Bool {
        guard let key, let bearer = Access.bearer(request) else { return false }
        return key.matches(bearer)
    }

    /// Lets the backend pass, and the operator.
    ///
    /// - Throws: `Problem` 401 or 403 for anyone else.
    func require(_ request: Request) throws(Problem) {
        guard !hasKey(request) else { return }
        if let access, case .operator? = try? access.caller(of: request) { return }
        throw Access.bearer(request) == nil ? Self.keyNeeded : Self.wrongKey
    }

    private static let keyNeeded = Problem(
        .tokenNeeded,
        "this is the backend's, and needs its key: Authorization: Bearer KEY, with that of --backend-key",
        headers: ["WWW-Authenticate": "Bearer", "Cache-Control": "no-store"])

    private static let wrongKey = Problem(
        .wrongToken, "this is not the backend's key; the server has that of --backend-key",
        headers: ["Cache-Control": "no-store"])
}
