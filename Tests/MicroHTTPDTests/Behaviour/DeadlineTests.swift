import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

@Suite(.timeLimit(.minutes(5))) struct DeadlineTests {
    /// Returns a configuration with one short deadline, which is the one that closes the connection.
    private func configuration(
        _ deadline: WritableKeyPath<DaemonConfiguration.Deadlines, Duration>, _ time: Duration = .milliseconds(200)
    ) -> DaemonConfiguration {
        var configuration = DaemonConfiguration.test
        configuration.deadlines[keyPath: deadline] = time
        configuration.deadlines.grace = .milliseconds(50)
        return configuration
    }

    @Test func `a connection that sends nothing is closed`() async throws {
        try await serving(configuration(\.head)) { port throws in
            #expect(try RawConnection(port: port).closedByPeer)
        }
    }

    @Test(arguments: ["GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX"])
    func `a connection with an incomplete head is closed`(part: String) async throws {
        try await serving(configuration(\.head)) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(part)
            #expect(connection.closedByPeer)
        }
    }

    @Test func `a client cannot extend the deadline of a head by sending it byte by byte`() async throws {
        try await serving(configuration(\.head)) { port throws in
            let connection = try RawConnection(port: port, timeout: 1)
            try connection.send("GET / HTTP/1.1\r\nX: ")
            #expect(throws: ClientError.self) { while true { try connection.trickle() } }
        }
    }

    @Test func `the second request head on a connection has a deadline too`() async throws {
        // The first deadline must be met.
        try await serving(configuration(\.head, .seconds(1))) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try connection.readResponse()
            try connection.send("GET / HTTP/1.1\r\nHost")
            #expect(connection.closedByPeer)
        }
    }

    @Test func `a client cannot extend the deadline of a body by sending it byte by byte`() async throws {
        try await serving(configuration(\.body)) { port throws in
            let connection = try RawConnection(port: port, timeout: 1)
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
            #expect(throws: ClientError.self) { while true { try connection.trickle() } }
        }
    }

    @Test func `an idle connection is closed`() async throws {
        try await serving(configuration(\.idle)) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try connection.readResponse()
            #expect(connection.closedByPeer)
        }
    }

    @Test func `a client that does not read its response is disconnected`() async throws {
        let body = [UInt8](repeating: 65, count: 16 << 20)
        var short = configuration(\.response)
        short.deadlines.head = .milliseconds(800)
        try await serving(short, { _ in Response(body: body) }) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            // When a connection that was silent for longer is closed, the other's deadline has passed.
            #expect(try RawConnection(port: port).closedByPeer)
            #expect(throws: ClientError.self) { try connection.readResponse() }
        }
    }

    @Test func `no deadline runs while a handler works on a request`() async throws {
        var short = configuration(\.head, .seconds(1))
        short.deadlines.idle = .milliseconds(50)
        short.deadlines.body = .milliseconds(50)
        let gate = HandlerGate()
        let handler: @Sendable (Request) async -> Response = { _ in
            await gate.pass()
            return .text("late")
        }
        try await serving(short, handler) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waiting(1)
            // Two later connections, which send nothing, are closed one after the other. By then, the first one's
            // deadline has passed.
            for _ in 0..<2 { #expect(try RawConnection(port: port).closedByPeer) }
            gate.open()
            #expect(try connection.readResponse().text == "late")
        }
    }
}

extension RawConnection {
    /// Sends one byte, and briefly waits whether the connection is closed.
    fileprivate func trickle() throws {
        try send("x")
        try ifClosed(within: 20)
    }
}
