import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherHTTP

/// Tests that a request is handled only if the connection's memory has room for the response's head.
@Suite(.timeLimit(.minutes(5))) struct HeadRoomTests {
    /// The ways to fill the memory.
    enum Filling: CaseIterable {
        case target, value, fields, cookies, linesBefore, requestBehind, bodyBehind

        /// Returns a request of about a number of bytes.
        func message(_ size: Int) -> String {
            let head = "DELETE / HTTP/1.1\r\nHost: a\r\n"
            let text = String(repeating: "a", count: size)
            return switch self {
            case .target: "DELETE /?\(text.prefix(2000)) HTTP/1.1\r\nHost: a\r\nX: \(text.dropFirst(2000))\r\n\r\n"
            case .value: head + "X: \(text)\r\n\r\n"
            case .fields: head + String(repeating: "X: a\r\n", count: size / 70) + "\r\n"
            case .cookies: head + "Cookie: " + String(repeating: "a=b; ", count: size / 5) + "\r\n\r\n"
            case .linesBefore: String(repeating: "\r\n", count: size / 2) + head + "\r\n"
            case .requestBehind: head + "X: \(text.prefix(size / 2))\r\n\r\nGET /\(text.suffix(size / 2))"
            case .bodyBehind: head + "X: \(text)\r\nContent-Length: 4000\r\n\r\n" + String(repeating: "a", count: 4000)
            }
        }
    }

    @Test(arguments: Filling.allCases)
    func `a request is not handled if its connection has no memory left for the response`(filling: Filling) async throws
    {
        let handled = Atomic(0)
        let handler: @Sendable (Request) async -> Response = { _ in
            handled.add(1, ordering: .relaxed)
            return Response(headers: ["X": String(repeating: "a", count: 700)])
        }
        try await serving(.test, handler) { port throws in
            var answered = 0
            for size in Array(stride(from: 3000, to: 7000, by: 501)) + Array(stride(from: 7000, to: 9400, by: 37)) {
                let connection = try RawConnection(port: port)
                try connection.send(filling.message(size))
                connection.finishSending()
                if (try? connection.readResponse())?.status == 200 { answered += 1 }
            }
            #expect(handled.load(ordering: .relaxed) == answered)
            #expect(answered > 0)
        }
    }

    @Test(arguments: [8000, 8100, 8400, 8700])
    func `a head that leaves no room for a response gets one 431, and its connection is closed`(size: Int) async throws
    {
        let message = Filling.value.message(size)
        try await expectRefusal(of: message, 431)
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(message)
            let all = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(all.ranges(of: "HTTP/1.1").count == 1)
        }
    }

    @Test func `a request whose head has 7,600 bytes is served`() async throws {
        try await serving { port throws in
            #expect(try answer(to: Filling.value.message(7600), port: port).status == 200)
        }
    }

    @Test(arguments: [(50, 200), (60, 431)])
    func `the number of header fields is limited only by the room that the response needs`(count: Int, status: Int)
        async throws
    {
        let fields = String(repeating: "X: a\r\n", count: count)
        try await serving { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n", port: port).status == status)
        }
    }

    @Test(arguments: [100, 700, 1400])
    func `many cookies use no more memory than their text`(count: Int) async throws {
        try await serving(.test, { .text("\($0.headers["Cookie"]?.utf8.count ?? 0)") }) { port throws in
            let cookies = String(repeating: "a=b; ", count: count)
            let message = "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(cookies)\r\n\r\n"
            #expect(try answer(to: message, port: port).text == "\(cookies.utf8.count - 1)")
        }
    }
}
