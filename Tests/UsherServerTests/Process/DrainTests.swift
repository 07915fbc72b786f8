import HelloBye
import LocalhostClient
import Testing
import UsherServer

/// Tests of the time between a stop signal and the end, in which a load balancer notices the stop.
@Suite("Draining a server", .timeLimit(.minutes(5)))
struct DrainTests {
    @Test func `a draining server is not ready, answers all clients, and then closes their connections`()
        async throws
    {
        try await withServer([HelloByeApp.self]) { server in
            let old = try RawConnection(port: server.port)
            #expect(try get("/readyz", by: old)["Connection"] == nil)
            let drain = Task { await server.drain(for: .seconds(3_600)) }
            let client = LocalhostClient(port: server.port)
            while try client.request("GET", "/readyz").status == 200 {}
            let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
            #expect(opened.status == 201)
            let answer = try get(#require(opened["Location"]), by: old)
            #expect(answer.status == 200)
            #expect(answer["Connection"] == "close")
            #expect(old.closedByPeer)
            drain.cancel()
            await drain.value
        }
    }

    @Test func `a server whose drain time is 0 stops without waiting`() async throws {
        try await withServer([HelloByeApp.self]) { server in await server.drain(for: .zero) }
    }

    private func get(_ path: String, by connection: RawConnection) throws -> RawResponse {
        try connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return try connection.readResponse()
    }
}
