import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherHTTP

/// Streams at the end of their daemon, which aborts the process if one is suspended then.
@Suite(.timeLimit(.minutes(1))) struct StreamStopTests {
    /// A time of grace that no test could wait for.
    private var configuration: Daemon.Configuration {
        var configuration = Daemon.Configuration.test
        configuration.deadlines.grace = .seconds(600)
        return configuration
    }

    @Test func `all streams end when the daemon stops, and their readers see a whole body`() async throws {
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

    @Test func `streams that are sent to end when the daemon stops, each behind an event`() async throws {
        try await BlockingThreads.run {
            let broadcast = Broadcast()
            let daemon = try Daemon(configuration) { broadcast.answer($0) }
            let connections = try (0..<50).map { _ in try RawConnection.streaming(port: daemon.port) }
            await withTaskGroup(of: Void.self) { group in
                for part in 0..<4 {
                    group.addTask {
                        let streams = broadcast.all.enumerated().filter { $0.offset % 4 == part }.map(\.element)
                        while streams.contains(where: { !$0.isOver }), !Task.isCancelled {
                            for stream in streams { _ = stream.send("more") }
                            await Task.yield()
                        }
                    }
                }
                group.addTask {
                    for connection in 0..<1000 { _ = connection; await Task.yield() }
                    await daemon.stop()
                }
                // Reading what comes, for a slow reader would be waited for.
                for connection in connections {
                    while let event = try? connection.readEvent() { #expect(event == ["more"]) }
                }
            }
            #expect(broadcast.ended.value == 50)
        }
    }

    @Test(arguments: 1...20)
    func `clients that leave, streams that finish and a daemon that stops, all at once, end every stream`(
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
                    for stream in broadcast.all.prefix(round) { stream.finish() }
                }
                while !connections.isEmpty { connections.removeFirst() }
            }
            #expect(broadcast.ended.value == 20)
        }
    }

    @Test func `a stream that begins while the daemon stops ends with what it has, and its client is told to close`()
        async throws
    {
        try await BlockingThreads.run {
            let gate = Gate()
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

    @Test func `a reader that does not read cannot hold up the end for longer than the grace`() async throws {
        try await BlockingThreads.run {
            let broadcast = Broadcast()
            var short = configuration
            short.deadlines.grace = .milliseconds(50)
            let daemon = try Daemon(short) { broadcast.answer($0) }
            let connection = try RawConnection.streaming(port: daemon.port)
            let stream = try #require(broadcast.all.first)
            var refusals = 0
            while refusals < 10_000 { if stream.send("more and more") { refusals = 0 } else { refusals += 1 } }
            await daemon.stop()
            #expect(broadcast.ended.value == 1)
            _ = consume connection
        }
    }
}
