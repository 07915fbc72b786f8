import LocalhostClient
import MicroHTTPD
import Synchronization
import Testing

/// Tests of RFC 9112 §6: the body and its length.
@Suite struct Section6BodyTests {
    // MARK: 6.1 Transfer-Encoding

    @Test(arguments: [
        "gzip, chunked", "chunked, gzip", "chunked, chunked", "identity", "xchunked", "chunked;a=b", "\"chunked\"",
    ])
    func `a transfer coding other than chunked is refused`(coding: String) async throws {
        let message = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    @Test func `two Transfer-Encoding fields are refused`() async throws {
        let coding = "Transfer-Encoding: chunked\r\n"
        let message = "POST / HTTP/1.1\r\nHost: a\r\n\(coding)\(coding)\r\n0\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    @Test func `a request with both Transfer-Encoding and Content-Length is refused`() async throws {
        let message =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    @Test func `a Transfer-Encoding in HTTP 1.0 is refused`() async throws {
        let message = "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    @Test(arguments: ["chunked ", "chunked\t", "chunked \t "])
    func `a Transfer-Encoding with trailing blanks is refused, because its body would never end`(coding: String)
        async throws
    {
        let message = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    // MARK: 6.2 Content-Length

    @Test func `two Content-Length fields are refused, even if they are equal`() async throws {
        let message = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"
        try await expectRefusal(of: message, 400)
    }

    @Test(arguments: ["x", "+1", "-1", "1, 1", "0x1", "1.0", "1 1", ""])
    func `a Content-Length that is not a number gets 400 and closes the connection`(length: String) async throws {
        try await serving { port throws in
            let message = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\na"
            #expect(try answer(to: message, port: port).status == 400)
        }
    }

    @Test(arguments: [("x", 400), ("-1", 400), (String(repeating: "9", count: 30), 413)])
    func `to a malformed Content-Length, libmicrohttpd itself sends two response heads and an HTML body`(
        length: String, status: Int
    ) async throws {
        let handled = Atomic(0)
        try await serving(
            .test,
            { request in
                handled.add(1, ordering: .relaxed)
                return await echo(request)
            }
        ) { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n" + get("/next"))
            let all = String(decoding: try connection.readToEnd(), as: UTF8.self)
            #expect(all.ranges(of: "HTTP/1.1 \(status)").count == 2)
            #expect(all.contains("<html>"))
        }
        #expect(handled.load(ordering: .relaxed) == 0)
    }

    @Test func `a Content-Length that no integer can hold gets 413 and closes the connection`() async throws {
        try await serving { port throws in
            let length = String(repeating: "9", count: 30)
            let message = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\na"
            #expect(try answer(to: message, port: port).status == 413)
        }
    }

    // MARK: 6.3 Message body length

    @Test(arguments: ["GET", "POST", "DELETE", "OPTIONS"])
    func `a body is read up to its Content-Length, whatever the method`(method: String) async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            for _ in 1...2 {
                try connection.send("\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
                #expect(try connection.readResponse().text == "\(method)\n/\n-\na\nhello")
            }
        }
    }

    @Test func `a body may arrive in parts`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            for part in ["POST / HTTP/1.1\r\nHo", "st: a\r\nContent-Length: 5\r\n\r", "\nhe", "l", "lo"] {
                try connection.send(part)
            }
            #expect(try connection.readResponse().text.hasSuffix("\nhello"))
        }
    }

    @Test func `a request without Content-Length has no body`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "POST / HTTP/1.1\r\nHost: a\r\n\r\n", port: port).text == "POST\n/\n-\na\n")
        }
    }

    // MARK: Expect (RFC 9110 §10.1.1)

    @Test func `a client that sends Expect: 100-continue gets 100`() async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            try connection.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n")
            #expect(try connection.readInterim().status == 100)
            try connection.send("hello")
            #expect(try connection.readResponse().text.hasSuffix("\nhello"))
        }
    }

    @Test(arguments: ["", "Content-Length: 0\r\n"])
    func `an Expect: 100-continue without a body gets the final response`(length: String) async throws {
        try await serving { port throws in
            let connection = try RawConnection(port: port)
            let expecting = "DELETE /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(length)\r\n"
            try connection.send(expecting + get("/b") + expecting)
            for text in ["DELETE\n/a\n-\na\n", "GET\n/b\n-\na\n", "DELETE\n/a\n-\na\n"] {
                #expect(try connection.readResponse().text == text)
            }
        }
    }

    @Test func `an Expect field with trailing blanks is refused, because libmicrohttpd would ignore it`() async throws {
        let message = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue \r\nContent-Length: 5\r\n\r\n"
        try await expectRefusal(of: message, 400)
    }

    @Test func `an Expect field other than 100-continue is refused`() async throws {
        let message = "POST / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 1\r\n\r\n"
        try await expectRefusal(of: message, 417)
    }

    @Test func `with Expect: 100-continue, a body that is too large is refused before the client sends it`()
        async throws
    {
        let message = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n"
        try await expectRefusal(of: message, 413)
    }
}
