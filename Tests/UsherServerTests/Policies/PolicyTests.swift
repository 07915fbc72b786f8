import HelloBye
import Testing
import UsherHTTP
import UsherJSON

@testable import UsherServer

@Suite("Allowed hosts and origins")
struct PolicyTests {
    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "127.9.9.9", "[::1]", "[::1]:80",
    ])
    func `a server on a loopback address accepts the names of loopback as Host`(host: String) async throws {
        #expect(try await status(["Host": host]) == 204)
    }

    @Test(arguments: [
        "example.com", "localhost.example.com", "127.0.0.1.example.com", "127.0.0", "127.+0.0.1", "1270.0.0.1", "[::2]",
        "10.0.0.1",
        "evil:8080",
    ])
    func `a foreign Host is refused, and the message names it`(host: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            let answer = try await stage.request(.get, "/sessions", headers: ["Host": host])
            #expect(answer.status == 403)
            #expect(answer.detail.contains("--allow-host"))
        }
    }

    @Test(arguments: ["::1", "0:0:0:0:0:0:0:1", "0::1"])
    func `a server on the IPv6 loopback address accepts its names in every spelling`(bound: String) async throws {
        for host in ["[::1]:80", "localhost", "127.0.0.1", "[0:0:0:0:0:0:0:1]"] {
            #expect(try await status(["Host": host]) { $0.host = bound } == 204, "\(host)")
        }
        #expect(try await status(["Host": "[::2]"]) { $0.host = bound } == 403)
    }

    @Test func `a server on an IPv6 address other than loopback accepts only this address as Host`() async throws {
        #expect(try await status(["Host": "[2001:db8::1]:8080"]) { $0.host = "2001:db8::1" } == 204)
        #expect(try await status(["Host": "[::1]"]) { $0.host = "2001:db8::1" } == 403)
    }

    @Test func `a host that the options allow is accepted as Host`() async throws {
        #expect(try await status(["Host": "shop.example:443"]) { $0.allowedHosts = ["Shop.example"] } == 204)
    }

    @Test(arguments: [
        ("Shop.Example", "shop.example:443"), ("[2001:DB8::1]", "[2001:db8::1]:80"), ("10.0.0.5", "10.0.0.5:8080"),
        ("2001:db8::1", "[2001:db8:0:0::1]"), ("[::1]", "[::1]:8080"), ("shop_1", "shop_1"),
    ])
    func `an allowed host may be given in every spelling`(text: String, host: String) async throws {
        let options = try options(allowing: text)
        let status = try await status(["Host": host]) {
            $0.host = "192.0.2.1"
            $0.allowedHosts = options.allowedHosts
        }
        #expect(status == 204)
    }

    @Test(arguments: [
        "shop.example:443", "https://shop.example", "*.shop.example", "*", "", "[::1", "[::1]:80", "[shop.example]",
        "::g",
        "shop.example/", "kim@shop.example", "a b", "ä.example",
    ])
    func `the server does not start with an allowed host that no client would send`(text: String) {
        let error = #expect(throws: UsageError.self) { try options(allowing: text) }
        #expect(error?.reason.contains("--allow-host takes a name") == true)
    }

    @Test(arguments: ["https://shop.example", "HTTPS://Shop.Example:443", "https://shop.example/"])
    func `an allowed origin may be given in every spelling`(text: String) async throws {
        let options = try options(allowing: text, by: "--allow-origin")
        let fields: HeaderFields = ["Host": "localhost", "Origin": "https://shop.example"]
        #expect(try await status(fields) { $0.allowedOrigins = options.allowedOrigins } == 204)
    }

    @Test(arguments: [
        "https://*.shop.example", "*", "null", "https://kim@shop.example", "https://shop.example?a",
        "https://shop.example#a", "https://shop.example:", "https://shop.example:x", "https://a b", "https://",
        "https://shop.example,https://a.example",
    ])
    func `the server does not start with an allowed origin that no browser would send`(text: String) {
        let error = #expect(throws: UsageError.self) { try options(allowing: text, by: "--allow-origin") }
        #expect(error?.reason.contains("--allow-origin takes a scheme and a host") == true)
    }

    private func options(allowing text: String, by option: String = "--allow-host") throws -> ServeOptions {
        let command = try Command(["serve", option, text], environment: { ["HOME": "/home/kim"][$0] })
        guard case .serve(let options) = command else { throw UsageError("it does not serve") }
        return options
    }

    @Test func `a server on an address other than loopback accepts only that address as Host`() async throws {
        let bind: (inout ServeOptions) -> Void = { $0.host = "192.0.2.1" }
        #expect(try await status(["Host": "192.0.2.1:8080"], bind) == 204)
        #expect(try await status(["Host": "localhost"], bind) == 403)
    }

    @Test(arguments: [
        "http://evil.example", "null", "https://localhost", "http://localhost:8081", "http://localhost",
        "http://localhost:8080.evil.example", "",
    ])
    func `a request with a foreign Origin is refused`(origin: String) async throws {
        #expect(try await status(["Host": "localhost:8080", "Origin": origin]) == 403)
    }

    @Test(arguments: ["http://localhost:8080", "https://localhost:8080", "HTTP://LocalHost:8080"])
    func `requests of the server's own pages are accepted, also behind TLS`(origin: String) async throws {
        #expect(try await status(["Host": "localhost:8080", "Origin": origin]) == 204)
    }

    @Test func `the public address is accepted as Host and as Origin`() async throws {
        let configure: (inout ServeOptions) -> Void = { $0.publicURL = try? PublicURL("https://Usher.example:8443/") }
        let origin = "https://usher.example:8443"
        #expect(try await status(["Host": "usher.example:8443", "Origin": origin], configure) == 204)
        // A proxy with a minimal configuration names its own upstream.
        #expect(try await status(["Host": "127.0.0.1:8080", "Origin": origin], configure) == 204)
        #expect(try await status(["Host": "usher.example", "Origin": "https://usher.example.evil"], configure) == 403)
        #expect(try await status(["Host": "127.0.0.1:8080", "Origin": "https://usher.example"], configure) == 403)
        #expect(try await status(["Host": "evil.example"], configure) == 403)
    }

    @Test(arguments: [
        ("https://usher.example", "usher.example", "http://usher.example", 403),
        ("https://usher.example", "Usher.Example:443", "http://usher.example", 403),
        ("https://usher.example", "usher.example:443", "http://usher.example:443", 403),
        ("https://usher.example", "usher.example", "https://usher.example", 204),
        ("https://usher.example:8443", "usher.example:8443", "http://usher.example:8443", 403),
        // A proxy has removed the port.
        ("https://usher.example:8443", "usher.example", "http://usher.example", 403),
        ("http://usher.example", "usher.example", "https://usher.example", 403),
        ("http://[::1]:80", "[::1]", "https://[::1]", 403),
        // Without a proxy, the server does not know the scheme.
        ("https://usher.example", "usher.example:8080", "http://usher.example:8080", 204),
        ("https://usher.example", "localhost:8080", "http://localhost:8080", 204),
    ])
    func `an Origin that differs from the public address only in its scheme is refused`(
        address: String, host: String, origin: String, expected: Int
    ) async throws {
        let status = try await status(["Host": host, "Origin": origin]) { $0.publicURL = try? PublicURL(address) }
        #expect(status == expected)
    }

    @Test(arguments: [
        ("https://usher.example", "https://usher.example", "usher.example"),
        ("HTTPS://Usher.Example:443/", "https://usher.example", "usher.example"),
        ("http://10.0.0.1:8080", "http://10.0.0.1:8080", "10.0.0.1"), ("http://[::1]:80", "http://[::1]", "::1"),
        ("https://[2001:db8::1]", "https://[2001:db8::1]", "2001:db8::1"),
    ])
    func `a public address is normalized in the same way as in browsers`(text: String, origin: String, host: String)
        throws
    {
        let address = try PublicURL(text)
        #expect(address.origin == origin)
        #expect(address.host == host)
    }

    @Test(arguments: [
        "", "usher.example", "ftp://usher.example", "https://", "https:///", "https://usher.example/usher",
        "https://usher.example//", "https://usher.example?a", "https://kim@usher.example", "https://usher.example:",
        "https://usher.example:0", "https://usher.example:65536", "https://usher.example:x", "https://a b",
        "https://usher.example:08443", "https://usher.example:+8443",
        "https://[::1",
        "https://[::g]", "https://ä.example", "https://usher.example#x", "https://:8080",
    ])
    func `an invalid public address is refused`(text: String) {
        let error = #expect(throws: UsageError.self) { try PublicURL(text) }
        #expect(error?.reason.contains("such as https://usher.example") == true)
    }

    @Test(arguments: ["evil.example", "10.0.0.1", "usher:8080"])
    func `health requests are answered for every Host`(host: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            for path in ["/healthz", "/readyz"] {
                #expect(try await stage.request(.get, path, headers: ["Host": host]).status == 200)
            }
            for path in ["/", "/sessions", "/healthz/", "/metrics"] {
                #expect(try await stage.request(.get, path, headers: ["Host": host]).status == 403, "\(path)")
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func `a page of an allowed origin can send requests and read the answers and refusals`(on surface: Surface)
        async throws
    {
        try await surface.serve([HelloByeApp.self], configure: { $0.allowedOrigins = ["https://shop.example"] }) {
            stage throws in
            let answer = try await stage.request(.get, "/nowhere", headers: ["Origin": "https://shop.example"])
            #expect(answer.status == 404)
            #expect(answer.headers["Access-Control-Allow-Origin"] == "https://shop.example")
            #expect(answer.headers["Vary"] == "Origin")
            let preflight = try await stage.request(
                .options, "/sessions",
                headers: ["Origin": "https://shop.example", "Access-Control-Request-Method": "POST"])
            #expect(preflight.status == 204)
            #expect(preflight.headers["Access-Control-Allow-Methods"]?.contains("POST") == true)
            for field in ["Content-Type", "Idempotency-Key", "Last-Event-ID", "Prefer", "traceparent"] {
                #expect(preflight.headers["Access-Control-Allow-Headers"]?.contains(field) == true, "\(field)")
            }
            for field in ["ETag", "Idempotent-Replayed", "Location", "Preference-Applied", "Retry-After"] {
                #expect(answer.headers["Access-Control-Expose-Headers"]?.contains(field) == true, "\(field)")
            }
        }
    }

    @Test func `only pages of allowed origins can read a refusal that is sent before the request reaches an endpoint`()
        async throws
    {
        let configure: (inout ServeOptions) -> Void = { $0.allowedOrigins = ["https://shop.example"] }
        let body = #"{"app":"\#(String(repeating: "x", count: 70_000))"}"#
        try await Surface.localhost.serve([HelloByeApp.self], configure: configure) { stage throws in
            for (origin, isOpen) in [("https://shop.example", true), ("https://evil.example", false)] {
                let large = try await stage.request(.post, "/sessions", headers: ["Origin": origin], body: body)
                #expect(large.status == 413)
                #expect(large.headers["Access-Control-Allow-Origin"] == (isOpen ? origin : nil))
                let expecting = try await stage.request(
                    .get, "/sessions/1", headers: ["Origin": origin, "Expect": "tea"])
                #expect(expecting.status == 417)
                #expect(expecting.headers["Access-Control-Allow-Origin"] == (isOpen ? origin : nil))
            }
        }
        try await Surface.inProcess.serve([HelloByeApp.self], configure: configure) { stage throws in
            let fields: HeaderFields = ["Origin": "https://shop.example", "Host": "evil.example"]
            let foreign = try await stage.request(.get, "/sessions/1", headers: fields)
            #expect(foreign.status == 403)
            #expect(foreign.headers["Access-Control-Allow-Origin"] == "https://shop.example")
        }
    }

    @Test func `a page of a foreign origin cannot open a session`() async throws {
        try await Surface.localhost.serve([HelloByeApp.self]) { stage throws in
            let answer = try await stage.request(
                .post, "/sessions", headers: ["Origin": "http://evil.example"], body: #"{"app":"hello-bye"}"#)
            #expect(answer.status == 403)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    private func status(
        _ headers: HeaderFields, path: String = "/sessions", _ configure: (inout ServeOptions) -> Void = { _ in }
    ) async throws -> Int {
        var status = 0
        try await Surface.inProcess.serve([HelloByeApp.self], configure: configure) { stage throws in
            status = try await stage.request(.options, path, headers: headers).status
        }
        return status
    }
}
