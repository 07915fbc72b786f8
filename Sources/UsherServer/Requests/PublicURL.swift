import UsherHTTP

/// The address by which clients know the server: a scheme and a host, maybe with a port (RFC 3986).
package struct PublicURL: Equatable, Sendable {
    /// Such as `https://usher.example`, as browsers name it in `Origin` (RFC 6454 §6.2).
    package let origin: String
    /// The host without its port, as `HostPolicy` compares it.
    let host: String
    /// True where clients come over TLS, which a proxy ends.
    let isSecure: Bool

    /// Reads `SCHEME://HOST[:PORT]`, with nothing behind but a slash.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - option: The option that it is the value of.
    /// - Throws: `UsageError`.
    init(_ text: String, for option: String = "public-url") throws(UsageError) {
        let address = (text.hasSuffix("/") ? text.dropLast() : text[...]).lowercased()
        guard let scheme = ["http", "https"].first(where: { address.hasPrefix("\($0)://") }),
            case let authority = address.dropFirst(scheme.count + 3), Self.isAuthority(authority)
        else {
            throw UsageError(
                "--\(option) takes a scheme and a host, such as https://usher.example, and no path, not \"\(text)\"")
        }
        isSecure = scheme == "https"
        // Browsers leave out the port that the scheme has anyway.
        let usual = isSecure ? ":443" : ":80"
        origin = "\(scheme)://\(authority.hasSuffix(usual) ? authority.dropLast(usual.count) : authority)"
        host = String(HostPolicy.hostWithoutPort(String(authority)))
    }

    /// True of a `Host` field, in lower case, with which clients ask for this address; a proxy may have left out the port.
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
        // As browsers write it: without a zero or a sign before it.
        return rest.isEmpty || rest.first == ":" && UInt16(port).map { $0 > 0 && "\($0)" == port } == true
    }
}
