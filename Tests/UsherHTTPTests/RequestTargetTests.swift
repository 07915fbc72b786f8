import Testing
import UsherHTTP

@Suite struct RequestTargetTests {
    private func target(_ text: String) throws -> RequestTarget {
        try RequestTarget(parsing: Array(text.utf8).span)
    }

    private func segments(_ text: String) throws -> [String] {
        try target(text).path.bytes.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("/", [""]), ("/a", ["a"]), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("//", ["", ""]),
        ("/a-b.c_d~e!$&'()*+,;=:@%7Ef/-", ["a-b.c_d~e!$&'()*+,;=:@~f", "-"]), ("/%2d%2D/%3f?/", ["--", "?"]),
        ("/a%2Fb/c", ["a/b", "c"]), ("/%C3%A4", ["ä"]), ("/a%25b", ["a%b"]), ("/%61?b/c", ["a"]), ("/...", ["..."]),
    ])
    func `a path is split into segments before their escapes are decoded`(text: String, expected: [String]) throws {
        #expect(try segments(text) == expected)
    }

    @Test(arguments: 0..<18) func `a byte in a path is read in the same way at every position`(place: Int) {
        let letters = Array("/aaaaaaaaaaaaaaaaaaaa".utf8)
        let wrong = (UInt8.min...UInt8.max).filter { byte in
            var text = letters
            text[place + 1] = byte
            let path = (try? RequestTarget(parsing: text.span))?.path.bytes
            guard byte > 0x20, byte < 0x7F, ![UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "\\")].contains(byte)
            else { return path != nil }
            var expected = Array(text.dropFirst())
            if byte == UInt8(ascii: "?") { expected = Array(expected[..<place]) }
            if byte == UInt8(ascii: "/") { expected[place] = 0 }
            return path != expected
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        "", "a", "?", "/%", "/%4", "/%4g", "/%00", "/%0d", "/%7F", "/.", "/..", "/a/../b", "/%2e", "/%2E%2e", "/a%2f..",
        "/..%2fa", "/a?b#", "/a?\u{7F}", "/a!..b/..", "/-/.", "/\\", "/%5c", "/%ff", "/%ed%a0%80", "/a b", "/a#", "/ä",
        "/\u{7F}", "http://", "http:///",
        "http://a b/",
        "http://u@a/", "ftp://a/", "a:", "a:x", "[::1]", "http://[a/",
    ])
    func `a request target that other programs could interpret differently is refused`(text: String) {
        let problem = #expect(throws: Problem.self) { try target(text) }
        #expect(problem?.status == .badRequest)
    }

    @Test func `the query is returned exactly as sent`() throws {
        #expect(try target("/a?b=%41?&/..").query == "b=%41?&/..")
        #expect(try target("/a?").query == "")
        #expect(try target("/a").query == nil)
    }

    @Test func `each of the four forms of a request target is recognized`() throws {
        #expect(try target("/a").form == .origin)
        #expect(try target("*").form == .asterisk)
        #expect(try target("a:80").form == .authority)
        #expect(try target("http://a:80/b?c").form == .absolute(authority: "a:80"))
        #expect(try target("HTTPS://[::1]").path == Path("/"))
    }

    @Test func `a target longer than the limit is refused`() throws {
        #expect(try RequestTarget(parsing: Array("/123".utf8).span, limit: 4).path == Path("/123"))
        let problem = #expect(throws: Problem.self) { try RequestTarget(parsing: Array("/1234".utf8).span, limit: 4) }
        #expect(problem?.status == .uriTooLong)
    }

    @Test(arguments: [
        ("a=1&b=2", "b", "2"), ("a=1&a=2", "a", "1"), ("a", "a", ""), ("a=%C3%A4+b", "a", "ä b"), ("%61=1", "a", "1"),
        ("a=b=c", "a", "b=c"), ("b=1", "a", nil), ("", "a", nil),
    ])
    func `a query parameter is decoded`(query: String, name: String, value: String?) throws {
        #expect(try Request(path: "/", query: query).queryParameter(name) == value)
    }

    @Test func `a query parameter with a malformed escape is refused`() {
        #expect(throws: Problem.self) { try Request(query: "a=%zz").queryParameter("a") }
    }
}
