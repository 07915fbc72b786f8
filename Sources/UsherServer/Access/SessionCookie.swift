import UsherHTTP
import UsherSessions

/// The cookie that holds a session's token (RFC 6265), which scripts in browsers cannot read.
///
/// Its path is the session's, so a browser sends each session its own cookie.
struct SessionCookie: Sendable {
    /// A Boolean value that is `false` only if browsers use loopback.
    let isSecure: Bool

    /// Returns the token of a request; if there are several, that of the longest path, which browsers send first.
    func token(of request: Request) -> ArraySlice<UInt8>? {
        request.cookies(named: Self.name).first
    }

    /// Returns the header field that sets the cookie until the browser exits.
    func setting(_ token: SessionToken, of id: SessionID) -> String {
        field(token.text, id)
    }

    /// Returns the header field that removes the cookie.
    func removing(of id: SessionID) -> String {
        field("", id) + "; Max-Age=0"
    }

    private func field(_ value: String, _ id: SessionID) -> String {
        let name = String(decoding: Self.name, as: UTF8.self)
        return "\(name)\(value); Path=/sessions/\(id.text); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    /// The cookie's name and `=`.
    private static let name = Array("usher-session=".utf8)
}
