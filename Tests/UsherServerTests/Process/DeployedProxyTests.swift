import LocalhostClient
import Programs
import Testing

/// Tests of the proxies' files in `deploy`, with real proxies.
@Suite("A server behind a proxy with the configuration in deploy", .blocking, .timeLimit(.minutes(5)))
struct DeployedProxyTests {
    @Test(arguments: [DeployedProxy.nginx, .haproxy])
    func `behind nginx, events are answered, JSON is compressed, and the operator's endpoints are closed`(
        proxy: DeployedProxy
    ) throws {
        try DeployedProxyVisit(proxy: proxy).expectAnswers()
    }

    @Test(arguments: [DeployedProxy.nginx, .haproxy])
    func `behind nginx, a stream arrives event by event and uncompressed`(proxy: DeployedProxy) throws {
        try DeployedProxyVisit(proxy: proxy).expectStream()
    }

    @Test(arguments: [DeployedProxy.nginx, .haproxy])
    func `behind nginx, the limits apply to each client's own address, whatever header fields it sends`(
        proxy: DeployedProxy
    ) throws {
        try DeployedProxyVisit(proxy: proxy).expectAddresses()
    }
}

/// Tests with Caddy, if it is installed.
@Suite(
    "A server behind Caddy with the configuration in deploy",
    .enabled(if: DeployedProxy.caddy.isInstalled, "caddy is not installed"),
    .blocking, .timeLimit(.minutes(5)))
struct DeployedCaddyTests {
    @Test func `behind Caddy, events are answered, JSON is compressed, and the operator's endpoints are closed`() throws
    {
        try DeployedProxyVisit(proxy: .caddy).expectAnswers()
    }

    @Test func `behind Caddy, a stream arrives event by event and uncompressed`() throws {
        try DeployedProxyVisit(proxy: .caddy).expectStream()
    }

    @Test func `behind Caddy, the limits apply to each client's own address, whatever header fields it sends`() throws {
        try DeployedProxyVisit(proxy: .caddy).expectAddresses()
    }
}

/// Sends the requests through a proxy.
private struct DeployedProxyVisit {
    let proxy: DeployedProxy

    func expectAnswers() throws {
        try proxy.serve { client throws in
            let path = try client.open(#"{"app":"start-login-main"}"#)
            let event = try client.send("\(path)/events", ProxyClient.json, body: #"{"event":"startApp"}"#)
            #expect(event.status == 200)
            #expect(event.body.contains(#""revision":2"#), "\(event.text)")
            #expect(event["Content-Encoding"] == nil)
            for accept in ["application/json", "application/json; profile=changes"] {
                let compressed = ProxyClient.Answer(
                    text: try Program.run(client.command(path, ["Accept: \(accept)"], ["--compressed"])).output)
                #expect(compressed["Content-Encoding"] == "gzip", "\(accept)")
                #expect(compressed["Content-Type"] == accept)
                #expect(compressed.body.contains(#""revision":2"#), "\(compressed.text)")
            }
            for path in ["/admin/sessions", "/metrics", "/apps"] {
                let closed = try client.send(path, ["X-Forwarded-For: 127.0.0.1"])
                #expect(closed.status == 401, "\(path)")
                #expect(closed["Cache-Control"] == "no-store")
            }
            let token = "Authorization: Bearer \(LocalhostClient.operatorToken)"
            #expect(try client.send("/admin/sessions", [token]).status == 200)
            // The server itself rejects large bodies.
            let large = String(repeating: "x", count: 70_000)
            #expect(try client.send("/sessions", ProxyClient.json, body: large).body.contains("413"))
        }
    }

    func expectStream() throws {
        try proxy.serve { client throws in
            let path = try client.open()
            let stream = try Program(client.command("\(path)/stream", ["Accept-Encoding: gzip"], ["--no-buffer"]))
            let first = stream.readEvent()
            #expect(first.contains { $0.lowercased() == "content-type: text/event-stream" }, "\(first)")
            #expect(!first.contains { $0.lowercased().hasPrefix("content-encoding") })
            #expect(first.last?.contains(#""revision":1"#) == true)
            #expect(try client.send("\(path)/events", ProxyClient.json, body: #"{"event":"bye"}"#).status == 200)
            #expect(stream.readEvent().suffix(3).first == "id: 2")
            #expect(try client.send(path, method: "DELETE").status == 204)
            #expect(stream.finish().output.contains("event: end"))
        }
    }

    func expectAddresses() throws {
        try proxy.serve("--address-streams", "1") { client throws in
            let path = try client.open()
            func watch(from address: String, _ fields: [String] = []) throws -> Program {
                try Program(
                    client.command("\(path)/stream", fields, ["--no-buffer", "--interface", address, "--retry", "0"]))
            }
            let first = try watch(from: "127.0.0.2")
            #expect(first.readEvent().last?.contains(#""revision":1"#) == true)
            for fields in [
                [], ["X-Forwarded-For: 192.0.2.7"], ["Forwarded: for=192.0.2.7"],
                ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1"],
            ] {
                let second = ProxyClient.Answer(text: try watch(from: "127.0.0.2", fields).finish().output)
                #expect(second.status == 429, "\(fields): \(second.text)")
            }
            let other = try watch(from: "127.0.0.3")
            #expect(other.readEvent().last?.contains(#""revision":1"#) == true)
            for stream in [first, other] { stream.kill() }
        }
    }
}
