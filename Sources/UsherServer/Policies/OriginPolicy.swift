import UsherHTTP

/// Which web pages may drive the server: its own, and those that the operator allows (RFC 6454; the Fetch standard's
/// CORS protocol).
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

    /// What a page is told that asks before it sends (a preflight).
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
