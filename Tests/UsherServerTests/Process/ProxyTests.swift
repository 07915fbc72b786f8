import LocalhostClient
import Testing

/// Tests of the most common proxies, as `script/bootstrap test` installs them.
@Suite("A server behind a minimally configured proxy", .blocking, .timeLimit(.minutes(5)))
struct ProxyTests {
    @Test(arguments: Proxy.allCases)
    func `through the proxy, the operator's endpoints need the operator's token`(proxy: Proxy) throws {
        try proxy.serve { client throws in
            for path in ["/metrics", "/apps", "/admin/sessions"] {
                let answer = try client.send(path)
                #expect(answer.status == 401, "\(path)")
                #expect(!answer.text.contains("usher_sessions"))
                #expect(answer["Cache-Control"] == "no-store")
            }
            let token = "Authorization: Bearer \(LocalhostClient.operatorToken)"
            #expect(try client.send("/metrics", [token]).status == 200)
            #expect(try client.send("/admin/sessions", [token, "X-Forwarded-For: 1.2.3.4"]).status == 200)
            // A field that a client makes up gives no access.
            for field in ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Real-IP: 127.0.0.1"] {
                #expect(try client.send("/admin/sessions", [field]).status == 401)
            }
        }
    }

    @Test(arguments: Proxy.allCases)
    func `through the proxy, sessions and health can be requested, and an operator can log in`(proxy: Proxy) throws {
        try proxy.serve { client throws in
            #expect(try client.send("/readyz").status == 200)
            let fields = ProxyClient.json + ["Origin: https://usher.example"]
            #expect(try client.send("/sessions", fields, body: #"{"app":"hello-bye"}"#).status == 201)
            let token = #"{"token":"\#(LocalhostClient.operatorToken)"}"#
            let login = try client.send("/login", fields, body: token)
            #expect(login.status == 204)
            let field = try #require(login["Set-Cookie"])
            #expect(field.hasSuffix("; Secure"))
            #expect(try client.send("/metrics", ["Cookie: \(field.prefix { $0 != ";" })"]).status == 200)
        }
    }

    @Test(arguments: Proxy.allCases)
    func `through the proxy, conditions are checked, and an ended session gets 410`(proxy: Proxy) throws {
        try proxy.serve { client throws in
            let path = try client.open()
            #expect(try client.send(path, [#"If-Match: "7""#]).status == 412)
            #expect(try client.send(path, [#"If-Match: "7""#], method: "DELETE").status == 412)
            #expect(try client.send(path, [#"If-Match: "1""#]).status == 200)
            #expect(try client.send(path, [#"If-Match: "1""#], method: "DELETE").status == 204)
            let over = try client.send(path)
            #expect(over.status == 410)
            for part in [
                #""reason":"deleted""#, #""app":"hello-bye""#, #""options":{"greeting":false}"#,
                #""start":{"method":"POST","path":"/sessions","body":{"app":"hello-bye","options":{"greeting":false}}}"#,
            ] {
                #expect(over.body.contains(part), "\(over.text)")
            }
            #expect(over["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: Proxy.allCases)
    func `through the proxy, a compressed body is refused, null is accepted, and JSON values are compared`(
        proxy: Proxy
    ) throws {
        try proxy.serve { client throws in
            let coded = try client.send("/sessions", ProxyClient.json + ["Content-Encoding: gzip"], body: "x")
            #expect(coded.status == 415)
            #expect(coded["Accept-Encoding"] == "identity")
            let fields = ProxyClient.json + ["Idempotency-Key: 7a"]
            let first = try client.send("/sessions", fields, body: #"{"app":"hello-bye","options":null}"#)
            #expect(first.status == 201)
            let again = try client.send("/sessions", fields, body: #"{ "options": null, "app":"hello\u002dbye" }"#)
            #expect(again.status == 201)
            #expect(again["Idempotent-Replayed"] == "true")
            #expect(again.body == first.body)
        }
    }

    @Test(arguments: Proxy.allCases)
    func `through the proxy, a page of an allowed origin can read answers and refusals`(proxy: Proxy) throws {
        try proxy.serve(.plain, "--allow-origin", "https://shop.example") { client throws in
            let fields = ProxyClient.json + ["Origin: https://shop.example"]
            let large = String(repeating: "x", count: 70_000)
            let asked = fields + ["Access-Control-Request-Method: POST"]
            for answer in [
                (201, try client.send("/sessions", fields, body: #"{"app":"hello-bye"}"#)),
                (204, try client.send("/sessions", asked, method: "OPTIONS")),
                (400, try client.send("/sessions", fields, body: "x")),
                (404, try client.send("/nowhere", fields)),
                (413, try client.send("/sessions", fields, body: large)),
            ] {
                #expect(answer.1.status == answer.0)
                #expect(answer.1["Access-Control-Allow-Origin"] == "https://shop.example", "\(answer.0)")
                let exposed = try #require(answer.1["Access-Control-Expose-Headers"])
                for field in ["ETag", "Idempotent-Replayed", "Location", "Preference-Applied"] {
                    #expect(exposed.contains(field))
                }
            }
            let foreign = try client.send("/sessions", ["Origin: https://evil.example"])
            #expect(foreign.status == 403)
            #expect(foreign["Access-Control-Allow-Origin"] == nil)
        }
    }
}
