import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

@Suite struct ListeningTests {
    @Test func `port 0 selects a free port, which the daemon reports`() async throws {
        let daemons = try (0..<3).map { _ in try Daemon(.test, handler: echo) }
        #expect(Set(daemons.map(\.port)).count == 3)
        #expect(daemons.allSatisfy { $0.port > 0 })
        for daemon in daemons { await daemon.stop() }
    }

    @Test func `a port in use is refused with a message`() async throws {
        let daemon = try Daemon(.test, handler: echo)
        let configuration = DaemonConfiguration(port: daemon.port)
        let error = #expect(throws: DaemonError.self) { try Daemon(configuration, handler: echo) }
        #expect(
            error?.description == "cannot listen on 127.0.0.1:\(daemon.port): the port is in use; "
                + "choose another with --port, or 0 for a free one")
        await daemon.stop()
    }

    @Test func `a port can be used again immediately after its daemon has stopped`() async throws {
        try await BlockingThreads.run {
            let first = try Daemon(.test, handler: echo)
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: first.port).status == 200)
            await first.stop()
            let second = try Daemon(DaemonConfiguration(port: first.port), handler: echo)
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: second.port).status == 200)
            await second.stop()
        }
    }

    @Test(arguments: ["", "nowhere.example", "256.0.0.1", "127.0.0.1:80", "::g"])
    func `a listening host that is not an address is refused with a message`(host: String) {
        let error = #expect(throws: DaemonError.self) { try Daemon(.init(host: host), handler: echo) }
        #expect(
            error?.description == "cannot listen on \(host): it is not an IPv4 or IPv6 address; "
                + "choose one with --host, such as localhost")
    }

    @Test func `a listening host that is an address of another machine is refused with a message`() {
        let error = #expect(throws: DaemonError.self) { try Daemon(.init(host: "192.0.2.1"), handler: echo) }
        #expect(
            error?.description == "cannot listen on 192.0.2.1: this machine does not have that address; "
                + "choose another with --host")
    }

    @Test(arguments: [-1, 65536])
    func `a port out of range is refused with a message`(port: Int) {
        let error = #expect(throws: DaemonError.self) { try Daemon(.init(port: port), handler: echo) }
        #expect(
            error?.description == "cannot listen on port \(port): a port is a number from 0 to 65535; "
                + "choose one with --port, or 0 for a free one")
    }

    @Test(arguments: ["localhost", "0.0.0.0", "127.0.0.1"])
    func `a daemon listens on the configured host`(host: String) async throws {
        var configuration = DaemonConfiguration.test
        configuration.host = host
        try await serving(configuration) { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: port).status == 200)
        }
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "::"])
    func `every request on a connection has the client's address`(host: String) async throws {
        var configuration = DaemonConfiguration.test
        configuration.host = host
        try await serving(configuration, { .text("\($0.peer == NetworkAddress("127.0.0.1"))") }) { port throws in
            let client = LocalhostClient(port: port)
            for _ in 0..<3 { #expect(try client.request("GET", "/").text == "true") }
        }
    }

    @Test func `a daemon with a single thread answers requests`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.threads = 1
        try await serving(configuration) { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: port).status == 200)
        }
    }

    @Test
    func `connections above an address's limit get a refusal, and connections far above the limit are closed at once`()
        async throws
    {
        var configuration = DaemonConfiguration.test
        configuration.connectionsPerAddress = 2
        // One thread accepts connections in their order. With two threads, the last connection may be accepted before
        // the previous one.
        configuration.threads = 1
        try await serving(configuration) { port throws in
            let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            let allowed = try (0..<2).map { _ in try RawConnection(port: port) }
            for connection in allowed {
                try connection.send(request)
                #expect(try connection.readResponse().status == 200)
            }
            let further = try (0..<16).map { _ in try RawConnection(port: port) }
            #expect(try RawConnection(port: port).closedByPeer)
            for connection in further {
                try connection.send(request)
                let response = try connection.readResponse()
                #expect(response.status == 429 && response["Retry-After"] != nil)
                #expect(connection.closedByPeer)
            }
            try allowed[0].send(request)
            #expect(try allowed[0].readResponse().status == 200)
        }
    }

    @Test func `an address that is exempt from the limit may open any number of connections`() async throws {
        var configuration = DaemonConfiguration.test
        configuration.connectionsPerAddress = 2
        configuration.isLimited = { _ in false }
        try await serving(configuration) { port throws in
            let connections = try (0..<30).map { _ in try RawConnection(port: port) }
            for connection in connections {
                try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try connection.readResponse().status == 200)
            }
        }
    }
}
