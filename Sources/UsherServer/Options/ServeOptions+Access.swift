import UsherContract
import UsherHTTP
import UsherProcess
import UsherSessions

/// The options that say who may do what, and under which name.
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
            // Browsers leave out a port that the scheme has anyway, and send nothing that stands for several origins.
            options.allowedOrigins.append(try PublicURL(value, for: "allow-origin").origin)
        },
        Option(
            "allow-host", "NAME", "another name or address for Host in requests, without a port; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in options.allowedHosts.append(try host(value)) },
        Option(
            "trusted-proxy", "CIDR",
            "a proxy, or its network, that may name a request's client in X-Forwarded-For or Forwarded; repeatable",
            isRepeatable: true
        ) { value, options throws(UsageError) in options.trustedProxies.append(try block(value)) },
        Option(
            "public-apps", "yes|no", "let anybody list the apps with GET /apps (default: no)", sets: \.appsArePublic
        ) { value, name throws(UsageError) in try Option.word(Choice.yes, .no)(value, name) == .yes },
    ]

    static let operatorOptions = [
        Option(
            "admin-token", "T",
            "the secret that opens /admin and /metrics; use USHER_ADMIN_TOKEN to keep it out of process listings",
            sets: \.adminToken, readsEmptyVariable: true, Option.secret),
        Option(
            "admin-token-file", "PATH",
            "a file with that secret in one line (default: a random secret, in the link that the start prints)",
            sets: \.adminTokenFile, readsEmptyVariable: true, Option.path()),
        Option(
            "admin-listen", "ADDRESS:PORT|unix:PATH",
            "a separate listener for /admin and /metrics, which asks for no secret", sets: \.adminListener
        ) { value, _ throws(UsageError) in try AdminListener(value) },
    ]

    /// Refuses what would open in two ways.
    func checkAccess() throws(UsageError) {
        guard adminToken == nil || adminTokenFile == nil else {
            throw UsageError("--admin-token and --admin-token-file exclude each other; give one of them")
        }
        guard adminListener == nil || adminToken == nil && adminTokenFile == nil else {
            throw UsageError("--admin-listen asks for no token; leave out --admin-token and --admin-token-file, or it")
        }
        try checkSessionAccess()
    }

    /// What everybody who comes to know a name or an address may do with these options.
    var warnings: [(message: String, cause: String)] {
        var warnings: [(message: String, cause: String)] = []
        if sessionAccess == .id {
            warnings.append(("whoever knows a session's id may use it", "--session-access id"))
        }
        if let address = adminListener?.openAddress {
            warnings.append(("whoever reaches the operator's listener is the operator", "--admin-listen \(address)"))
        }
        return warnings
    }

    /// Finds the operator's token: the one that was given, or that of a file; else a random one is made.
    ///
    /// A backend's key is found as well, where there is one.
    ///
    /// - Returns: True where the token was made, so that nobody has it yet.
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

    /// Reads the first and only line of a file, such as one of systemd's credentials.
    private static func secret(in path: String, of option: String) throws -> BearerSecret {
        var contents = try WholeFile.read(path, limit: 4_096)[...]
        if contents.last == UInt8(ascii: "\n") { contents.removeLast() }
        if contents.last == UInt8(ascii: "\r") { contents.removeLast() }
        guard let text = String(validating: contents, as: UTF8.self), let secret = BearerSecret(text) else {
            throw UsageError("--\(option) takes a file with one line, \(BearerSecret.demand): \(path)")
        }
        return secret
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

    /// The keys that are not asked for on the public port.
    var openings: ContractOpenings { ContractOpenings(apps: appsArePublic, sessions: sessionAccess == .id) }

    /// The check of `Host` on the public port.
    var hosts: HostPolicy {
        HostPolicy(boundTo: host, allowing: allowedHosts + (publicURL.map { [$0.host] } ?? []))
    }

    /// The check of `Origin` on the public port.
    var origins: OriginPolicy {
        OriginPolicy(allowing: allowedOrigins, publicURL: publicURL)
    }

    /// The decision who asks.
    ///
    /// - Parameters:
    ///   - limiter: Slows down those who guess.
    ///   - log: Takes failures of the file of logins.
    func access(_ limiter: AddressLimiter, _ log: Log) -> Access {
        guard adminListener == nil else { return Access(listenerOf: OriginPolicy(), limiter) }
        return Access(
            token: adminToken.flatMap { BearerSecret($0) }, loginFile: loginFile,
            isSecure: publicURL?.isSecure ?? false, origins: origins, limiter
        ) { log.write(.warning, "logins end with this process", ["cause": "\($0)"]) }
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
                10.0.0.0/8 or fd00::/8, but not all addresses, for then each client could name another; not "\(text)"
                """)
        }
        return block
    }
}

/// The options that say who may use a session.
extension ServeOptions {
    static let sessionAccessOptions = [
        Option(
            "session-access", "token|id",
            "the key to a session: its token, or only its id, for development (default: token)",
            sets: \.sessionAccess, Option.word(.token, .id)),
        Option(
            "session-key", "PATH",
            "a file with the secret that tokens are derived from if an opening is repeated (default: made by the "
                + "server)",
            sets: \.sessionKeyFile, Option.path()),
        Option(
            "backend-key", "K",
            "the secret with which the apps' backend opens sessions for users; use USHER_BACKEND_KEY to keep it out "
                + "of process listings",
            sets: \.backendKey, readsEmptyVariable: true, Option.secret),
        Option(
            "backend-key-file", "PATH", "a file with that secret in one line (default: there is no backend)",
            sets: \.backendKeyFile, readsEmptyVariable: true, Option.path()),
    ]

    /// The decision whether a backend asks.
    ///
    /// - Parameters:
    ///   - access: Knows the operator, who may do as much; nil where he does not come.
    ///   - limiter: Slows down those who guess.
    func backend(or access: Access?, _ limiter: AddressLimiter) -> BackendDoor {
        BackendDoor(backendKey.flatMap { BearerSecret($0) }, or: access, limiter)
    }

    /// Refuses to serve the public by ids alone, and a backend's key that is there twice.
    ///
    /// - Throws: `UsageError`.
    func checkSessionAccess() throws(UsageError) {
        guard backendKey == nil || backendKeyFile == nil else {
            throw UsageError("--backend-key and --backend-key-file exclude each other; give one of them")
        }
        guard sessionAccess == .id else { return }
        for (name, isGiven) in [("public-url", publicURL != nil), ("trusted-proxy", !trustedProxies.isEmpty)]
        where isGiven {
            throw UsageError(
                "--session-access id lets in whoever knows a session's id, and is for development; leave it out, or --\(name)"
            )
        }
    }

    /// The giver of sessions' tokens; nil where their ids alone open them.
    var tokens: TokenIssuer? {
        sessionAccess == .token ? TokenIssuer(key: sessionKey, others: otherSessionKeys) : nil
    }

    /// The clients' way to sessions.
    ///
    /// - Parameter backend: Knows the backend, which goes it, too.
    func door(_ backend: BackendDoor) -> SessionDoor {
        let isLocal = publicURL.map { !$0.isSecure && HostPolicy.isLoopback($0.host) } ?? HostPolicy.isLoopback(host)
        return .clients(by: sessionAccess, SessionCookie(isSecure: !isLocal), backend)
    }

    /// Finds the secret from which tokens are derived.
    ///
    /// It is that of a file that was named, the first of the journal's keys, or of a file that is made beside the server's
    /// state; where nothing outlives the process, a random one.
    ///
    /// - Parameter state: The server's state.
    /// - Throws: `SystemError`, `PrivateFile.ExposureError`, or `UsageError` for a file
    ///   with too short a secret.
    mutating func findSessionKey(in state: StateFolder?) throws {
        guard sessionAccess == .token else { return }
        if let path = sessionKeyFile {
            sessionKey = try Self.sessionKey(in: path)
        } else if let path = shared.sealing?.keyFile {
            let file = try Self.sessionKey(in: path)
            // Each by itself, so that a token is found again while keys are rotated.
            let keys = KeyFile.lines(of: file).map { Array($0.key) }.filter { $0.count >= Self.shortestKey }
            guard let first = keys.first else { throw Self.tooShort(path) }
            sessionKey = first
            // A build before took all of the file for one.
            otherSessionKeys = keys.dropFirst() + [file]
        } else if let path = state?.sessionKey {
            if !PrivateFile.isThere(path) { try PrivateFile.write(sessionKey, to: path) }
            sessionKey = try Self.sessionKey(in: path, isForGroup: true)
        }
    }

    /// Nobody guesses a secret of so many bytes.
    private static let shortestKey = 32

    private static func sessionKey(in path: String, isForGroup: Bool = false) throws -> [UInt8] {
        let file = try PrivateFile(path, limit: 65_536, isForGroup: isForGroup)
        if let exposure = file.exposure { throw exposure }
        guard file.contents.count >= shortestKey else { throw tooShort(path) }
        return file.contents
    }

    private static func tooShort(_ path: String) -> UsageError {
        UsageError("--session-key takes a file with a secret of at least \(shortestKey) bytes: \(path)")
    }
}
