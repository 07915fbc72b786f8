import UsherHTTP
import UsherJSON
import UsherSessions

@testable import UsherServer

/// The readers of names and secrets.
enum TokenReading {
    private static let secret = "the-operator-of-fuzzing"
    private static let access = Access(
        token: BearerSecret(secret), isSecure: false, origins: OriginPolicy(),
        AddressLimiter(AddressLimits(), behind: TrustedProxies(), log: Log(.text, sink: { _ in })))

    static func read(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let id = SessionID(text) { precondition(id.text == text) }
        if let token = BearerSecret(text) { precondition(token.text == text) }
        for name in ["Authorization", "Cookie"] {
            guard (try? access.requireOperator(request(name, text))) != nil else { continue }
            precondition(name == "Authorization" && text.utf8.count > secret.utf8.count)
            precondition(text.hasSuffix(secret))
        }
        let keyed = request("Idempotency-Key", text, body: Array("{}".utf8))
        if let body = try? JSONDocument(parsing: keyed.body).root { _ = try? keyed.idempotencyKey(body) }
        _ = try? EntityTag.precondition(request("If-Match", text), epoch: "e1")
        _ = try? EntityTag.isKnown("\"7\"", to: request("If-None-Match", text))
        _ = try? request("Content-Type", text, body: Array("{}".utf8)).json()
        _ = Preference(request("Prefer", text))
        _ = try? OriginPolicy().check(request("Origin", text))
        _ = try? HostPolicy(boundTo: "127.0.0.1", allowing: []).check(request("Host", text))
    }

    private static func request(_ name: String, _ value: String, body: [UInt8] = []) -> Request {
        var request = Request(.get, path: "/", headers: [:], body: body)
        request.headers.append(name: name, value: value)
        return request
    }
}
