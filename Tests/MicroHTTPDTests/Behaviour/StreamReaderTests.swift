import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherHTTP

/// Tests of stream readers that are slow or gone.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StreamReaderTests {
    /// Returns a configuration with one short deadline, which has passed when an idle connection is closed.
    private func configuration(response: Duration, head: Duration = .seconds(10)) -> DaemonConfiguration {
        var configuration = DaemonConfiguration.test
        configuration.deadlines.response = response
        configuration.deadlines.head = head
        return configuration
    }

    @Test func `a stream refuses bytes while its reader is slow, and loses no bytes that it accepted`() async throws {
        let broadcast = Broadcast(capacity: 1000)
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            await stream.settled()
            #expect(stream.send(BodyStream.tooMuch))
            #expect(!stream.send("no room"))
            let drained = Watch()
            stream.onDrain { drained.add() }
            var received: [UInt8] = []
            while received.count < BodyStream.tooMuch.count, let chunk = try connection.readChunk() {
                received += chunk
            }
            #expect(received == BodyStream.tooMuch)
            await drained.reaches(1)
            #expect(stream.isEmpty)
            #expect(stream.send("room"))
            #expect(try connection.readEvent() == ["room"])
            #expect(drained.value == 1)
        }
    }

    @Test func `if a stream is refilled whenever it has room, all its bytes arrive`() async throws {
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

    @Test func `a reader that does not read waiting bytes is disconnected at the deadline`() async throws {
        let broadcast = Broadcast()
        try await serving(configuration(response: .milliseconds(200)), { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            await stream.settled()
            #expect(stream.send(BodyStream.tooMuch))
            await broadcast.ended.reaches(1)
            #expect(stream.isOver)
            #expect(throws: ClientError.self) { while try connection.readChunk() != nil {} }
        }
    }

    @Test func `a stream without data stays open for longer than any deadline`() async throws {
        var short = configuration(response: .milliseconds(200), head: .milliseconds(800))
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

    @Test func `a reader that keeps reading is not disconnected, however long the stream lasts`() async throws {
        let broadcast = Broadcast()
        try await serving(configuration(response: .milliseconds(400)), { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            let part = String(repeating: "x", count: 60_000)
            let end = ContinuousClock.now + .milliseconds(1200)
            while ContinuousClock.now < end {
                #expect(stream.send(part))
                #expect(try connection.readEvent()?.first?.count == 60_000)
            }
        }
    }

    @Test func `the result of writing to a stream says whether the stream's reader has disconnected`() async throws {
        let broadcast = Broadcast()
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            try { _ = try RawConnection.streaming(port: port) }()
            let stream = try #require(broadcast.all.first)
            // While the connection is suspended, its end is not noticed. The first write informs the system, and a
            // later one fails.
            #expect(!stream.isOver)
            #expect(stream.send("anybody?"))
            await stream.sendUntilOver()
            await broadcast.ended.reaches(1)
            #expect(stream.isOver)
            #expect(!stream.send("gone"))
            #expect(broadcast.ended.value == 1)
        }
    }

    @Test func `after clients have dropped a thousand streams, no stream and no connection is left`() async throws {
        let broadcast = Broadcast()
        // The limit equals the connections of one round, so the next round waits until the last connection is closed.
        var configuration = DaemonConfiguration.test
        configuration.threads = 1
        configuration.connectionLimit = 100
        try await serving(configuration, { broadcast.answer($0) }) { port throws in
            for round in 1...10 {
                for connection in try (0..<100).map({ _ in try RawConnection.streaming(port: port) }) {
                    _ = connection
                }
                for stream in broadcast.all { await stream.sendUntilOver() }
                await broadcast.ended.reaches(round * 100)
                broadcast.removeAll()
            }
            #expect(broadcast.ended.value == 1000)
        }
        #expect(broadcast.ended.value == 1000)
    }
}
