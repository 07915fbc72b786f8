import Glibc
import LocalhostClient
import Programs
import SampleBackend
import Testing
import UsherJSON

/// Tests a server whose process may open only few files, with more idle clients, streams and effects than files.
@Suite("File descriptors under load", .serialized, .blocking, .timeLimit(.minutes(5)))
struct DescriptorLoadTests {
    @Test(arguments: LongRun.choose([256], long: [256, 1_024]), [true, false])
    func `a server without enough descriptors for its clients, streams and effects stays healthy and can drain`(
        limit: Int, isSupervised: Bool
    ) async throws {
        try await Backend.run { backend in
            backend.behave(.slow)
            let program = try Self.server(limit, isSupervised, backend)
            let port = try #require(program.readPort())
            var sessions: [String] = []
            // Each session has a running effect, with its own thread and socket.
            while sessions.count < limit / 2 {
                guard let path = try Self.signIn(port) else { break }
                sessions.append(path)
            }
            #expect(sessions.count > 16)
            let streams = try sessions.map { path in
                let stream = try RawConnection(port: port)
                try stream.send("GET \(path)/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return stream
            }
            var idle: [RawConnection] = []
            for _ in 0..<(limit + 50) {
                let connection = try RawConnection(port: port)
                try connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                idle.append(connection)
            }
            for path in ["/healthz", "/readyz"] {
                #expect(try LocalhostClient(port: port).request("GET", path).status == 200)
            }
            program.send(SIGTERM)
            backend.release()
            backend.behave(.fast)
            let end = program.finish()
            #expect(end.status == 0)
            #expect(idle.count == limit + 50 && streams.count == sessions.count)
        }
    }

    /// Opens a session with an effect that calls the backend.
    ///
    /// - Returns: The session's path; nil if the server has no room for another session.
    private static func signIn(_ port: Int) throws -> String? {
        let client = LocalhostClient(port: port)
        let opened = try client.request("POST", "/sessions", body: #"{"app":"tudy"}"#)
        guard let path = opened["Location"] else { return nil }
        for event in [#""showLogin""#, #"{"login":{"name":"kim","password":"usher"}}"#] {
            let answer = try client.request(
                "POST", "\(path)/events", headers: [("Prefer", "respond-async")], body: #"{"event":\#(event)}"#)
            try #require([200, 503].contains(answer.status), "\(answer.status) \(answer.text)")
        }
        return path
    }

    private static func server(_ limit: Int, _ isSupervised: Bool, _ backend: Backend) throws -> Program {
        let serve =
            ["\(Program.products)/SignInProgram", "serve", "--port", "0", "--journal", "memory"]
            + (isSupervised ? [] : ["--no-supervisor"])
        return try Program(
            ["bash", "-c", "ulimit -n \(limit) && exec \"$0\" \"$@\""] + serve,
            environment: [
                "PATH": "/usr/bin:/bin", "USHER_ADMIN_TOKEN": LocalhostClient.operatorToken,
                "USHER_SESSION_ACCESS": "id", "USHER_TEST_BACKEND": "\(backend.port)",
            ], errors: .nowhere)
    }
}
