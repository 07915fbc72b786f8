import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

/// Tests of streams at the end of their daemon, which would abort the process if one is suspended then.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StreamStopTests {
    /// A configuration with a grace period that is too long for a test.
    private var configuration: DaemonConfiguration {
        var configuration = DaemonConfiguration.test
        configuration.deadlines.grace = .seconds(600)
        return configuration
    }

    @Test func `stopping a daemon ends all streams, and their readers get complete bodies`() async throws {
        try await BlockingThreads.run {
            let broadcast = Broadcast()
            let daemon = try Daemon(configuration) { broadcast.answer($0) }
            let connections = try (0..<200).map { _ in try RawConnection.streaming(port: daemon.port) }
            await daemon.stop()
            #expect(broadcast.ended.value == 200)
            #expect(broadcast.all.allSatisfy { $0.isOver })
            for connection in connections {
                #expect(try connection.readEvent() == nil)
                #expect(connection.closedByPeer)
            }
        }
    }

    @Test func `stopping a daemon ends a stream after a complete event`() async throws {
        try await BlockingThreads.run {
            let broadcast = Broadcast()
            let sent = Watch()
            let daemon = try Daemon(configuration) { broadcast.answer($0) }
            let connections = try (0..<20).map { _ in try RawConnection.streaming(port: daemon.port) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for stream in broadcast.all { stream.pump(500, sent) }
                await sent.reaches(500)
                group.addTask { await daemon.stop() }
                group.addTask { for _ in 0..<20 { for stream in broadcast.all { _ = stream.send("more") } } }
                for connection in connections {
                    var events = Set<[String]>()
                    while let event = try connection.readEvent() { events.insert(event) }
                    #expect(events == [["more"]])
                }
                try await group.waitForAll()
            }
            #expect(broadcast.ended.value == 20)
        }
    }

    @Test(arguments: 1...10)
    func `every stream ends, even if clients leave and streams finish while the daemon stops`(
        round: Int
    ) async throws {
        try await BlockingThreads.run {
            let broadcast = Broadcast()
            let daemon = try Daemon(configuration) { broadcast.answer($0) }
            var connections = try (0..<20).map { _ in try RawConnection.streaming(port: daemon.port) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await daemon.stop() }
                group.addTask {
                    for stream in broadcast.all { _ = stream.send("more") }
                    for stream in broadcast.all.prefix(2 * round) { stream.finish() }
                }
                while !connections.isEmpty { connections.removeFirst() }
            }
            #expect(broadcast.ended.value == 20)
        }
    }

    @Test func `if a stream begins while the daemon stops, the stream ends after its first bytes`()
        async throws
    {
        try await BlockingThreads.run {
            let gate = HandlerGate()
            let broadcast = Broadcast()
            let daemon = try Daemon(configuration) { request in
                await gate.pass(); return broadcast.answer(request)
            }
            let connection = try RawConnection(port: daemon.port)
            try connection.send(get())
            await gate.waiting(1)
            async let stopped: Void = daemon.stop()
            while (try? RawConnection(port: daemon.port)) != nil { await Task.yield() }
            gate.open()
            let response = try connection.readResponse()
            #expect(response["Connection"] == "close")
            #expect(response.text == "first\n\n")
            await stopped
            #expect(broadcast.ended.value == 1)
        }
    }

    @Test func `a reader that does not read can delay the daemon's stop only for the grace period`() async throws {
        try await BlockingThreads.run {
            let broadcast = Broadcast()
            var short = configuration
            short.deadlines.grace = .milliseconds(50)
            let daemon = try Daemon(short) { broadcast.answer($0) }
            let connection = try RawConnection.streaming(port: daemon.port)
            let stream = try #require(broadcast.all.first)
            await stream.settled()
            #expect(stream.send(BodyStream.tooMuch))
            await daemon.stop()
            #expect(broadcast.ended.value == 1)
            _ = consume connection
        }
    }
}
