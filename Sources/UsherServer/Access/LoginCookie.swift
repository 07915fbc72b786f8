import UsherHTTP

/// The cookie of a login (RFC 6265).
///
/// Browsers send a cookie to all ports of its host. The cookie's name therefore includes the port, which separates
/// several servers on one host. With TLS the name has the prefix `__Host-`, so that only the host itself can set the
/// cookie (draft-ietf-httpbis-rfc6265bis §4.1.3).
struct LoginCookie: Sendable {
    let isSecure: Bool

    /// Returns all keys in a request's cookies, because a page on another port can set a cookie with the same name.
    func keys(of request: Request) -> [ArraySlice<UInt8>] {
        request.cookies(named: name(for: request))
    }

    /// Returns the header field that sets the cookie until the browser exits.
    func setting(_ key: String, for request: Request) -> String {
        field(key, request)
    }

    func removing(for request: Request) -> String {
        field("", request) + "; Max-Age=0"
    }

    private func field(_ value: String, _ request: Request) -> String {
        let name = String(decoding: name(for: request), as: UTF8.self)
        return "\(name)\(value); Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }

    /// Returns the cookie's name, including the `=`.
    private func name(for request: Request) -> [UInt8] {
        let host = request.headers[.host] ?? ""
        let port = host.last == "]" ? nil : host.split(separator: ":").last.flatMap { UInt16($0) }
        return Array("\(isSecure ? "__Host-" : "")usher-\(port ?? 0)=".utf8)
    }
}

extension Request {
    /// Returns the values of all cookies with a name, in the request's order; the name includes the `=`.
    func cookies(named name: [UInt8]) -> [ArraySlice<UInt8>] {
        headers.values(of: .cookie).flatMap { line in
            line.split(separator: UInt8(ascii: ";")).compactMap { pair in
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                return pair.starts(with: name) ? pair.dropFirst(name.count) : nil
            }
        }
    }
}
