import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

@Suite(.serialized, .timeLimit(.minutes(5))) struct StreamTests {
    @Test func `a stream sends its bytes at once and in order, in chunks`() async throws {
        let broadcast = Broadcast()
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection.streaming(port: port)
            let stream = try #require(broadcast.all.first)
            for number in 1...200 {
                #expect(stream.send("\(number)"))
                #expect(try connection.readEvent() == ["\(number)"])
            }
        }
    }

    @Test func `a stream sends the head before the first byte of the body`() async throws {
        let stream = BodyStream()
        try await serving(.test, { _ in Response(stream: stream) }) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(get())
            let head = try connection.readInterim()
            #expect(head.status == 200)
            #expect(head["Transfer-Encoding"] == "chunked")
            #expect(head["Content-Length"] == nil)
            #expect(stream.send("late"))
            #expect(try connection.readEvent() == ["late"])
        }
    }

    @Test func `if many threads write events to many streams, all events arrive`() async throws {
        let broadcast = Broadcast()
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            let connections = try (0..<8).map { _ in try RawConnection.streaming(port: port) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<4 {
                    group.addTask {
                        for number in 0..<50 {
                            for stream in broadcast.all { _ = stream.send("\(sender) \(number)") }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for stream in broadcast.all { stream.finish() }
            for connection in connections {
                var count = 0
                while try connection.readEvent() != nil { count += 1 }
                #expect(count == 200)
            }
        }
    }

    @Test func `a finished stream sends its remaining bytes, and the connection stays open`() async throws {
        let ended = Watch()
        let handler: @Sendable (Request) async -> Response = { request in
            guard request.path == "/stream" else { return .text("next") }
            let stream = BodyStream(capacity: 1 << 20)
            stream.onEnd { ended.add() }
            for number in 1...10_000 { _ = stream.send("\(number)") }
            stream.finish()
            return Response(stream: stream)
        }
        try await serving(.test, handler) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(get("/stream"))
            let text = (1...10_000).map { "\($0)\n\n" }.joined()
            #expect(try connection.readResponse().text == text)
            await ended.reaches(1)
            try connection.send(get("/next"))
            #expect(try connection.readResponse().text == "next")
            #expect(ended.value == 1)
        }
    }

    @Test func `a suspended handler may answer with a stream later`() async throws {
        let broadcast = Broadcast()
        let handler: @Sendable (Request) async -> Response = { request in
            await Task.yield()
            return broadcast.answer(request)
        }
        try await serving(.test, handler) { port throws in
            for _ in 1...50 { _ = try RawConnection.streaming(port: port) }
        }
        #expect(broadcast.ended.value == 50)
    }

    @Test func `a HEAD request gets only the head of a stream, and the stream ends`() async throws {
        let broadcast = Broadcast()
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try connection.readResponse(toHead: true)
            #expect(response["Content-Type"] == "text/event-stream")
            #expect(response["Content-Length"] == nil)
            #expect(connection.closedByPeer)
            await broadcast.ended.reaches(1)
            #expect(broadcast.all.allSatisfy { $0.isOver })
        }
    }

    @Test(arguments: [Status.noContent, .notModified])
    func `a stream ends if its response has a status without content`(status: Status) async throws {
        let ended = Watch()
        let handler: @Sendable (Request) async -> Response = { _ in
            let stream = BodyStream()
            stream.onEnd { ended.add() }
            return Response(status: status, stream: stream)
        }
        try await serving(.test, handler) { port throws in
            let response = try answer(to: get(), port: port)
            #expect(response.status == status.code)
            #expect(response["Transfer-Encoding"] == nil)
            await ended.reaches(1)
        }
    }

    @Test func `an HTTP 1.0 client gets a stream without chunks, and the connection is closed when the stream ends`()
        async throws
    {
        let broadcast = Broadcast()
        try await serving(.test, { broadcast.answer($0) }) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let head = try connection.readInterim()
            #expect(head["Transfer-Encoding"] == nil)
            #expect(head["Connection"] != "keep-alive")
            let stream = try #require(broadcast.all.first)
            #expect(stream.send(String(repeating: "x", count: 5000)))
            #expect(stream.send("last"))
            stream.finish()
            let body = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(body == "first\n\n" + String(repeating: "x", count: 5000) + "\n\nlast\n\n")
            await broadcast.ended.reaches(1)
        }
    }

    @Test func `if a handler returns a stream that is already in use, the response is 500`() async throws {
        let stream = BodyStream()
        try await serving(.test, { _ in Response(stream: stream) }) { port throws in
            let first = try RawConnection(port: port)
            try first.send(get())
            _ = try first.readInterim()
            #expect(try answer(to: get(), port: port).status == 500)
            #expect(stream.send("still here"))
            #expect(try first.readEvent() == ["still here"])
        }
    }

    @Test func `if a handler returns a stream after the grace period, the stream ends`() async throws {
        let gate = HandlerGate()
        let broadcast = Broadcast()
        var configuration = DaemonConfiguration.test
        configuration.deadlines.grace = .milliseconds(50)
        try await serving(
            configuration,
            { request in
                await gate.pass(); return broadcast.answer(request)
            }
        ) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(get())
            await gate.waiting(1)
        }
        gate.open()
        await broadcast.ended.reaches(1)
    }
}
