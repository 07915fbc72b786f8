import UsherHTTP
import UsherSessions

/// The cookie that has a session's token (RFC 6265), for browsers, whose scripts cannot read it.
///
/// Its path is the session's: a browser sends each session its own.
struct SessionCookie: Sendable {
    /// Set unless browsers come over loopback.
    let isSecure: Bool

    /// The token that a request brings; of several that of the longest path, which a browser sends first.
    func token(of request: Request) -> ArraySlice<UInt8>? {
        request.cookies(named: Self.name).first
    }

    /// The field that sets the cookie for as long as the browser runs.
    func setting(_ token: SessionToken, of id: SessionID) -> String {
        field(token.text, id)
    }

    /// The field that removes the cookie.
    func removing(of id: SessionID) -> String {
        field("", id) + "; Max-Age=0"
    }

    private func field(_ value: String, _ id: SessionID) -> String {
        let name = String(decoding: Self.name, as: UTF8.self)
        return "\(name)\(value); Path=/sessions/\(id.text); HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    /// With its `=`.
    private static let name = Array("usher-session=".utf8)
}
