import UsherHTTP

/// Authenticates the app's backend, which opens sessions for its users, sends them messages, and ends them.
struct BackendDoor: Sendable {
    private let key: BearerSecret?
    private let access: Access?
    private let limiter: AddressLimiter

    /// Creates the authentication by the backend's key; without a key, no request is the backend's.
    ///
    /// `access` recognizes the operator; nil if the operator does not have the backend's rights.
    init(_ key: BearerSecret?, or access: Access?, _ limiter: AddressLimiter) {
        self.key = key
        self.access = access
        self.limiter = limiter
    }

    /// Returns a Boolean value that indicates whether a request has the backend's key.
    ///
    /// A wrong key is not an error, because a client may send a token that is meant for a proxy in front of the server.
    /// The server then treats the sender as an ordinary client, even after many wrong keys from the sender's address.
    func hasKey(_ request: Request) -> Bool {
        guard let key, let bearer = Access.bearer(request) else { return false }
        return (try? limiter.allowsSecret(of: request) { key.matches(bearer) }) ?? false
    }

    /// Throws `Problem` 401 or 403 unless the backend or the operator sent the request; 429 after many wrong keys.
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
        "this request needs the backend's key: send Authorization: Bearer KEY, with the key of --backend-key",
        headers: ["WWW-Authenticate": "Bearer", "Cache-Control": "no-store"])

    private static let wrongKey = Problem(
        .wrongToken, "this is not the backend's key; send the key of --backend-key",
        headers: ["Cache-Control": "no-store"])
}
