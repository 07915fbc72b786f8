import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherHTTP

/// Readers that are slow, or gone.
@Suite(.timeLimit(.minutes(1))) struct StreamReaderTests {
    /// One deadline is short; the end of a connection that sends nothing tells when it is past.
    private func configuration(response: Duration, head: Duration = .seconds(10)) -> Daemon.Configuration {
        var configuration = Daemon.Configuration.test
        configuration.deadlines.response = response
        configuration.deadlines.head = head
        return configuration
    }

    @Test func `for a slow reader no more waits than the capacity, and when it has read there is room again`()
        async throws
    {
        let broadcast = Broadcast(capacity: 10_000)
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            let line = String(repeating: "x", count: 998)
            var sent = 0
            // The system takes megabytes; then what waits grows to the capacity while nobody reads.
            var refusals = 0
            while refusals < 100_000 {
                if stream.send(line) { sent += 1; refusals = 0 } else { refusals += 1 }
            }
            #expect(!stream.isEmpty)
            let drained = Watch()
            stream.onDrain { drained.add() }
            #expect(drained.value == 0)
            for _ in 0..<sent { #expect(try connection.readEvent() == [line]) }
            await drained.reaches(1)
            #expect(stream.isEmpty)
            #expect(stream.send("room"))
            #expect(try connection.readEvent() == ["room"])
            #expect(drained.value == 1)
        }
    }

    @Test func `a stream that is fed whenever there is room reaches its reader whole`() async throws {
        let stream = BodyStream(capacity: 5000)
        let next = Atomic(0)
        @Sendable func feed() {
            while next.load(ordering: .relaxed) < 20_000 {
                guard stream.send("\(next.load(ordering: .relaxed))") else { return stream.onDrain(feed) }
                next.add(1, ordering: .relaxed)
            }
            stream.finish()
        }
        feed()
        try await serving(.test, { _ in Response(stream: stream) }) { port throws in
            let text = (0..<20_000).map { "\($0)\n\n" }.joined()
            #expect(try answer(to: get(), port: port).text == text)
        }
    }

    @Test func `a reader that does not read what waits is shut out by the deadline`() async throws {
        let broadcast = Broadcast()
        try await serving(configuration(response: .milliseconds(200)), { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            let part = [UInt8](repeating: 65, count: 60_000)
            while broadcast.ended.value == 0, !Task.isCancelled { if !stream.send(part) { await Task.yield() } }
            #expect(stream.isOver)
            #expect(throws: ClientError.self) { while try connection.readChunk() != nil {} }
        }
    }

    @Test func `a stream that is silent for longer than any deadline goes on`() async throws {
        var short = configuration(response: .milliseconds(50), head: .milliseconds(400))
        short.deadlines.idle = .milliseconds(50)
        short.deadlines.body = .milliseconds(50)
        let broadcast = Broadcast()
        try await serving(short, { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            for number in 1...2 {
                #expect(try RawConnection(port: port).closedByPeer)
                #expect(stream.send("\(number)"))
                #expect(try connection.readEvent() == ["\(number)"])
            }
            stream.finish()
            #expect(try connection.readEvent() == nil)
        }
    }

    @Test func `a reader that reads all the time is never late, however long the stream`() async throws {
        let broadcast = Broadcast()
        try await serving(configuration(response: .milliseconds(200)), { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            let part = String(repeating: "x", count: 60_000)
            let end = ContinuousClock.now + .milliseconds(800)
            while ContinuousClock.now < end {
                #expect(stream.send(part))
                #expect(try connection.readEvent()?.first?.count == 60_000)
            }
        }
    }

    @Test func `a reader that is gone is noticed by the writes that follow`() async throws {
        let broadcast = Broadcast()
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            try { _ = try RawConnection.streaming(port: port) }()
            let stream = try #require(broadcast.all.first)
            // While suspended its end is not seen. The first write tells the system, and a later one fails.
            #expect(!stream.isOver)
            #expect(stream.send("anybody?"))
            while broadcast.ended.value == 0, !Task.isCancelled {
                if stream.isEmpty { _ = stream.send("anybody?") }
                await Task.yield()
            }
            #expect(stream.isOver)
            #expect(!stream.send("gone"))
            #expect(broadcast.ended.value == 1)
        }
    }

    @Test func `a thousand streams opened and dropped leave neither a stream nor a connection behind`() async throws {
        let broadcast = Broadcast()
        // As many connections as one round has: the next one waits until the last of them is closed.
        var configuration = Daemon.Configuration.test
        configuration.threads = 1
        configuration.connectionLimit = 100
        try await serving(configuration, { broadcast.answer($0) }) { port throws in
            for round in 1...10 {
                for connection in try (0..<100).map({ _ in try RawConnection.streaming(port: port) }) {
                    _ = connection
                }
                while broadcast.ended.value < round * 100, !Task.isCancelled {
                    for stream in broadcast.all where !stream.isOver { _ = stream.send("anybody?") }
                    await Task.yield()
                }
                broadcast.removeAll()
            }
            #expect(broadcast.ended.value == 1000)
        }
        #expect(broadcast.ended.value == 1000)
    }
}
