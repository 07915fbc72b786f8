import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing
import UsherFuture
import UsherHTTP

/// Tests of the buffers of a connection's requests, which the next request reuses.
@Suite struct RequestBuffersReuseTests {
    private static let sizes = [700, 1, 300, 0, 5000, 2, 699]

    private func text(_ size: Int) -> String {
        String(repeating: "\(size % 10)", count: size)
    }

    private func walk(_ connection: RawConnection) throws {
        for size in Self.sizes {
            try connection.send(
                """
                POST /\(text(size % 999))/a HTTP/1.1\r\nHost: a\r\nX-Size: \(text(size % 999))\r\nContent-Length: \
                \(size)\r\n\r\n\(text(size))
                """)
            #expect(try connection.readResponse().text == text(size))
        }
    }

    @Test(arguments: [nil] + Waiting.allCases)
    func `a request that the app keeps is not changed by later requests on its connection`(
        waiting: Waiting?
    ) async throws {
        let kept = Kept()
        let daemon =
            if let waiting {
                try Daemon(.test, reply: waiting.reply { kept.answer($0) })
            } else {
                try Daemon(.test, reply: { .ready(kept.answer($0)) })
            }
        try await BlockingThreads.run {
            Result { try walk(RawConnection(port: daemon.port)) }
        }.get()
        await daemon.stop()
        let requests = kept.requests.withLock { $0 }
        #expect(requests.map(\.path) == Self.sizes.map { "/\(text($0 % 999))/a" })
        #expect(requests.map { $0.headers["X-Size"] } == Self.sizes.map { text($0 % 999) })
        #expect(requests.map(\.body) == Self.sizes.map { Array(text($0).utf8) })
    }

    @Test func `the data of a finished request does not appear in the next request on its connection`() async throws {
        let daemon = try Daemon(.test, reply: { request in .ready(Response(body: request.body)) })
        try await BlockingThreads.run {
            Result { try walk(RawConnection(port: daemon.port)) }
        }.get()
        await daemon.stop()
    }
}

/// Responds with each request's body, and keeps all requests.
private final class Kept: Sendable {
    let requests = Mutex<[Request]>([])

    func answer(_ request: Request) -> Response {
        requests.withLock { $0.append(request) }
        return Response(body: request.body)
    }
}
