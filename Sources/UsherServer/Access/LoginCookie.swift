import UsherHTTP

/// The cookie of a login (RFC 6265).
///
/// A browser sends it to all ports of a host, so its name tells the port: servers beside each other keep apart. Behind TLS
/// it has the prefix that only such a host can set, for the whole of itself (draft-ietf-httpbis-rfc6265bis §4.1.3).
struct LoginCookie: Sendable {
    /// Set where browsers come over TLS.
    let isSecure: Bool

    /// The keys that a request brings: a page on another port may have set one of the same name, so there may be several.
    func keys(of request: Request) -> [ArraySlice<UInt8>] {
        request.cookies(named: name(for: request))
    }

    /// The field that sets the cookie for as long as the browser runs.
    func setting(_ key: String, for request: Request) -> String {
        field(key, request)
    }

    /// The field that removes the cookie.
    func removing(for request: Request) -> String {
        field("", request) + "; Max-Age=0"
    }

    private func field(_ value: String, _ request: Request) -> String {
        let name = String(decoding: name(for: request), as: UTF8.self)
        return "\(name)\(value); Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }

    /// With its `=`.
    private func name(for request: Request) -> [UInt8] {
        let host = request.headers[.host] ?? ""
        let port = host.last == "]" ? nil : host.split(separator: ":").last.flatMap { UInt16($0) }
        return Array("\(isSecure ? "__Host-" : "")usher-\(port ?? 0)=".utf8)
    }
}

extension Request {
    /// The values of the cookies of a name, which ends in `=`, in the order of the request.
    func cookies(named name: [UInt8]) -> [ArraySlice<UInt8>] {
        headers.values(of: .cookie).flatMap { line in
            line.split(separator: UInt8(ascii: ";")).compactMap { pair in
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                return pair.starts(with: name) ? pair.dropFirst(name.count) : nil
            }
        }
    }
}
