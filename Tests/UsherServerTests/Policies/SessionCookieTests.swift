import HelloBye
import Testing
import UsherHTTP
import UsherJSON

@testable import UsherServer

@Suite("The cookie of a session")
struct SessionCookieTests {
    private func serve(
        configure: (inout ServeOptions) -> Void = { _ in }, _ body: (Stage) async throws -> Void
    ) async throws {
        try await Surface.inProcess.serve(
            [HelloByeApp.self],
            configure: { options in
                options.sessionAccess = .token
                configure(&options)
            }, body)
    }

    private func open(_ stage: Stage) async throws -> (path: String, field: String, cookie: String) {
        let answer = try await stage.request(.post, "/sessions", body: #"{"app":"hello-bye","cookie":true}"#)
        #expect(answer.status == 201 && answer["token"] == nil)
        let field = try #require(answer.headers["Set-Cookie"])
        return (try #require(answer.headers["Location"]), field, String(field.prefix { $0 != ";" }))
    }

    @Test func `the cookie is HttpOnly and limited to its session's path`() async throws {
        try await serve { stage throws in
            let (path, field, _) = try await open(stage)
            #expect(field.hasPrefix("usher-session="))
            #expect(field.hasSuffix("; Path=\(path); HttpOnly; SameSite=Lax"))
        }
    }

    @Test(arguments: [
        ("0.0.0.0", nil, true), ("127.0.0.1", nil, false), ("127.0.0.1", "https://shop.example", true),
        ("127.0.0.1", "http://shop.example", true), ("0.0.0.0", "http://localhost:8080", false),
    ])
    func `the cookie is Secure except on loopback`(host: String, url: String?, isSecure: Bool) async throws {
        let configure: (inout ServeOptions) -> Void = { options in
            options.host = host
            options.publicURL = url.flatMap { try? PublicURL($0) }
        }
        try await serve(configure: configure) { stage throws in
            #expect(try await open(stage).field.hasSuffix("; Secure") == isSecure)
        }
    }

    @Test func `a reading request may have the cookie instead of the token, also among other cookies`() async throws {
        try await serve { stage throws in
            let (path, _, cookie) = try await open(stage)
            for field in [cookie, "a=b; \(cookie)", "\(cookie); a=b"] {
                #expect(try await stage.request(.get, path, headers: ["Cookie": field]).status == 200, "\(field)")
                #expect(try await stage.request(.get, "\(path)/stream", headers: ["Cookie": field]).status == 200)
            }
            #expect(try await stage.request(.get, path, headers: ["Cookie": "a=b"]).status == 401)
            #expect(try await stage.request(.get, path, headers: ["Cookie": cookie + "0"]).status == 403)
            let both: HeaderFields = ["Cookie": cookie, "Authorization": "Bearer x"]
            #expect(try await stage.request(.get, path, headers: both).status == 403, "the bearer goes before it")
        }
    }

    @Test func `a change with only the cookie needs the server's own Origin or an allowed Origin`()
        async throws
    {
        try await serve(configure: { $0.allowedOrigins = ["https://shop.example"] }) { stage throws in
            let (path, _, cookie) = try await open(stage)
            func send(_ origin: String?) async throws -> Answer {
                var fields: HeaderFields = ["Cookie": cookie, "Host": "localhost"]
                if let origin { fields.append(name: "Origin", value: origin) }
                return try await stage.request(.post, "\(path)/events", headers: fields, body: #"{"back":true}"#)
            }
            for origin in [nil, "https://evil.example", "null"] {
                let answer = try await send(origin)
                #expect(answer.status == 403, "\(origin ?? "none")")
                #expect(answer["type"]?.string == "urn:usher:problem:foreign-origin")
            }
            for origin in ["http://localhost", "https://shop.example"] {
                #expect(try await send(origin).status == 422, "it is let in, and there is nothing to go back to")
            }
            let allowed = try await send("https://shop.example")
            #expect(allowed.headers["Access-Control-Allow-Credentials"] == "true")
        }
    }

    @Test func `rotating the token sets a new cookie if requested, and revoking the token deletes the cookie`()
        async throws
    {
        try await serve { stage throws in
            let (path, _, cookie) = try await open(stage)
            let fields: HeaderFields = ["Cookie": cookie, "Host": "localhost", "Origin": "http://localhost"]
            let answer = try await stage.request(.post, "\(path)/token", headers: fields, body: #"{"cookie":true}"#)
            #expect(answer.status == 204)
            let next = try #require(answer.headers["Set-Cookie"]).prefix { $0 != ";" }
            #expect(next != cookie)
            #expect(try await stage.request(.get, path, headers: ["Cookie": cookie]).status == 403)
            #expect(try await stage.request(.get, path, headers: ["Cookie": String(next)]).status == 200)
            let last: HeaderFields = ["Cookie": String(next), "Host": "localhost", "Origin": "http://localhost"]
            let gone = try await stage.request(.delete, "\(path)/token", headers: last)
            #expect(gone.status == 204)
            #expect(gone.headers["Set-Cookie"]?.hasSuffix("; Max-Age=0") == true)
        }
    }

    @Test(arguments: [#"{"app":"hello-bye","cookie":1}"#, #"{"app":"hello-bye","cookie":"yes"}"#])
    func `a request to open a session is refused if its option cookie is neither true nor false`(body: String)
        async throws
    {
        try await serve { stage throws in
            #expect(try await stage.request(.post, "/sessions", body: body).status == 400)
        }
    }
}
