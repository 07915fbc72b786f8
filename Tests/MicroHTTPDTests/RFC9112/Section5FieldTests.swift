import LocalhostClient
import MicroHTTPD
import Testing
import UsherHTTP

/// RFC 9112 §5: the syntax of fields.
@Suite struct Section5FieldTests {
    // MARK: 5.1 Field line parsing

    @Test(arguments: ["X : a", "X\t: a", "X@Y: a", "X(Y): a", "\"X\": a", "Ä: a"])
    func `a name that is no token is refused`(line: String) async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", 400)
    }

    @Test(arguments: ["a\u{1}b", "a\u{7F}b", "a\u{1B}[m", "\u{8}"])
    func `a control character in a value is refused`(value: String) async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\nHost: a\r\nX: \(value)\r\n\r\n", 400)
    }

    @Test func `white space around a value is no part of it`() async throws {
        try await serving(.test, { .text("[\($0.headers["X"] ?? "-")]") }) { port throws in
            let message = "GET / HTTP/1.1\r\nHost: a\r\nX: \t  a \t b\t \r\n\r\n"
            #expect(try answer(to: message, port: port).text == "[a \t b]")
        }
    }

    @Test func `an empty value and bytes outside ASCII are values`() async throws {
        try await serving(.test, { .text("\($0.headers["X"] ?? "-")\($0.headers["Y"] ?? "-")") }) { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: ä\r\n\r\n", port: port).text == "ä")
        }
    }

    @Test func `names are told apart without regard to case, and repeated ones are kept in order`() async throws {
        try await serving(.test, { .text($0.headers.values(of: "x").joined(separator: "|")) }) { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nx: 2\r\n\r\n", port: port).text == "1|2")
        }
    }

    @Test func `a line without a colon is refused`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", port: port).status == 400)
        }
    }

    // MARK: 5.2 Obsolete line folding

    @Test func `a folded line is glued to the name, so it cannot smuggle a value`() async throws {
        try await serving(.test, { .text($0.headers.map { "\($0.name)=\($0.value)" }.joined(separator: "|")) }) {
            port throws in
            let message = "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n"
            #expect(try answer(to: message, port: port).text == "Host=a|Xb=a")
        }
    }

    // MARK: Size

    @Test(arguments: [1, 40])
    func `fields beyond the connection's memory are refused`(count: Int) async throws {
        try await serving { port throws in
            let field = "X: " + String(repeating: "a", count: 20_000 / count) + "\r\n"
            let message = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: field, count: count) + "\r\n"
            #expect(try answer(to: message, port: port).status == 431)
        }
    }
}
