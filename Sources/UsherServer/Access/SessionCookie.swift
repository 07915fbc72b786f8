import UsherHTTP
import UsherSessions

/// The cookie that contains a session's token (RFC 6265), which scripts in browsers cannot read.
///
/// The cookie's path is the session's path, so a browser sends each session the right cookie.
struct SessionCookie: Sendable {
    /// A Boolean value that is `false` only if browsers use loopback without TLS.
    let isSecure: Bool

    /// Returns the token in the first such cookie, because browsers send the cookie with the longest path first.
    func token(of request: Request) -> ArraySlice<UInt8>? {
        request.cookies(named: Self.name).first
    }

    /// Returns the header field that sets the cookie until the browser exits.
    func setting(_ token: SessionToken, of id: SessionID) -> String {
        field(token.text, id)
    }

    func removing(of id: SessionID) -> String {
        field("", id) + "; Max-Age=0"
    }

    private func field(_ value: String, _ id: SessionID) -> String {
        let name = String(decoding: Self.name, as: UTF8.self)
        return "\(name)\(value); Path=/sessions/\(id.text); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    /// The cookie's name, including the `=`.
    private static let name = Array("usher-session=".utf8)
}
