import UsherContract
import UsherHTTP
import UsherProcess
import UsherSessions

/// The options for access and for the names of the server.
extension ServeOptions {
    static let publicOptions = [
        Option(
            "public-url", "URL", "the scheme and host by which clients know the server (default: its address)",
            sets: \.publicURL
        ) { value, name throws(UsageError) in try PublicURL(value, for: name) },
        Option(
            "allow-origin", "URL", "the origin of web pages that may use the server; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in
            // The origin is normalized, because browsers omit the scheme's default port. A pattern is refused, because
            // browsers never send patterns.
            options.allowedOrigins.append(try PublicURL(value, for: "allow-origin").origin)
        },
        Option(
            "allow-host", "NAME",
            "a further name or address, without a port, that a request's Host field may have; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in options.allowedHosts.append(try host(value)) },
        Option(
            "trusted-proxy", "CIDR",
            "the address or network of a proxy that names the client in \"X-Forwarded-For\" or \"Forwarded\"; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in options.trustedProxies.append(try block(value)) },
        Option(
            "public-apps", "yes|no", "allow anyone to list the apps with GET /apps (default: no)", sets: \.appsArePublic
        ) { value, name throws(UsageError) in try Option.word(Choice.yes, .no)(value, name) == .yes },
    ]

    static let operatorOptions = [
        Option(
            "admin-token", "T",
            "the secret that opens /admin and /metrics; set it in USHER_ADMIN_TOKEN to hide it from process lists",
            sets: \.adminToken, readsEmptyVariable: true, Option.secret),
        Option(
            "admin-token-file", "PATH",
            "a file with the admin token in one line (default: a random token, in the link printed at the start)",
            sets: \.adminTokenFile, readsEmptyVariable: true, Option.path()),
        Option(
            "admin-listen", "ADDRESS:PORT|unix:PATH",
            "a separate listener for /admin and /metrics, which needs no secret", sets: \.adminListener
        ) { value, _ throws(UsageError) in try AdminListener(value) },
    ]

    /// Throws if options contradict each other.
    func checkAccess() throws(UsageError) {
        guard adminToken == nil || adminTokenFile == nil else {
            throw UsageError("--admin-token and --admin-token-file exclude each other; give one of them")
        }
        guard adminListener == nil || adminToken == nil && adminTokenFile == nil else {
            throw UsageError(
                "--admin-listen needs no token; leave out either --admin-listen, or --admin-token and --admin-token-file"
            )
        }
        try checkSessionAccess()
    }

    /// The warnings about options that admit everyone who knows a session's id or can reach an address.
    var warnings: [(message: String, cause: String)] {
        var warnings: [(message: String, cause: String)] = []
        if sessionAccess == .id {
            warnings.append(("anyone who knows a session's id can use the session", "--session-access id"))
        }
        if let address = adminListener?.openAddress {
            warnings.append(
                ("anyone who can reach the operator's listener has the operator's rights", "--admin-listen \(address)"))
        }
        return warnings
    }

    /// Sets the operator's token (from an option, a file, or else the random source) and the backend's key.
    ///
    /// - Returns: `true` if the token is random, so that the operator does not have it yet.
    /// - Throws: `SystemError` or `UsageError` for a file without a secret.
    mutating func findToken() throws -> Bool {
        if let adminTokenFile { adminToken = try Self.secret(in: adminTokenFile, of: "admin-token-file").text }
        if let backendKeyFile { backendKey = try Self.secret(in: backendKeyFile, of: "backend-key-file").text }
        guard adminToken == nil || adminToken != backendKey else {
            throw UsageError("the admin token and the backend key are the same; give the backend a key of its own")
        }
        guard adminToken == nil, adminListener == nil else { return false }
        adminToken = BearerSecret.random().text
        return true
    }

    /// Reads a secret from a file with one line, for example a systemd credential.
    private static func secret(in path: String, of option: String) throws -> BearerSecret {
        var contents = try WholeFile.read(path, limit: 4_096)[...]
        if contents.last == UInt8(ascii: "\n") { contents.removeLast() }
        if contents.last == UInt8(ascii: "\r") { contents.removeLast() }
        guard let text = String(validating: contents, as: UTF8.self), let secret = BearerSecret(text) else {
            throw UsageError("--\(option): \(path) must have one line with \(BearerSecret.demand)")
        }
        return secret
    }

    /// Returns the link with which a browser logs in, at the public URL or else at the server's own address.
    func loginLink(at address: String) -> String? {
        adminToken.map { "\(publicURL?.origin ?? reachable(address))/login?token=\($0)" }
    }

    /// Returns the address; if the server listens on all addresses, with an allowed host name instead of the wildcard.
    private func reachable(_ address: String) -> String {
        guard ["0.0.0.0", "::"].contains(host), let name = allowedHosts.first, let port = address.lastIndex(of: ":")
        else { return address }
        return "http://\(name.contains(":") ? "[\(name)]" : name)\(address[port...])"
    }

    /// The endpoints of the public port that need no credentials.
    var openings: ContractOpenings { ContractOpenings(apps: appsArePublic, sessions: sessionAccess == .id) }

    var hosts: HostPolicy {
        HostPolicy(boundTo: host, allowing: allowedHosts + (publicURL.map { [$0.host] } ?? []))
    }

    var origins: OriginPolicy {
        OriginPolicy(allowing: allowedOrigins, publicURL: publicURL)
    }

    func access(_ limiter: AddressLimiter, _ log: Log) -> Access {
        guard adminListener == nil else { return Access(listenerOf: OriginPolicy(), limiter) }
        return Access(
            token: adminToken.flatMap { BearerSecret($0) }, loginFile: loginFile,
            isSecure: publicURL?.isSecure ?? false, origins: origins, limiter
        ) { log.write(.warning, "logins end when this process ends", ["cause": "\($0)"]) }
    }

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
                --trusted-proxy takes an address such as 10.0.0.5, or a network such as 10.0.0.0/8 or fd00::/8 without bits \
                after its prefix, not "\(text)"; a network may not have all addresses, because any client could then claim any \
                address
                """)
        }
        return block
    }
}

/// The options for access to sessions.
extension ServeOptions {
    static let sessionAccessOptions = [
        Option(
            "session-access", "token|id",
            "what gives access to a session: its token, or, for development, only its id (default: token)",
            sets: \.sessionAccess, Option.word(.token, .id)),
        Option(
            "session-key", "PATH",
            "a file with a secret; if a client repeats an opening, the token is derived from the secret (default: the "
                + "server makes a secret)",
            sets: \.sessionKeyFile, Option.path()),
        Option(
            "backend-key", "K",
            "the secret with which the apps' backend opens sessions for users; set it in USHER_BACKEND_KEY to hide it "
                + "from process lists",
            sets: \.backendKey, readsEmptyVariable: true, Option.secret),
        Option(
            "backend-key-file", "PATH", "a file with the backend key in one line (default: there is no backend)",
            sets: \.backendKeyFile, readsEmptyVariable: true, Option.path()),
    ]

    /// Returns the backend's authentication; `access` is nil if the operator does not have the backend's rights.
    func backend(or access: Access?, _ limiter: AddressLimiter) -> BackendDoor {
        BackendDoor(backendKey.flatMap { BearerSecret($0) }, or: access, limiter)
    }

    /// Refuses a public server whose sessions need only their ids, and two options that both give the backend's key.
    func checkSessionAccess() throws(UsageError) {
        guard backendKey == nil || backendKeyFile == nil else {
            throw UsageError("--backend-key and --backend-key-file exclude each other; give one of them")
        }
        guard sessionAccess == .id else { return }
        for (name, isGiven) in [("public-url", publicURL != nil), ("trusted-proxy", !trustedProxies.isEmpty)]
        where isGiven {
            throw UsageError(
                "--session-access id, for development, gives access to anyone who knows an id; leave out either "
                    + "--session-access or --\(name)"
            )
        }
    }

    /// The issuer of sessions' tokens; nil if sessions need only their ids.
    var tokens: TokenIssuer? {
        sessionAccess == .token ? TokenIssuer(key: sessionKey, others: otherSessionKeys) : nil
    }

    /// Returns the clients' session endpoints, which the backend uses, too.
    func door(_ backend: BackendDoor) -> SessionDoor {
        let isLocal = publicURL.map { !$0.isSecure && HostPolicy.isLoopback($0.host) } ?? HostPolicy.isLoopback(host)
        return .clients(by: sessionAccess, SessionCookie(isSecure: !isLocal), backend)
    }

    /// Sets the secret from which tokens are derived.
    ///
    /// The secret comes from the file that the option names. Without the option, the secret is the first key of the
    /// journal, or else the content of a file in the server's state folder; the server creates this file if it is
    /// missing. If the server stores no state on disk, the secret is random.
    ///
    /// - Throws: `SystemError`, `PrivateFile.ExposureError`, or `UsageError` for a file whose secret is too short.
    mutating func findSessionKey(in state: StateFolder?) throws {
        guard sessionAccess == .token else { return }
        if let path = sessionKeyFile {
            sessionKey = try Self.sessionKey(in: path)
        } else if let path = shared.sealing?.keyFile {
            let file = try Self.sessionKey(in: path)
            // Each key of the file is a separate secret, so that tokens can still be derived while keys are rotated.
            let keys = KeyFile.lines(of: file).map { Array($0.key) }.filter { $0.count >= Self.shortestKey }
            guard let first = keys.first else { throw Self.tooShort(path) }
            sessionKey = first
            // The whole file is a secret, too, because earlier builds used the whole file as one secret.
            otherSessionKeys = keys.dropFirst() + [file]
        } else if let path = state?.sessionKey {
            if !PrivateFile.isThere(path) { try PrivateFile.write(sessionKey, to: path) }
            sessionKey = try Self.sessionKey(in: path, isForGroup: true)
        }
    }

    /// The minimum length of a secret in bytes.
    private static let shortestKey = 32

    private static func sessionKey(in path: String, isForGroup: Bool = false) throws -> [UInt8] {
        let file = try PrivateFile(path, limit: 65_536, isForGroup: isForGroup)
        if let exposure = file.exposure { throw exposure }
        guard file.contents.count >= shortestKey else { throw tooShort(path) }
        return file.contents
    }

    private static func tooShort(_ path: String) -> UsageError {
        UsageError("--session-key: \(path) must have a secret of at least \(shortestKey) bytes")
    }
}
