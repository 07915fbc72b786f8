import LocalhostClient
import MicroHTTPD
import Testing

/// Tests of RFC 9112 §3: the request line, and the four forms of its target.
@Suite struct Section3RequestLineTests {
    // MARK: 3 Request line

    @Test func `a request line without a version is refused`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "GET /\r\n\r\n", port: port).status == 400)
        }
    }

    @Test(arguments: [2049, 4000, 7000])
    func `a request target above the limit is refused`(length: Int) async throws {
        let target = "/" + String(repeating: "a", count: length - 1)
        try await expectRefusal(of: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", 414)
    }

    @Test func `a request target of exactly the maximum length is served`() async throws {
        try await serving { port throws in
            let target = "/" + String(repeating: "a", count: 2047)
            #expect(try answer(to: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", port: port).status == 200)
        }
    }

    @Test func `a request target larger than the connection's memory is refused`() async throws {
        try await serving { port throws in
            let target = "/" + String(repeating: "a", count: 20_000)
            #expect(try answer(to: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", port: port).status == 414)
        }
    }

    // MARK: 3.1 Method

    @Test func `a method may be any token and is case-sensitive`() async throws {
        try await serving { port throws in
            let response = try answer(to: "pUrGe-1 / HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(response.text.hasPrefix("pUrGe-1\n"))
        }
    }

    @Test(arguments: ["G(T", "GE\"T", "G\u{7F}T", "G,T", "GÉT"])
    func `a method that is not a token is refused`(method: String) async throws {
        try await expectRefusal(of: "\(method) / HTTP/1.1\r\nHost: a\r\n\r\n", 400)
    }

    // MARK: 3.2 Request target

    @Test(arguments: [
        "/a b", "/a%00b", "/a%", "/a%2", "/a%zz", "/../a", "/a/..", "/a/./b", "/%2e%2E/a", "/a%2f..%2fb", "/a\\b",
        "/a%5Cb", "/%ff", "/%c0%af", "/a%0Ab", "/a#b", "/ä", "a", "?a", "*a", "ftp://a/b", "http:///a", "http://a@b/",
    ])
    func `a request target that other programs could interpret differently is refused`(target: String) async throws {
        try await expectRefusal(of: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", 400)
    }

    @Test(arguments: [
        "GET /a\0b HTTP/1.1", "GET /a\0 HTTP/1.1", "GET /?a\0b HTTP/1.1", "GET \0/a HTTP/1.1", "GE\0T /a HTTP/1.1",
        "GET\0 /a HTTP/1.1", "GET  /a HTTP/1.1", "GET /a  HTTP/1.1",
    ])
    func `a request line with a NUL or with more than two spaces is refused`(line: String) async throws {
        try await expectRefusal(of: "\(line)\r\nHost: a\r\n\r\n", 400)
    }

    @Test func `percent escapes in a request target are decoded once`() async throws {
        try await serving { port throws in
            let response = try answer(to: "GET /%C3%A4%2541?x=%41 HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(response.text == "GET\n/ä%41\nx=%41\na\n")
        }
    }

    @Test func `a thousand query parameters are accepted`() async throws {
        try await serving { port throws in
            let query = String(repeating: "a&", count: 1000)
            let response = try answer(to: "GET /?\(query) HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(response.text == "GET\n/\n\(query)\na\n")
        }
    }

    // MARK: 3.2.2 Absolute form

    @Test func `the authority of an absolute target replaces the Host field`() async throws {
        try await serving { port throws in
            let response = try answer(to: "GET http://b:8/x?y HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(response.text == "GET\n/x\ny\nb:8\n")
        }
    }

    @Test func `an absolute target without a path means the root path`() async throws {
        try await serving { port throws in
            let response = try answer(to: "GET HTTP://b?y HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
            #expect(response.text == "GET\n/\ny\nb\n")
        }
    }

    @Test func `an absolute target needs a Host field in HTTP 1.1`() async throws {
        try await expectRefusal(of: "GET http://b/ HTTP/1.1\r\n\r\n", 400)
    }

    // MARK: 3.2.3 Authority form, 3.2.4 Asterisk form

    @Test(arguments: ["CONNECT a:80", "CONNECT /", "GET a:80", "GET *", "POST *"])
    func `CONNECT is refused, and the target * is refused with any method except OPTIONS`(line: String) async throws {
        try await expectRefusal(of: "\(line) HTTP/1.1\r\nHost: a\r\n\r\n", 400)
    }

    @Test func `OPTIONS accepts the target *`() async throws {
        try await serving { port throws in
            #expect(try answer(to: "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", port: port).text == "OPTIONS\n*\n-\na\n")
        }
    }

    // MARK: 3.2 Host

    @Test(arguments: [
        "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a b\r\n", "Host: a:x\r\n", "Host: a@b\r\n",
        "Host: a/b\r\n", "Host: [::1\r\n",
    ])
    func `a request without exactly one valid Host field is refused`(fields: String) async throws {
        try await expectRefusal(of: "GET / HTTP/1.1\r\n\(fields)\r\n", 400)
    }

    @Test(arguments: ["a", "a.b:80", "127.0.0.1:8080", "[::1]:80", "[::1]"])
    func `a Host field may contain a name or an address, with or without a port`(host: String) async throws {
        try await serving { port throws in
            #expect(
                try answer(to: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", port: port).text == "GET\n/\n-\n\(host)\n")
        }
    }

    @Test func `an HTTP 1.0 request with two Host fields is refused`() async throws {
        try await expectRefusal(of: "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400)
    }
}
