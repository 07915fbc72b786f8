import HelloBye
import LocalhostClient
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Access to the operator's endpoints")
struct AccessTests {
    private static let id = "67c58cb8a5f32cac864b404e3aff6030"
    private static let inside: [(UsherHTTP.Method, String)] = [
        (.get, "/metrics"), (.get, "/apps"), (.get, "/admin/sessions"), (.get, "/admin/sessions/\(id)/tree"),
        (.get, "/admin/sessions/\(id)/journal"),
        (.get, "/admin/sessions/\(id)/at/1"), (.get, "/admin/sessions/\(id)/at/1/tree"),
        (.post, "/admin/sessions/\(id)/fork"), (.post, "/admin/backup"),
    ]

    @Test(arguments: Surface.allCases)
    func `the operator's endpoints need the operator's token, also from localhost`(
        on surface: Surface
    ) async throws {
        try await surface.serve([HelloByeApp.self]) { stage throws in
            for (method, path) in Self.inside {
                let answer = try await stage.request(method, path, asOperator: false)
                #expect(answer.status == 401, "\(path)")
                #expect(answer["type"]?.string == "urn:usher:problem:token-needed")
                #expect(answer.headers["WWW-Authenticate"] == "Bearer")
                #expect(!answer.text.contains("hello-bye"))
            }
        }
    }

    @Test func `if the server has no operator's token, nobody can use the operator's endpoints`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self], configure: { $0.adminToken = nil }) { stage throws in
            #expect(try await stage.request(.get, "/admin/sessions", asOperator: false).status == 401)
            #expect(try await stage.request(.get, "/admin/sessions").status == 403)
            #expect(
                try await stage.request(.get, "/admin/sessions", headers: ["Authorization": "Bearer"]).status == 401)
        }
    }

    @Test(arguments: [
        ("Basic c2VzYW1lLXNlc2FtZS1zZXNhbWU=", 401), ("Bearer", 401), ("Bearer wrong", 403),
        ("Bearer sesame-sesame-sesame2", 403), ("Bearer sesame-sesame-sesam", 403),
        ("Bearer sesame-sesame-sesamesesame-sesame-sesame", 403), ("Bearer SESAME-SESAME-SESAME", 403),
        ("Bearer sesame-sesame-sesame", 200), ("bearer  sesame-sesame-sesame", 200),
    ])
    func `the operator's token is accepted as a bearer token`(field: String, expected: Int) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self], configure: { $0.adminToken = "sesame-sesame-sesame" }) {
            stage throws in
            for path in ["/metrics", "/apps", "/admin/sessions", "/admin/sessions/\(Self.id)/tree"] {
                let answer = try await stage.request(.get, path, headers: ["Authorization": field])
                #expect(answer.status == (expected == 200 && path.hasSuffix("tree") ? 404 : expected))
            }
        }
    }

    @Test func `a request with two Authorization fields is refused`() async throws {
        try await Surface.localhost.serve([HelloByeApp.self]) { stage throws in
            var fields: HeaderFields = ["Authorization": "Bearer wrong"]
            fields.append(name: "Authorization", value: "Bearer \(LocalhostClient.operatorToken)")
            #expect(try await stage.request(.get, "/metrics", headers: fields).status == 401)
        }
    }

    @Test(arguments: Surface.allCases)
    func `caches may not store the operator's answers, and browsers may not guess their media types`(
        on surface: Surface
    ) async throws {
        try await surface.serve([HelloByeApp.self], configure: { $0.allowedOrigins = ["https://a.example"] }) {
            stage throws in
            let walk = try await stage.open("hello-bye")
            for path in [
                "/metrics", "/apps", "/admin/sessions", "/admin/sessions/\(walk.id)/tree",
                "/admin/sessions/\(walk.id)/at/1", "/admin/nowhere", "/admin", "/admin/sessions/x/tree", "/login",
                "/logout",
            ] {
                for isOperator in [true, false] {
                    let answer = try await stage.request(.get, path, asOperator: isOperator)
                    #expect(answer.headers["Cache-Control"] == "no-store", "\(path) \(answer.status)")
                    #expect(answer.headers["X-Content-Type-Options"] == "nosniff", "\(path) \(answer.status)")
                }
            }
            for fields: HeaderFields in [["Host": "evil.example"], ["Origin": "http://evil.example"]] {
                let answer = try await stage.request(.get, "/metrics", headers: fields)
                #expect(answer.status == 403)
                #expect(answer.headers["Cache-Control"] == "no-store")
            }
            let answer = try await stage.request(.delete, "/metrics", headers: ["Origin": "https://a.example"])
            #expect(answer.status == 405)
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test func `the list of apps is public if the server's options make it public`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self], configure: { $0.appsArePublic = true }) { stage throws in
            let answer = try await stage.request(.get, "/apps", asOperator: false)
            #expect(answer.status == 200)
            #expect(answer.text.contains("hello-bye"))
            #expect(answer.headers["Cache-Control"] == "no-store")
            #expect(try await stage.request(.get, "/metrics", asOperator: false).status == 401)
        }
    }

    @Test func `requests for sessions and for health do not need the operator's token`() async throws {
        try await Surface.localhost.serve([HelloByeApp.self]) { stage throws in
            let walk = try await stage.open("hello-bye")
            #expect(try await walk.state().status == 200)
            #expect(try await stage.request(.get, "/readyz", asOperator: false).status == 200)
        }
    }
}
