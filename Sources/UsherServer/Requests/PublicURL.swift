import UsherHTTP

/// The server's URL for clients: a scheme and a host, optionally with a port (RFC 3986).
package struct PublicURL: Equatable, Sendable {
    /// The origin as browsers send it, for example `https://usher.example` (RFC 6454 §6.2).
    package let origin: String
    /// The host without its port, as `HostPolicy` compares it.
    let host: String
    /// A Boolean value that indicates whether clients use TLS, which a proxy terminates.
    let isSecure: Bool

    /// Parses `SCHEME://HOST[:PORT]`, optionally followed by a slash; throws `UsageError`, which names the option.
    init(_ text: String, for option: String = "public-url") throws(UsageError) {
        let address = (text.hasSuffix("/") ? text.dropLast() : text[...]).lowercased()
        guard let scheme = ["http", "https"].first(where: { address.hasPrefix("\($0)://") }),
            case let authority = address.dropFirst(scheme.count + 3), Self.isAuthority(authority)
        else {
            throw UsageError(
                "--\(option) takes a scheme and a host without a path, such as https://usher.example, not \"\(text)\"")
        }
        isSecure = scheme == "https"
        // Browsers omit the scheme's default port.
        let usual = isSecure ? ":443" : ":80"
        origin = "\(scheme)://\(authority.hasSuffix(usual) ? authority.dropLast(usual.count) : authority)"
        host = String(HostPolicy.hostWithoutPort(String(authority)))
    }

    /// Returns `true` if a lowercase `Host` field names this URL, possibly without its port, because a proxy may remove
    /// it.
    func isNamed(by field: String) -> Bool {
        let name = HostPolicy.hostWithoutPort(field)
        let port = field.dropFirst(field.hasPrefix("[") ? name.count + 2 : name.count)
        return name == host && (["", ":80", ":443"].contains(port) || origin.hasSuffix(port))
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        let host = HostPolicy.hostWithoutPort(String(text))
        let isAddress = text.hasPrefix("[")
        let rest = text.dropFirst(host.count + (isAddress ? 2 : 0))
        guard isAddress ? NetworkAddress(host) != nil : HostPolicy.isName(host) else {
            return false
        }
        let port = rest.dropFirst()
        // The port must be written as browsers write it, without leading zeros or a sign.
        return rest.isEmpty || rest.first == ":" && UInt16(port).map { $0 > 0 && "\($0)" == port } == true
    }
}
