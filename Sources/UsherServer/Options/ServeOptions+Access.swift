import UsherHTTP
import UsherProcess

/// The options that say who may do what, and under which name.
extension ServeOptions {
    static let accessOptions = [
        Option(
            "public-url", "URL", "scheme and host by which clients know the server (its address)", sets: \.publicURL
        ) { value, _ throws(UsageError) in
            try PublicURL(value)
        },
        Option(
            "allow-origin", "URL", "a web page's origin that may use the server; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in
            options.allowedOrigins.append(try origin(value))
        },
        Option(
            "allow-host", "NAME", "a name or address that requests may use for the server, without port; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in
            options.allowedHosts.append(try host(value))
        },
        Option(
            "trusted-proxy", "CIDR",
            "a proxy, or its network, that is believed where it names the client; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in
            options.trustedProxies.append(try block(value))
        },
        Option(
            "public-apps", "yes|no", "GET /apps is open to anybody (no)"
        ) { value, options throws(UsageError) in
            options.appsArePublic = try Option.word(Choice.yes, .no)(value, "public-apps") == .yes
        },
        Option(
            "admin-token", "T", "the secret that opens /admin and /metrics; better given as USHER_ADMIN_TOKEN",
            sets: \.adminToken, readsEmptyVariable: true
        ) { value, _ throws(UsageError) in
            guard let token = OperatorToken(value) else {
                throw UsageError("--admin-token takes a secret of visible ASCII characters that is not empty")
            }
            return token.text
        },
        Option(
            "admin-token-file", "PATH", "the file with that secret (a random one, in the link that the start prints)",
            sets: \.adminTokenFile, readsEmptyVariable: true
        ) { value, _ throws(UsageError) in
            guard !value.isEmpty else { throw UsageError("--admin-token-file takes the path of a file") }
            return value
        },
        Option(
            "admin-listen", "ADDRESS:PORT|unix:PATH",
            "a listener of its own for /admin and /metrics, which asks for no secret", sets: \.adminListener
        ) { value, _ throws(UsageError) in
            try AdminListener(value)
        },
    ]

    /// Refuses what would open in two ways.
    func checkAccess() throws(UsageError) {
        guard adminToken == nil || adminTokenFile == nil else {
            throw UsageError("--admin-token and --admin-token-file exclude each other; give one of them")
        }
        guard adminListener == nil || adminToken == nil && adminTokenFile == nil else {
            throw UsageError("--admin-listen asks for no token; leave out --admin-token and --admin-token-file, or it")
        }
    }

    /// Finds the operator's token: the one that was given, or that of a file; else a random one is made.
    ///
    /// - Returns: True where it was made, so that nobody has it yet.
    /// - Throws: `FileTree.ReadError` or `UsageError` for a file without a token.
    mutating func findToken() throws -> Bool {
        if let adminTokenFile { adminToken = try Self.token(in: adminTokenFile).text }
        guard adminToken == nil, adminListener == nil else { return false }
        adminToken = OperatorToken.random().text
        return true
    }

    /// Reads the first and only line of a file, such as one of systemd's credentials.
    private static func token(in path: String) throws -> OperatorToken {
        var contents = try WholeFile.read(path, limit: 4_096)[...]
        if contents.last == UInt8(ascii: "\n") { contents.removeLast() }
        if contents.last == UInt8(ascii: "\r") { contents.removeLast() }
        guard let text = String(validating: contents, as: UTF8.self), let token = OperatorToken(text) else {
            throw UsageError(
                "--admin-token-file takes a file with one line, a secret of visible ASCII characters: \(path)")
        }
        return token
    }

    /// The link that logs a browser in.
    ///
    /// - Parameter address: The server's own, which is told where no public one is configured.
    func loginLink(at address: String) -> String? {
        adminToken.map { "\(publicURL?.origin ?? reachable(address))/login?token=\($0)" }
    }

    /// The address under a name that the server answers for, where it listens on all addresses and has such a name.
    private func reachable(_ address: String) -> String {
        guard ["0.0.0.0", "::"].contains(host), let name = allowedHosts.first, let port = address.lastIndex(of: ":")
        else { return address }
        return "http://\(name.contains(":") ? "[\(name)]" : name)\(address[port...])"
    }

    /// The check of `Host` on the public port.
    var hosts: HostPolicy {
        HostPolicy(boundTo: host, allowing: allowedHosts + (publicURL.map { [$0.host] } ?? []))
    }

    /// The check of `Origin` on the public port.
    var origins: OriginPolicy {
        OriginPolicy(allowing: allowedOrigins, publicOrigin: publicURL?.origin)
    }

    /// The decision who asks.
    var access: Access {
        guard adminListener == nil else { return Access(listenerOf: OriginPolicy()) }
        return Access(
            token: adminToken.flatMap { OperatorToken($0) }, isSecure: publicURL?.isSecure ?? false, origins: origins)
    }

    /// The proxies that are believed where they name a request's client.
    var proxies: TrustedProxies { TrustedProxies(trustedProxies) }

    private static func host(_ text: String) throws(UsageError) -> String {
        guard let host = HostPolicy.host(text) else {
            throw UsageError(
                """
                --allow-host takes a name such as shop.example or an address such as 10.0.0.5 or [2001:db8::1], without \
                scheme, port, path or wildcard, not "\(text)"
                """)
        }
        return host
    }

    private enum Choice: String {
        case yes, no
    }

    private static func block(_ text: String) throws(UsageError) -> AddressBlock {
        guard let block = AddressBlock(text) else {
            throw UsageError(
                """
                --trusted-proxy takes an address such as 10.0.0.5, or a network with no bit behind its prefix such as \
                10.0.0.0/8 or fd00::/8, not "\(text)"
                """)
        }
        return block
    }

    /// Scheme, host and port, and nothing behind (RFC 6454, section 6.2).
    private static func origin(_ text: String) throws(UsageError) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty, !parts[2].isEmpty else {
            throw UsageError("--allow-origin takes an origin such as https://shop.example, not \"\(text)\"")
        }
        return text
    }
}
