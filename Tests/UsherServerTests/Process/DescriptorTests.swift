import Glibc
import LocalhostClient
import Programs
import Testing

/// Tests of a server with more clients than files that its process may open.
@Suite("Limits of file descriptors", .blocking, .timeLimit(.minutes(5)))
struct DescriptorTests {
    @Test(arguments: [256, 1024])
    func `a server with more idle clients than file descriptors survives, answers and drains`(limit: Int) throws {
        let program = try Self.server(after: "ulimit -n \(limit)")
        let port = try #require(program.readPort())
        let client = LocalhostClient(port: port)
        var idle: [RawConnection] = []
        for _ in 0..<(limit + 50) {
            let connection = try RawConnection(port: port)
            try connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            idle.append(connection)
        }
        #expect(try LocalhostClient(port: port).request("GET", "/healthz").status == 200)
        // This succeeds only when the longest idle connections have been closed.
        var opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        while opened.status == 503 {
            opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        }
        #expect(opened.status == 201, "\(opened.text)")
        let metrics = try LocalhostClient(port: port).request("GET", "/metrics").text
        let shortages = metrics.split(separator: "\n").first { $0.hasPrefix("usher_descriptor_shortages_total") }
        #expect(shortages == "usher_descriptor_shortages_total 0")
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.status == 0, "\(end.error)")
        #expect(idle.count == limit + 50)
    }

    @Test func `the server raises its soft limit of descriptors to the hard limit`() throws {
        let program = try Self.server(after: "ulimit -Sn 256 && ulimit -Hn 2000")
        let port = try #require(program.readPort())
        let metrics = try LocalhostClient(port: port).request("GET", "/metrics").text
        #expect(metrics.contains("process_max_fds 2000\n"))
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }

    /// Starts a server from a shell that sets limits first.
    private static func server(after limits: String) throws -> Program {
        let serve = ["\(Program.products)/usher", "serve", "--port", "0", "--journal", "memory"]
        return try Program(
            ["bash", "-c", "\(limits) && exec \"$0\" \"$@\""] + serve,
            environment: Program.environment.merging(["USHER_ADMIN_TOKEN": LocalhostClient.operatorToken]) { $1 })
    }
}
