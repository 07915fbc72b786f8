import UsherHTTP

/// The check of `Host` (RFC 9110, section 7.2), which prevents DNS rebinding to a local server.
struct HostPolicy: Sendable {
    private let boundHost: String
    private let isLoopback: Bool
    private let allowed: Set<String>
    /// The IPv6 addresses among the names, parsed because they can be written in several ways.
    private let addresses: Set<NetworkAddress>

    init(boundTo host: String, allowing allowed: [String] = []) {
        boundHost = host.lowercased()
        isLoopback = Self.isLoopback(boundHost)
        self.allowed = Set(allowed.map { $0.lowercased() })
        addresses = Set(([host] + allowed).compactMap(Self.address))
    }

    /// Throws `Problem` 403 if a request has a foreign host.
    ///
    /// Health checks may use any name, because load balancers address the server by its IP address, and the responses
    /// reveal nothing about sessions. A request without `Host` may pass, because it is HTTP/1.0, which no browser
    /// sends.
    func check(_ request: Request) throws(Problem) {
        guard let bytes = request.headers.onlyValue(of: .host) else { return }
        // Handles the usual names of a local server without parsing.
        if isLoopback, Self.isUsual(bytes.span) { return }
        let field = String(decoding: bytes, as: UTF8.self)
        let host = Self.hostWithoutPort(field).lowercased()
        if allowed.contains(host) || (isLoopback ? Self.isLoopback(host) : host == boundHost) { return }
        if let address = Self.address(host), addresses.contains(address) { return }
        if Self.healthPaths.contains(request.path) { return }
        throw Problem(
            .foreignHost,
            "this server does not serve the host \"\(host)\"; start it with --allow-host to allow the host")
    }

    private static let healthPaths = ["/healthz", "/readyz"]

    /// Returns `true` for `127.0.0.1` and `localhost`, with any port.
    private static func isUsual(_ host: Span<UInt8>) -> Bool {
        usualNames.contains { name in
            guard host.count >= name.count else { return false }
            for index in name.indices where host[index] != name[index] { return false }
            return host.count == name.count || host[name.count] == UInt8(ascii: ":")
        }
    }

    private static let usualNames = ["127.0.0.1", "localhost"].map { Array($0.utf8) }

    /// Returns `true` for `localhost` and loopback addresses.
    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || NetworkAddress(host).map(AddressBlock.isLoopback) ?? false
    }

    private static func address(_ host: String) -> NetworkAddress? {
        host.utf8.contains(UInt8(ascii: ":")) ? NetworkAddress(host) : nil
    }

    /// Returns a host's name, or its address without brackets, as a policy compares it; nil if the text is malformed.
    static func host(_ text: String) -> String? {
        let host = text.withoutBrackets.lowercased()
        guard text.hasPrefix("[") || host.utf8.contains(UInt8(ascii: ":")) else {
            return isName(host[...]) ? host : nil
        }
        return address(host).map { _ in host }
    }

    /// Returns `true` for a host name or an IPv4 address.
    static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_") }
    }

    /// Returns `::1` for `[::1]:8080`, and `localhost` for `localhost:8080`.
    static func hostWithoutPort(_ field: String) -> Substring {
        if field.first == "[", let end = field.firstIndex(of: "]") {
            return field[field.index(after: field.startIndex)..<end]
        }
        return field.prefix { $0 != ":" }
    }
}

/// The check of `Origin` (RFC 6454; the Fetch standard's CORS protocol): the server's own page and the origins that the
/// operator allows may use the server.
struct OriginPolicy: Sendable {
    private let allowed: Set<String>
    private let publicURL: PublicURL?

    /// Creates a policy that allows origins such as `https://shop.example`.
    init(allowing allowed: [String] = [], publicURL: PublicURL? = nil) {
        self.allowed = Set(allowed.map { $0.lowercased() })
        self.publicURL = publicURL
    }

    /// Returns the origin that the response must name if another, allowed origin's page sent a request; otherwise nil.
    ///
    /// - Throws: `Problem` 403 for a foreign origin.
    func check(_ request: Request) throws(Problem) -> String? {
        guard let origin = request.headers[.origin] else { return nil }
        if isOwn(origin, of: request) { return nil }
        guard allowed(in: request.headers) != nil else {
            throw Problem(
                .foreignOrigin,
                "pages from \"\(origin)\" must not use this server; start it with --allow-origin to allow the origin")
        }
        return origin
    }

    /// Returns the allowed origin in a request's fields; nil if there is none.
    func allowed(in fields: HeaderFields) -> String? {
        fields[.origin].flatMap { allowed.contains($0.lowercased()) ? $0 : nil }
    }

    /// Returns `true` if the server's own page sent a request, or the user did, for example by entering a URL.
    ///
    /// A request that changes something must prove this by `Origin` or `Sec-Fetch-Site` (Fetch Metadata), which a page
    /// cannot set.
    func isOwnPage(_ request: Request) -> Bool {
        let isReading = [.get, .head].contains(request.method)
        let site = request.headers["Sec-Fetch-Site"]
        guard !Self.isOfOtherSite(request), site != "none" || isReading else { return false }
        guard let origin = request.headers[.origin] else { return isReading || site == "same-origin" }
        return isOwn(origin, of: request)
    }

    /// Returns `true` if a page of another site or port sent a request (Fetch Metadata).
    ///
    /// Such a page cannot read the response, but its requests may be expensive for the server.
    static func isOfOtherSite(_ request: Request) -> Bool {
        request.headers["Sec-Fetch-Site"].map { !["same-origin", "none"].contains($0) } ?? false
    }

    /// Adds the fields that let a page of an allowed origin read a response.
    func open(_ response: inout Response, to origin: String) {
        response.headers.set(name: "Access-Control-Allow-Origin", value: origin)
        // Allows the session's cookie; the operator's cookie is still valid only for the server's own page.
        response.headers.set(name: "Access-Control-Allow-Credentials", value: "true")
        response.headers.set(name: "Access-Control-Expose-Headers", value: Self.exposed)
        response.headers.set(name: "Vary", value: response.headers["Vary"].map { "\($0), Origin" } ?? "Origin")
    }

    /// Adds the fields of the response to a preflight request.
    ///
    /// `response` is the response to OPTIONS, whose field `Allow` lists the methods.
    func answerPreflight(_ request: Request, _ response: inout Response) {
        guard request.method == .options, request.headers.contains("Access-Control-Request-Method") else { return }
        response.headers.set(name: "Access-Control-Allow-Methods", value: response.headers["Allow"] ?? "")
        response.headers.set(
            name: "Access-Control-Allow-Headers",
            value: Self.taken)
        response.headers.set(name: "Access-Control-Max-Age", value: "600")
    }

    /// The response fields that a page may read, in addition to the few that the Fetch standard exposes.
    private static let exposed = "ETag, Idempotent-Replayed, Location, Preference-Applied, Retry-After"
    /// The request fields that a page may send.
    private static let taken = """
        Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, traceparent
        """

    /// Returns `true` for the server's own origin.
    ///
    /// A proxy may terminate TLS, so the request's host is accepted with both schemes. If the public URL has this host,
    /// only its scheme is accepted.
    private func isOwn(_ origin: String, of request: Request) -> Bool {
        let origin = origin.lowercased()
        guard origin != publicURL?.origin else { return true }
        guard let host = request.headers[.host]?.lowercased() else { return false }
        if let publicURL, publicURL.isNamed(by: host) { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
