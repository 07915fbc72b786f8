import UsherHTTP

/// The check of `Host` (RFC 9110, section 7.2): a foreign name that was made to point at a local server (DNS rebinding)
/// cannot drive it.
struct HostPolicy: Sendable {
    private let boundHost: String
    /// True of a server that is bound to loopback.
    private let isLoopback: Bool
    private let allowed: Set<String>
    /// The addresses of version 6 among them, however they are written.
    private let addresses: Set<NetworkAddress>

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - host: The address that the server is bound to.
    ///   - allowed: Further names, in lower case.
    init(boundTo host: String, allowing allowed: [String] = []) {
        boundHost = host.lowercased()
        isLoopback = Self.isLoopback(boundHost)
        self.allowed = Set(allowed.map { $0.lowercased() })
        addresses = Set(([host] + allowed).compactMap(Self.address))
    }

    /// Checks a request.
    ///
    /// Health is told under any name: who spreads the load asks by address, and learns nothing of sessions.
    ///
    /// - Throws: `Problem` 403 for a foreign host. A request without one is HTTP/1.0's, and no browser's.
    func check(_ request: Request) throws(Problem) {
        guard let bytes = request.headers.onlyValue(of: .host) else { return }
        // The usual names of a local server need no parsing.
        if isLoopback, Self.isUsual(bytes.span) { return }
        let field = String(decoding: bytes, as: UTF8.self)
        let host = Self.hostWithoutPort(field).lowercased()
        if allowed.contains(host) || (isLoopback ? Self.isLoopback(host) : host == boundHost) { return }
        if let address = Self.address(host), addresses.contains(address) { return }
        if Self.healthPaths.contains(request.path) { return }
        throw Problem(
            .foreignHost,
            "this server does not answer for the host \"\(host)\"; start it with --allow-host to allow it")
    }

    private static let healthPaths = ["/healthz", "/readyz"]

    /// True of `127.0.0.1` and `localhost`, with any port.
    private static func isUsual(_ host: Span<UInt8>) -> Bool {
        usualNames.contains { name in
            guard host.count >= name.count else { return false }
            for index in name.indices where host[index] != name[index] { return false }
            return host.count == name.count || host[name.count] == UInt8(ascii: ":")
        }
    }

    private static let usualNames = ["127.0.0.1", "localhost"].map { Array($0.utf8) }

    /// True of a name or address of this machine alone.
    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || NetworkAddress(host).map(AddressBlock.isLoopback) ?? false
    }

    /// An address of version 6.
    private static func address(_ host: String) -> NetworkAddress? {
        host.utf8.contains(UInt8(ascii: ":")) ? NetworkAddress(host) : nil
    }

    /// Reads a name or an address, the latter with or without brackets where it is of version 6.
    ///
    /// - Returns: As a policy compares it; nil for anything else.
    static func host(_ text: String) -> String? {
        let host = text.withoutBrackets.lowercased()
        guard text.hasPrefix("[") || host.utf8.contains(UInt8(ascii: ":")) else {
            return isName(host[...]) ? host : nil
        }
        return address(host).map { _ in host }
    }

    /// True of a name, or an address of version 4.
    static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_") }
    }

    /// `[::1]:8080` is `::1`, `localhost:8080` is `localhost`.
    static func hostWithoutPort(_ field: String) -> Substring {
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
    private let publicURL: PublicURL?

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - allowed: Origins such as `https://shop.example`.
    ///   - publicURL: The address by which clients know the server, if it is told.
    init(allowing allowed: [String] = [], publicURL: PublicURL? = nil) {
        self.allowed = Set(allowed.map { $0.lowercased() })
        self.publicURL = publicURL
    }

    /// Checks a request.
    ///
    /// - Returns: The origin that the answer must name, for a page from elsewhere that is allowed.
    /// - Throws: `Problem` 403 for a foreign origin.
    func check(_ request: Request) throws(Problem) -> String? {
        guard let origin = request.headers[.origin] else { return nil }
        if isOwn(origin, of: request) { return nil }
        guard allowed(in: request.headers) != nil else {
            throw Problem(
                .foreignOrigin,
                "pages from \"\(origin)\" may not use this server; start it with --allow-origin to allow it")
        }
        return origin
    }

    /// The allowed origin that a request names; nil where it names none.
    func allowed(in fields: HeaderFields) -> String? {
        fields[.origin].flatMap { allowed.contains($0.lowercased()) ? $0 : nil }
    }

    /// True of a request that the server's own page has made, or the browser's user.
    ///
    /// A change must say so: by `Origin`, or by `Sec-Fetch-Site` (Fetch Metadata), both of which a page
    /// cannot write.
    func isOwnPage(_ request: Request) -> Bool {
        let isReading = [.get, .head].contains(request.method)
        let site = request.headers["Sec-Fetch-Site"]
        guard !Self.isOfOtherSite(request), site != "none" || isReading else { return false }
        guard let origin = request.headers[.origin] else { return isReading || site == "same-origin" }
        return isOwn(origin, of: request)
    }

    /// True of a request that the page of another site, or of another port, has made in a browser (Fetch Metadata).
    ///
    /// Such a page reads no answer, but a request may cost the server much.
    static func isOfOtherSite(_ request: Request) -> Bool {
        request.headers["Sec-Fetch-Site"].map { !["same-origin", "none"].contains($0) } ?? false
    }

    /// Lets the page from an allowed origin read the answer.
    func open(_ response: inout Response, to origin: String) {
        response.headers.set(name: "Access-Control-Allow-Origin", value: origin)
        // A session's cookie; the operator's counts for the server's own page alone.
        response.headers.set(name: "Access-Control-Allow-Credentials", value: "true")
        response.headers.set(name: "Access-Control-Expose-Headers", value: Self.exposed)
        response.headers.set(name: "Vary", value: response.headers["Vary"].map { "\($0), Origin" } ?? "Origin")
    }

    /// Answers a preflight: the request in which a page asks before it sends.
    ///
    /// - Parameter response: The answer to OPTIONS, which names the methods under `Allow`.
    func answerPreflight(_ request: Request, _ response: inout Response) {
        guard request.method == .options, request.headers.contains("Access-Control-Request-Method") else { return }
        response.headers.set(name: "Access-Control-Allow-Methods", value: response.headers["Allow"] ?? "")
        response.headers.set(
            name: "Access-Control-Allow-Headers",
            value: Self.taken)
        response.headers.set(name: "Access-Control-Max-Age", value: "600")
    }

    /// The fields of answers that a page may read (the Fetch standard exposes few others).
    private static let exposed = "ETag, Idempotent-Replayed, Location, Preference-Applied, Retry-After"
    /// The fields that a page may send.
    private static let taken = """
        Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, traceparent
        """

    /// A proxy may have ended TLS in front: the own host counts under both schemes, unless it is that of the public address,
    /// whose scheme is known.
    private func isOwn(_ origin: String, of request: Request) -> Bool {
        let origin = origin.lowercased()
        guard origin != publicURL?.origin else { return true }
        guard let host = request.headers[.host]?.lowercased() else { return false }
        if let publicURL, publicURL.isNamed(by: host) { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
