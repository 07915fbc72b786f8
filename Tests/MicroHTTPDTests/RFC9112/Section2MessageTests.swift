import LocalhostClient
import MicroHTTPD
import Testing

/// Tests of RFC 9112 §2: messages, their parsing, and versions.
@Suite struct Section2MessageTests {
    // MARK: 2.1 Message format

    @Test func `a response has a status line, fields and a body`() async throws {
        try await serving { port throws in
            let response = try answer(to: "GET /a?b=c HTTP/1.1\r\nHost: here\r\n\r\n", port: port)
            #expect(response.status == 200)
            #expect(response.text == "GET\n/a\nb=c\nhere\n")
            #expect(response["Content-Length"] == "16")
            #expect(response["Date"]?.hasSuffix(" GMT") == true)
        }
    }

    // MARK: 2.2 Message parsing

    @Test func `empty lines before the request line are skipped`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", port: port).status == 200)
        }
    }

    @Test func `a line may end with a bare LF`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\nHost: a\n\n", port: port).status == 200)
        }
    }

    @Test func `a header field with a bare CR is refused`() async throws {
        let message = "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    @Test func `white space before the first header field is refused`() async throws {
        let message = "GET / HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    @Test(arguments: [
        " GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
    ])
    func `bytes that cannot begin a request line make the daemon close the connection`(message: String) async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(message)
            #expect(connection.closedByPeer)
        }
    }

    @Test(arguments: [
        "GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "",
    ])
    func `an incomplete request gets no response`(message: String) async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send(message)
            connection.finishSending()
            #expect(connection.closedByPeer)
        }
    }

    // MARK: 2.3 HTTP version

    @Test func `an HTTP 1.0 request is answered, and the connection is closed`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.0\r\n\r\n")
            let response = try connection.readResponse()
            #expect(response.status == 200)
            #expect(response["Connection"] == "close")
            #expect(connection.closedByPeer)
        }
    }

    @Test(arguments: ["HTTP/1.2", "HTTP/1.9"])
    func `HTTP/1 with a minor version above 1 is refused`(version: String) async throws {
        try await expectRefusal(of: "GET / \(version)\r\nHost: a\r\n\r\n", 505)
    }

    @Test(arguments: [("HTTP/2.0", 505), ("HTTP/0.9", 505), ("HTTP/1.10", 400), ("http/1.1", 400), ("HTTP", 400)])
    func `libmicrohttpd itself refuses a malformed version and any major version except 1`(version: String, status: Int)
        async throws
    {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / \(version)\r\nHost: a\r\n\r\n")
            #expect(try connection.readResponse().status == status)
            #expect(connection.closedByPeer)
        }
    }
}
