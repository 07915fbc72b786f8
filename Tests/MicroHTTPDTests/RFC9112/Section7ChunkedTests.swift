import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing

/// Tests of RFC 9112 §7.1: the chunked coding.
@Suite struct Section7ChunkedTests {
    private static let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: [
        "5\r\nhello\r\n0\r\n\r\n", "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "0005\r\nhello\r\n000\r\n\r\n",
        "5;name=value\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
    ])
    func `the chunks of a body are joined, and chunk extensions and trailers are ignored`(body: String) async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            for _ in 1...2 {
                try connection.send(Self.head + body)
                #expect(try connection.readResponse().text == "POST\n/\n-\na\nhello")
            }
        }
    }

    @Test(arguments: ["xyz\r\nhello\r\n", "0x5\r\nhello\r\n", "-5\r\nhello\r\n", "3\r\nhello\r\n", "\r\nhello\r\n"])
    func `a malformed chunk gets 400 and closes the connection`(body: String) async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(Self.head + body + "0\r\n\r\n")
            #expect(try connection.readResponse().status == 400)
            #expect(connection.closedByPeer)
        }
    }

    @Test func `a chunk size that no integer can hold gets 413 and closes the connection`() async throws {
        try await serving { port throws in
            let message = Self.head + String(repeating: "F", count: 17) + "\r\nhello\r\n0\r\n\r\n"
            #expect(try answer(to: message, port: port).status == 413)
        }
    }

    @Test(arguments: [false, true])
    func `a chunk extension larger than the connection's memory gets 500 and closes the connection`(isSlow: Bool)
        async throws
    {
        let handled = Atomic(0)
        try await serving(
            .test,
            { request in
                handled.add(1, ordering: .relaxed)
                return await echo(request)
            }
        ) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(Self.head + "5;")
            let part = String(repeating: "a", count: isSlow ? 1000 : 20_000)
            for _ in 0..<(isSlow ? 20 : 1) { try? connection.send(part) }
            #expect(try connection.readResponse().status == 500)
            #expect(connection.closedByPeer)
        }
        #expect(handled.load(ordering: .relaxed) == 0)
    }

    @Test func `the bytes after the last chunk are read as the next request`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(Self.head + "1\r\na\r\n0\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try connection.readResponse().text == "POST\n/\n-\na\na")
            #expect(try connection.readResponse().text == "GET\n/next\n-\na\n")
        }
    }
}
