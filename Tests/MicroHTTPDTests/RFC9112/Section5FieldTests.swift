import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

/// Tests of RFC 9112 §5: the syntax of fields.
@Suite struct Section5FieldTests {
    // MARK: 5.1 Field line parsing

    @Test(arguments: ["X : a", "X\t: a", "X@Y: a", "X(Y): a", "\"X\": a", "Ä: a"])
    func `a field name that is not a token is refused`(line: String) async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", 400)
    }

    @Test(arguments: ["a\u{1}b", "a\u{7F}b", "a\u{1B}[m", "\u{8}"])
    func `a control character in a field value is refused`(value: String) async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\nX: \(value)\r\n\r\n", 400)
    }

    @Test func `white space around a field value is removed`() async throws {
        try await serving(.test, { .text("[\($0.headers["X"] ?? "-")]") }) { port throws in
            let message = "GET / HTTP/1.1\r\nHost: a\r\nX: \t  a \t b\t \r\n\r\n"
            #expect(try answer(to: message, port: port).text == "[a \t b]")
        }
    }

    @Test func `a field value may be empty, and may contain bytes outside ASCII`() async throws {
        try await serving(.test, { .text("\($0.headers["X"] ?? "-")\($0.headers["Y"] ?? "-")") }) { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: ä\r\n\r\n", port: port).text == "ä")
        }
    }

    @Test func `field names are case-insensitive, and repeated fields keep their order`() async throws {
        try await serving(.test, { .text($0.headers.texts(of: "x").joined(separator: "|")) }) { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nx: 2\r\n\r\n", port: port).text == "1|2")
        }
    }

    @Test func `a header line without a colon is refused`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", port: port).status == 400)
        }
    }

    // MARK: 5.2 Obsolete line folding

    @Test(arguments: [
        "X: a\r\n b", "X: a\r\n\tb", "X: a\r\n b\r\n c", "X: a\r\n  ", "X:\r\n a", "X:  \r\n a", "X: a\n b",
        "Content-Length:\r\n 45", "X-Forwarded-For:\r\n 1", "Transfer-Encoding:\r\n\tchunked", "X: a\r\n : b",
    ])
    func `a folded header line is refused at any position`(lines: String) async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n", 400)
        try await expectRefusal(of: "GET / HTTP/1.1\r\n\(lines)\r\nHost: a\r\n\r\n", 400)
        try await expectRefusal(of: "GET / HTTP/1.1\nHost: a\n\(lines)\nY: c\n\n", 400)
    }

    // MARK: 5.5 Field values

    @Test(arguments: [
        "X: a\0b", "X: a\0", "X: \0", "X:\0 a", "Content-Length: 0\0", "Host: a\0b", "\0X: a", "\0\0\0", "\0a",
    ])
    func `a header line with a NUL is refused`(line: String) async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", 400)
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\nY: c\r\n\r\n", 400)
    }

    @Test func `a field with an empty name is refused`() async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n", 400)
    }

    @Test func `a NUL in a field name is refused by libmicrohttpd`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX\0: a\r\n\r\n", port: port).status == 400)
        }
    }

    @Test func `libmicrohttpd reads a NUL before a bare LF as a CR, so no text is hidden`() async throws {
        try await serving(.test, { .text($0.headers["X"] ?? "-") }) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\nX: a\0\n\0\n" + get())
            #expect(try connection.readResponse().text == "a")
            #expect(try connection.readResponse().text == "-")
        }
    }

    @Test(arguments: [
        "X: a\r\n", "X:a\r\n", "X:\r\n", "X: \t \r\n", "X:  a  \r\n", "X: a: b\r\n", "X: a\n", "X:\n", "X: a\r\nY: b\n",
        "Cookie: x\r\n", "Cookie: a=b; c=d\r\nCookie: e\r\n", "X: \u{e4}\r\n", "",
    ])
    func `a valid head is accepted, whether it arrives at once or byte by byte`(lines: String) async throws {
        let message = "GET /a?b=c HTTP/1.1\r\nHost: a\r\n\(lines)\r\n"
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("\r\n" + message + message)
            for byte in message.utf8 { try connection.send([byte]) }
            for _ in 1...3 { #expect(try connection.readResponse().status == 200) }
        }
    }

    // MARK: Size

    @Test(arguments: [1, 40])
    func `fields larger than the connection's memory are refused`(count: Int) async throws {
        try await serving { port throws in
            let field = "X: " + String(repeating: "a", count: 20_000 / count) + "\r\n"
            let message = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: field, count: count) + "\r\n"
            #expect(try answer(to: message, port: port).status == 431)
        }
    }
}
