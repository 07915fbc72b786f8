import Glibc
import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherHTTP

@Suite(.timeLimit(.minutes(5))) struct StopTests {
    @Test func `a stopped daemon accepts no connection`() async throws {
        let daemon = try Daemon(.test, handler: echo)
        await daemon.stop()
        #expect(throws: ClientError.self) { try RawConnection(port: daemon.port) }
    }

    @Test func `a daemon that is stopped under load answers every request that has begun`() async throws {
        try await BlockingThreads.run {
            // A connection may be opened some time before its request.
            var configuration = DaemonConfiguration.test
            configuration.deadlines.linger = .seconds(1)
            for _ in 0..<4 {
                let daemon = try Daemon(configuration, handler: echo)
                let failures = await ConnectingClients.failures(at: daemon.port, stoppingAfter: 200) {
                    await daemon.stop()
                }
                #expect(failures == [])
            }
        }
    }

    @Test func `a daemon that hands its socket to another process leaves waiting connections to that process`()
        async throws
    {
        try await BlockingThreads.run {
            let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
            // This imitates a supervisor and its workers.
            let others = try #require(ListeningSocket(inherited: dup(socket.descriptor)))
            let daemon = try Daemon(.test, socket: socket, reply: Waiting.task.reply(echo))
            await daemon.stop(leavingSocket: true)
            let waiting = try RawConnection(port: socket.port)
            try waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let next = try Daemon(.test, socket: others, reply: Waiting.task.reply(echo))
            #expect(try waiting.readResponse().status == 200)
            await next.stop()
        }
    }

    @Test func `a daemon may be stopped twice, also at the same time`() async throws {
        let daemon = try Daemon(.test, handler: echo)
        async let first: Void = daemon.stop()
        async let second: Void = daemon.stop()
        _ = await (first, second)
        await daemon.stop()
    }

    @Test func `stopping a daemon closes idle connections`() async throws {
        try await BlockingThreads.run {
            let daemon = try Daemon(.test, handler: echo)
            let fresh = try RawConnection(port: daemon.port)
            let used = try RawConnection(port: daemon.port)
            try used.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try used.readResponse()
            await daemon.stop()
            #expect(fresh.closedByPeer)
            #expect(used.closedByPeer)
        }
    }

    @Test(arguments: Waiting.allCases)
    func `a stopping daemon answers a request in progress, with Connection: close`(by waiting: Waiting)
        async throws
    {
        try await BlockingThreads.run {
            let gate = HandlerGate()
            let handler: @Sendable (Request) async -> Response = { _ in
                await gate.pass()
                return .text("done")
            }
            let daemon = try Daemon(.test, reply: waiting.reply(handler))
            let connection = try RawConnection(port: daemon.port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waiting(1)
            async let stopped: Void = daemon.stop()
            try await refused(port: daemon.port)
            gate.open()
            let response = try connection.readResponse()
            #expect(response.text == "done")
            #expect(response["Connection"] == "close")
            await stopped
        }
    }

    /// A change that was started may become durable after its client got the 503.
    @Test(arguments: Waiting.allCases, ["GET", "POST"])
    func `after the grace period, an unfinished GET gets 503, and an unfinished change gets 504 outcome-unknown`(
        by waiting: Waiting, method: String
    ) async throws {
        try await BlockingThreads.run {
            let gate = HandlerGate()
            var configuration = DaemonConfiguration.test
            configuration.deadlines.grace = .milliseconds(50)
            let handler: @Sendable (Request) async -> Response = { _ in
                await gate.pass()
                return .text("late")
            }
            let daemon = try Daemon(configuration, reply: waiting.reply(handler))
            let connections = try (0..<16).map { _ in try RawConnection(port: daemon.port) }
            for connection in connections {
                try connection.send("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
            }
            await gate.waiting(16)
            await daemon.stop()
            for connection in connections {
                let response = try connection.readResponse()
                #expect(response.status == (method == "POST" ? 504 : 503))
                #expect(response.text.contains("outcome-unknown") == (method == "POST"))
            }
            gate.open()  // Later requests find that there is a response already.
        }
    }

    @Test func `stopping a daemon cancels the tasks of requests that outlast the grace period`() async throws {
        try await BlockingThreads.run {
            let gate = HandlerGate()
            let wasCancelled = Mutex(false)
            var configuration = DaemonConfiguration.test
            configuration.deadlines.grace = .milliseconds(50)
            let daemon = try Daemon(configuration) { _ in
                await withTaskCancellationHandler {
                    await gate.pass()
                } onCancel: {
                    wasCancelled.withLock { $0 = true }
                    gate.open()
                }
                return .text("late")
            }
            let connection = try RawConnection(port: daemon.port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.waiting(1)
            await daemon.stop()
            #expect(wasCancelled.withLock { $0 })
        }
    }

    @Test func `a handler may stop its own daemon`() async throws {
        try await BlockingThreads.run {
            let daemon = Mutex<Daemon?>(nil)
            var configuration = DaemonConfiguration.test
            configuration.deadlines.grace = .milliseconds(50)
            let made = try Daemon(configuration) { _ in
                await daemon.withLock({ $0 })?.stop()
                return .text("never sent")
            }
            daemon.withLock { $0 = made }
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: made.port).status == 503)
            await made.stop()
            daemon.withLock { $0 = nil }  // The handler retains the daemon.
        }
    }

    @Test func `a daemon stops when its last reference is released`() async throws {
        try await BlockingThreads.run {
            let port = try Daemon(.test, handler: echo).port
            try await refused(port: port)
        }
    }

    @Test func `under load, every response of a stopping daemon is a 200`() async throws {
        try await BlockingThreads.run {
            var configuration = DaemonConfiguration.test
            configuration.deadlines.linger = .seconds(10)
            let daemon = try Daemon(configuration) { request in
                await Task.yield(); return await echo(request)
            }
            let gate = HandlerGate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await load(port: daemon.port, gate) } }
                await gate.waiting(8)
                gate.open()
                await daemon.stop()
                try await group.waitForAll()
            }
        }
    }
}

/// Sends requests until the server closes the connection: each must get the response 200.
private func load(port: Int, _ gate: HandlerGate) async throws {
    let connection = try RawConnection(port: port)
    for number in 0... {
        try connection.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try connection.readResponse()
        #expect(response.status == 200)
        if response["Connection"] == "close" { return }
        if number == 10 { await gate.pass() }
    }
}

/// Waits until a port refuses connections.
private func refused(port: Int) async throws {
    while (try? RawConnection(port: port)) != nil { await Task.yield() }
}
