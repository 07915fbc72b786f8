import UsherHTTP

/// Which `Host` a request may name (RFC 9110, section 7.2): keeps a foreign name that was made to point at a local
/// server (DNS rebinding) from driving it.
struct HostPolicy: Sendable {
    /// Whether the server is bound to loopback.
    let isLoopback: Bool
    private let boundHost: String
    private let allowed: Set<String>

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - host: The address that the server is bound to.
    ///   - allowed: Further names, in lower case.
    init(boundTo host: String, allowing allowed: [String] = []) {
        boundHost = host.lowercased()
        isLoopback = Self.isLoopback(boundHost)
        self.allowed = Set(allowed.map { $0.lowercased() })
    }

    /// Checks a request.
    ///
    /// - Throws: `Problem` 403 for a foreign host. A request without one is HTTP/1.0's, and no browser's.
    func check(_ request: Request) throws(Problem) {
        guard let bytes = request.headers.onlyValue(of: .host) else { return }
        // What nearly every client of a local server says needs no taking apart.
        if isLoopback, Self.isUsual(bytes.span) { return }
        let field = String(decoding: bytes, as: UTF8.self)
        let host = Self.hostWithoutPort(field).lowercased()
        if allowed.contains(host) || (isLoopback ? Self.isLoopback(host) : host == boundHost) { return }
        throw Problem(
            .forbidden, "this server does not answer for the host \"\(host)\"; start it with --allow-host to allow it",
            type: ProblemType.foreignHost)
    }

    /// Whether it is `127.0.0.1` or `localhost`, with any port.
    private static func isUsual(_ host: Span<UInt8>) -> Bool {
        usualNames.contains { name in
            guard host.count >= name.count else { return false }
            for index in name.indices where host[index] != name[index] { return false }
            return host.count == name.count || host[name.count] == UInt8(ascii: ":")
        }
    }

    private static let usualNames = ["127.0.0.1", "localhost"].map { Array($0.utf8) }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        guard !host.utf8.contains(UInt8(ascii: ":")) else { return isLoopbackIPv6(host) }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil && $0.first != "+" }
    }

    /// `::1`, however many of its zeros are written out.
    private static func isLoopbackIPv6(_ host: String) -> Bool {
        let groups = host.split(separator: ":", omittingEmptySubsequences: false).map { $0.drop { $0 == "0" } }
        return groups.last == "1" && groups.count <= 8 && groups.dropLast().allSatisfy(\.isEmpty)
    }

    /// `[::1]:8080` is `::1`, `localhost:8080` is `localhost`.
    private static func hostWithoutPort(_ field: String) -> Substring {
        if field.first == "[", let end = field.firstIndex(of: "]") {
            return field[field.index(after: field.startIndex)..<end]
        }
        return field.prefix { $0 != ":" }
    }
}
