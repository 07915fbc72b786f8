import HelloBye
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Who may do what")
struct PolicyTests {
    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "127.9.9.9", "[::1]", "[::1]:80",
    ])
    func `a server on loopback answers for loopback's names`(host: String) async throws {
        #expect(try await status(["Host": host]) == 200)
    }

    @Test(arguments: [
        "example.com", "localhost.example.com", "127.0.0.1.example.com", "127.0.0", "127.+0.0.1", "1270.0.0.1", "[::2]",
        "10.0.0.1",
        "evil:8080",
    ])
    func `a foreign host is refused, naming it`(host: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(.get, "/apps", headers: ["Host": host])
            #expect(answer.status == 403)
            #expect(answer.detail.contains("--allow-host"))
        }
    }

    @Test(arguments: ["::1", "0:0:0:0:0:0:0:1", "0::1"])
    func `a server on IPv6 loopback is on loopback, however that is written`(bound: String) async throws {
        for host in ["[::1]:80", "localhost", "127.0.0.1", "[0:0:0:0:0:0:0:1]"] {
            #expect(try await status(["Host": host]) { $0.host = bound } == 200, "\(host)")
        }
        #expect(try await status(["Host": "[::2]"]) { $0.host = bound } == 403)
    }

    @Test func `a server on another IPv6 address answers for that`() async throws {
        #expect(try await status(["Host": "[2001:db8::1]:8080"]) { $0.host = "2001:db8::1" } == 200)
        #expect(try await status(["Host": "[::1]"]) { $0.host = "2001:db8::1" } == 403)
    }

    @Test func `a host that is allowed is answered for`() async throws {
        #expect(try await status(["Host": "shop.example:443"]) { $0.allowedHosts = ["Shop.example"] } == 200)
    }

    @Test func `a server elsewhere answers for its address only`() async throws {
        let bind: (inout ServeOptions) -> Void = { $0.host = "192.0.2.1" }
        #expect(try await status(["Host": "192.0.2.1:8080"], bind) == 200)
        #expect(try await status(["Host": "localhost"], bind) == 403)
    }

    @Test(arguments: [
        "http://evil.example", "null", "https://localhost:8080", "http://localhost",
        "http://localhost:8080.evil.example", "",
    ])
    func `a foreign origin is refused`(origin: String) async throws {
        #expect(try await status(["Host": "localhost:8080", "Origin": origin]) == 403)
    }

    @Test func `the server's own pages may use it`() async throws {
        #expect(try await status(["Host": "localhost:8080", "Origin": "http://localhost:8080"]) == 200)
    }

    @Test(arguments: Surface.allCases)
    func `an allowed origin may use it and read the answer, refused ones included`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self], configure: { $0.allowedOrigins = ["https://shop.example"] }) {
            stage in
            let answer = try await stage.request(.get, "/nowhere", headers: ["Origin": "https://shop.example"])
            #expect(answer.status == 404)
            #expect(answer.headers["Access-Control-Allow-Origin"] == "https://shop.example")
            #expect(answer.headers["Vary"] == "Origin")
            let preflight = try await stage.request(
                .options, "/sessions",
                headers: ["Origin": "https://shop.example", "Access-Control-Request-Method": "POST"])
            #expect(preflight.status == 204)
            #expect(preflight.headers["Access-Control-Allow-Methods"]?.contains("POST") == true)
            #expect(preflight.headers["Access-Control-Allow-Headers"]?.contains("Content-Type") == true)
        }
    }

    @Test func `a foreign page cannot open a session`() async throws {
        try await Surface.localhost.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(
                .post, "/sessions", headers: ["Origin": "http://evil.example"], body: #"{"app":"hello-bye"}"#)
            #expect(answer.status == 403)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test func `without a token, admin paths are open on loopback`() async throws {
        #expect(try await status([:], path: "/admin/sessions") { $0.adminToken = nil } == 200)
    }

    @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"])
    func `without a token, admin paths are closed to what a proxy forwards`(field: String) async throws {
        #expect(try await status([field: "1.2.3.4"], path: "/admin/sessions") { $0.adminToken = nil } == 401)
    }

    @Test func `without a token, admin paths are closed elsewhere`() async throws {
        let status = try await status(["Host": "192.0.2.1"], path: "/admin/sessions") {
            $0.host = "192.0.2.1"
            $0.adminToken = nil
        }
        #expect(status == 401)
    }

    @Test(arguments: [
        (nil, 401), ("Basic c2VzYW1l", 401), ("Bearer", 401), ("Bearer wrong", 403), ("Bearer sesame2", 403),
        ("Bearer sesame", 200), ("bearer sesame", 200),
    ])
    func `with a token, admin paths ask for it`(field: String?, expected: Int) async throws {
        for path in ["/admin/sessions", "/admin/sessions/0123456789abcdef0123456789abcdef/tree"] {
            var headers = HeaderFields()
            if let field { headers.append(name: "Authorization", value: field) }
            let status = try await status(headers, path: path) { $0.adminToken = "sesame" }
            #expect(status == (expected == 200 && path.hasSuffix("tree") ? 404 : expected))
        }
    }

    private func status(
        _ headers: HeaderFields, path: String = "/apps", _ configure: (inout ServeOptions) -> Void = { _ in }
    ) async throws -> Int {
        var status = 0
        try await Surface.inProcess.serve([HelloByeApp.self], configure: configure) { stage in
            status = try await stage.request(.get, path, headers: headers, asOperator: false).status
        }
        return status
    }
}
