import HelloBye
import LocalhostClient
import MicroHTTPD
import Testing

@testable import UsherServer

@Suite("The time that an idle connection stays open", .timeLimit(.minutes(5)))
struct KeepAliveTests {
    @Test func `by default, the server keeps idle connections open for longer than common proxies do`() throws {
        let standard = ServeOptions().daemon.deadlines
        // The limits of nginx and Amazon's load balancer are 60 s, and Traefik's is 90 s.
        #expect(standard.idle == .seconds(120))
        var options = ServeOptions()
        options.keepAlive = .seconds(620)
        #expect(options.daemon.deadlines.idle == .seconds(620))
        #expect(options.daemon.deadlines.head == standard.head)
    }

    @Test func `the server closes an idle connection after --keep-alive, also on the operator's port`() async throws {
        var options = ServeOptions.test
        options.keepAlive = .milliseconds(100)
        options.adminToken = nil
        options.adminListener = .port(host: "127.0.0.1", port: 0)
        let server = try Server(apps: [HelloByeApp.self], options: options, log: Log(.text, sink: { _ in }))
        let admin = try #require(server.adminAddress?.split(separator: ":").last.flatMap { Int($0) })
        try await BlockingThreads.run {
            for port in [server.port, admin] {
                let connection = try RawConnection(port: port)
                try connection.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                #expect(try connection.readResponse().status == 200)
                #expect(connection.closedByPeer)
            }
        }
        await server.stop()
    }
}
