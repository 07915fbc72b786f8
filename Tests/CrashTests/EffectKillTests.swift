import LocalhostClient
import SampleBackend
import Testing
import UsherJSON

/// Tests that work that was in progress when the process died is done after the next start, without a request.
@Suite("A server that is killed during an effect", .serialized, .timeLimit(.minutes(5)))
struct EffectKillTests {
    @Test func `after a restart, a sign-in continues with the same idempotency key, and its result is delivered once`()
        async throws
    {
        try await Backend.run { backend in
            try await BlockingThreads.run { try await signIn(backend) }
        }
    }

    private func signIn(_ backend: Backend) async throws {
        backend.behave(.slow)
        let server = try Crashing("SignInProgram", environment: ["USHER_TEST_BACKEND": "\(backend.port)"])
        try #require(try server.start())
        let client = LocalhostClient(port: server.port)
        let opened = try client.request("POST", "/sessions", body: #"{"app":"tudy"}"#)
        let path = try #require(opened["Location"])
        try send(#""done""#, client, path)
        try send(#""showLogin""#, client, path)
        let login = try send(#"{"login":{"name":"kim","password":"usher"}}"#, client, path)
        #expect(text(login, "pending") == #"["signIn"]"#)
        await backend.holds(1)
        server.kill()

        try #require(try server.start())
        await backend.holds(2)
        #expect(Set(backend.keys).count == 1)
        backend.behave(.fast)
        backend.release()
        let next = LocalhostClient(port: server.port)
        while text(try next.request("GET", path), "pending") != "[]" { await Task.yield() }
        let state = try next.request("GET", path)
        #expect(text(state, "stack").contains(#""name":"Kim""#) || text(state, "stack").contains("kim"))
        #expect(!text(state, "stack").contains(#""screen":"login""#))
        #expect(backend.keys.count == 2)
    }

    @discardableResult
    private func send(_ event: String, _ client: LocalhostClient, _ path: String) throws -> RawResponse {
        let answer = try client.request(
            "POST", "\(path)/events", headers: [("Prefer", "respond-async")], body: #"{"event":\#(event)}"#)
        #expect([200, 422].contains(answer.status), "\(String(decoding: answer.body, as: UTF8.self))")
        return answer
    }

    private func text(_ answer: RawResponse, _ member: String) -> String {
        let value = try? JSONDocument(parsing: answer.body).root[member: member]
        return value.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }
}
