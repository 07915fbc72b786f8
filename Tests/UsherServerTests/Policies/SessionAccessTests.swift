import HelloBye
import LocalhostClient
import Testing
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherSessions

@testable import UsherServer

@Suite("Access to a session by its token")
struct SessionAccessTests {
    private static let unknown = "/sessions/\(String(repeating: "0", count: 32))"

    /// All requests for a session, with their paths below the session's.
    private static let requests: [(method: UsherHTTP.Method, path: String, body: String?)] = [
        (.get, "", nil), (.get, "/stream", nil), (.post, "/events", #"{"event":"bye"}"#), (.post, "/events", "x"),
        (.delete, "", nil), (.post, "/token", nil), (.delete, "/token", nil), (.post, "/readers", nil),
        (.delete, "/readers", nil),
    ]

    private func serve(
        on surface: Surface = .inProcess, configure: (inout ServeOptions) -> Void = { _ in },
        _ body: (Stage) async throws -> Void
    ) async throws {
        try await surface.serve(
            [HelloByeApp.self],
            configure: { options in
                options.sessionAccess = .token
                configure(&options)
            }, body)
    }

    private func open(
        _ stage: Stage, _ headers: HeaderFields = [:], body: String = #"{"app":"hello-bye"}"#
    ) async throws -> (path: String, token: String) {
        let answer = try await stage.request(.post, "/sessions", headers: headers, body: body)
        try #require(answer.status == 201, "\(answer.text)")
        return (try #require(answer.headers["Location"]), try #require(answer["token"]?.string))
    }

    private func bearer(_ token: String) -> HeaderFields { ["Authorization": "Bearer \(token)"] }

    @Test(arguments: [Surface.inProcess, .localhost, .onDisk])
    func `the token in the answer to the opening gives access to the session`(surface: Surface) async throws {
        try await serve(on: surface) { stage throws in
            let opening = try await stage.request(.post, "/sessions", body: #"{"app":"hello-bye"}"#)
            let token = try #require(opening["token"]?.string)
            #expect(token.utf8.count == 64 && token.allSatisfy(\.isHexDigit))
            let path = try #require(opening.headers["Location"])
            let state = try await stage.request(.get, path, headers: bearer(token))
            #expect(state.status == 200)
            #expect(state["token"] == nil, "the token is returned only once")
            let event = try await stage.request(
                .post, "\(path)/events", headers: bearer(token), body: #"{"event":"bye"}"#)
            #expect(event.status == 200)
            #expect(!event.text.contains(token))
            #expect(!stage.lines.all.contains { $0.contains(token) })
        }
    }

    @Test func `with the changes profile, the answer to the opening also has the token as a member`() async throws {
        try await serve { stage throws in
            let (path, token) = try await open(stage, ["Accept": "application/json; profile=changes"])
            #expect(try await stage.request(.get, path, headers: bearer(token)).status == 200)
        }
    }

    @Test(arguments: [Surface.inProcess, .localhost, .onDisk])
    func `a request that lacks the session's token or has another session's token is refused without effect`(
        surface: Surface
    )
        async throws
    {
        try await serve(on: surface) { stage throws in
            let (path, token) = try await open(stage)
            let (_, other) = try await open(stage)
            for request in Self.requests {
                let bare = try await stage.request(request.method, path + request.path, body: request.body)
                #expect(bare.status == 401, "\(request)")
                #expect(bare["type"]?.string == "urn:usher:problem:token-needed")
                #expect(bare.headers["WWW-Authenticate"] == "Bearer")
                #expect(bare.headers["Cache-Control"] == "no-store")
                for wrong in [other, "x", String(token.dropLast()), token + "0", token.uppercased()]
                where wrong != token {
                    let answer = try await stage.request(
                        request.method, path + request.path, headers: bearer(wrong), body: request.body)
                    #expect(answer.status == 403, "\(request) \(wrong)")
                    #expect(answer["type"]?.string == "urn:usher:problem:wrong-token")
                    #expect(answer["current"] == nil)
                }
            }
            let state = try await stage.request(.get, path, headers: bearer(token))
            #expect(state["revision"]?.integer == 1)
        }
    }

    @Test func `a request to an unknown session gets the same answer as a request with a wrong token`()
        async throws
    {
        try await serve { stage throws in
            let (path, token) = try await open(stage)
            for request in Self.requests {
                for fields: HeaderFields in [[:], bearer(String(token.reversed()))] {
                    let there = try await stage.request(
                        request.method, path + request.path, headers: fields, body: request.body)
                    let nowhere = try await stage.request(
                        request.method, Self.unknown + request.path, headers: fields, body: request.body)
                    #expect(there.status == nowhere.status && there.text == nowhere.text, "\(request)")
                }
            }
            #expect(try await stage.request(.get, "/sessions/x", headers: bearer(token)).status == 404)
        }
    }

    @Test func `only a caller that has an ended session's token learns how to start another session`() async throws {
        try await serve { stage throws in
            let (path, token) = try await open(stage)
            var fields = bearer(token)
            fields.append(name: "Idempotency-Key", value: "k")
            let body = #"{"event":"bye"}"#
            #expect(try await stage.request(.post, "\(path)/events", headers: fields, body: body).status == 200)
            #expect(try await stage.request(.delete, path, headers: bearer(token)).status == 204)
            #expect(try await stage.request(.get, path, headers: bearer(token)).status == 410)
            #expect(try await stage.request(.get, path).status == 401)
            #expect(try await stage.request(.get, path, headers: bearer("x")).status == 403)
            #expect(try await stage.request(.delete, path, headers: bearer("x")).status == 403)
            // A stored response is also refused to others.
            let key: HeaderFields = ["Idempotency-Key": "k"]
            #expect(try await stage.request(.post, "\(path)/events", headers: key, body: body).status == 401)
            #expect(try await stage.request(.post, "\(path)/events", headers: fields, body: body).status == 200)
        }
    }

    @Test(arguments: [Surface.inProcess, .onDisk])
    func `a rotation replaces the previous token with the new one`(surface: Surface) async throws {
        try await serve(on: surface) { stage throws in
            let (path, token) = try await open(stage)
            let answer = try await stage.request(.post, "\(path)/token", headers: bearer(token))
            #expect(answer.status == 201)
            #expect(answer.headers["Cache-Control"] == "no-store")
            let next = try #require(answer["token"]?.string)
            #expect(next != token)
            #expect(try await stage.request(.get, path, headers: bearer(token)).status == 403)
            let state = try await stage.request(.get, path, headers: bearer(next))
            #expect(state["revision"]?.integer == 1, "a rotation is not an input")
            for body in [#"{"cookie":1}"#, #"{"kind":"x"}"#, "[1]", "true", "x"] {
                let wrong = try await stage.request(.post, "\(path)/token", headers: bearer(next), body: body)
                #expect(wrong.status == 400, "\(body)")
            }
            #expect(try await stage.request(.get, path, headers: bearer(next)).status == 200)
            let null = #"{"cookie":null}"#
            #expect(try await stage.request(.post, "\(path)/token", headers: bearer(next), body: null).status == 201)
        }
    }

    @Test func `if a token is revoked while an answer waits, the client learns only that its input was accepted`() {
        let problem = Problem(.answerDenied, apps: []).response
        let text = String(decoding: problem.body, as: UTF8.self)
        #expect(problem.status == .forbidden)
        #expect(text.contains("urn:usher:problem:wrong-token") && text.contains("the input was accepted"))
        #expect(!text.contains("current"))
    }

    @Test func `a reader's token allows reads and refuses changes`() async throws {
        try await serve { stage throws in
            let (path, token) = try await open(stage)
            var readers: [String] = []
            for _ in 0..<8 {
                let answer = try await stage.request(.post, "\(path)/readers", headers: bearer(token))
                readers.append(try #require(answer["token"]?.string))
            }
            let ninth = try await stage.request(.post, "\(path)/readers", headers: bearer(token))
            #expect(ninth.status == 422 && ninth["type"]?.string == "urn:usher:problem:limit-reached")
            for reader in [readers[0], readers[7]] {
                for request in Self.requests where request.body != "x" {
                    let answer = try await stage.request(
                        request.method, path + request.path, headers: bearer(reader), body: request.body)
                    #expect(answer.status == (request.method == .get ? 200 : 403), "\(request)")
                }
            }
            // Read-only tokens survive a rotation, and end when they are revoked.
            let next = try #require(
                try await stage.request(.post, "\(path)/token", headers: bearer(token))["token"]?.string)
            #expect(try await stage.request(.get, path, headers: bearer(readers[3])).status == 200)
            #expect(try await stage.request(.delete, "\(path)/readers", headers: bearer(next)).status == 204)
            #expect(try await stage.request(.get, path, headers: bearer(readers[3])).status == 403)
            #expect(try await stage.request(.get, path, headers: bearer(next)).status == 200)
        }
    }

    @Test func `after a session's token was revoked, the session can be used with a new token from the operator`()
        async throws
    {
        try await serve { stage throws in
            let (path, token) = try await open(stage)
            #expect(try await stage.request(.delete, "\(path)/token", headers: bearer(token)).status == 204)
            #expect(try await stage.request(.get, path, headers: bearer(token)).status == 403)
            #expect(try await stage.request(.get, path).status == 401)
            let answer = try await stage.request(.post, "/admin\(path)/token")
            let next = try #require(answer["token"]?.string)
            #expect(try await stage.request(.get, path, headers: bearer(next)).status == 200)
        }
    }

    @Test func `only the operator can read and change a session under /admin`() async throws {
        try await serve { stage throws in
            let (path, token) = try await open(stage)
            for request in Self.requests {
                let target = "/admin\(path)\(request.path)"
                let bare = try await stage.request(request.method, target, body: request.body, asOperator: false)
                #expect(bare.status == 401, "\(request)")
                let session = try await stage.request(
                    request.method, target, headers: bearer(token), body: request.body)
                #expect(session.status == 403, "\(request)")
                let public_ = try await stage.request(
                    request.method, path + request.path, headers: bearer(LocalhostClient.operatorToken),
                    body: request.body)
                #expect(public_.status == 403, "\(request)")
            }
            let stream = try await stage.request(.get, "/admin\(path)/stream")
            #expect(stream.status == 200 && stream.headers["Cache-Control"] == "no-store, no-transform")
            let event = try await stage.request(.post, "/admin\(path)/events", body: #"{"event":"bye"}"#)
            #expect(event["revision"]?.integer == 2)
            #expect(try await stage.request(.get, "/admin\(path)").text == event.text)
            #expect(try await stage.request(.delete, "/admin\(path)").status == 204)
            #expect(try await stage.request(.get, "/admin\(path)").status == 410)
            #expect(try await stage.request(.get, "/admin\(Self.unknown)").status == 404)
            let opened = try await stage.request(.post, "/admin/sessions", body: #"{"app":"hello-bye"}"#)
            #expect(opened.status == 201 && opened["token"] != nil)
        }
    }

    @Test func `a fork of a session has its own token`() async throws {
        try await serve { stage throws in
            let (path, token) = try await open(stage)
            let fork = try await stage.request(.post, "/admin\(path)/fork", body: #"{"revision":1}"#)
            let own = try #require(fork["token"]?.string)
            let forked = try #require(fork.headers["Location"])
            #expect(try await stage.request(.get, forked, headers: bearer(own)).status == 200)
            #expect(try await stage.request(.get, forked, headers: bearer(token)).status == 403)
            #expect(try await stage.request(.get, path, headers: bearer(own)).status == 403)
        }
    }

    @Test func `a repeated opening returns the first opening's token, even though no stored answer contains it`()
        async throws
    {
        let journal = MemoryJournal()
        func stage(_ configure: (inout ServeOptions) -> Void) -> Stage {
            var options = ServeOptions.test
            options.sessionAccess = .token
            configure(&options)
            let lines = LogLines()
            let application = Application(
                apps: [HelloByeApp.self], options: options, journal: journal, log: Log(.text, sink: lines.add))
            return Stage(lines: lines) { request in await application.respond(to: request) }
        }
        let secret = Array("a secret of the server's, of 32 bytes".utf8)
        let key: HeaderFields = ["Idempotency-Key": "k"]
        let body = #"{"app":"hello-bye"}"#
        let first = try await stage { $0.sessionKey = secret }.request(.post, "/sessions", headers: key, body: body)
        let token = try #require(first["token"]?.string)
        let kept = try #require(journal.opening(under: "k"))
        #expect(!String(decoding: kept.answer.body, as: UTF8.self).contains("token"))
        // The same holds after a restart.
        let next = stage { $0.sessionKey = secret }
        let again = try await next.request(.post, "/sessions", headers: key, body: body)
        #expect(again.headers["Idempotent-Replayed"] == "true")
        #expect(again.text == first.text)
        // A server with another secret does not return a wrong token.
        let other = try await stage { _ in }.request(.post, "/sessions", headers: key, body: body)
        #expect(other.status == 201 && other["token"] == nil)
        let path = try #require(first.headers["Location"])
        #expect(try await next.request(.post, "\(path)/token", headers: bearer(token)).status == 201)
        #expect(try await next.request(.post, "/sessions", headers: key, body: body)["token"] == nil)
    }

    @Test func `a request that lacks the token does not wake a hibernating session`() async throws {
        let journal = MemoryJournal()
        var options = ServeOptions.test
        options.sessionAccess = .token
        func stage() -> Stage {
            let application = Application(
                apps: [HelloByeApp.self], options: options, journal: journal, log: Log(.text, sink: { _ in }))
            return Stage(lines: LogLines()) { request in await application.respond(to: request) }
        }
        let (path, token) = try await open(stage())
        let next = stage()
        #expect(try await next.request(.get, path, headers: bearer("x")).status == 403)
        #expect(try await next.request(.post, "\(path)/events", body: #"{"event":"bye"}"#).status == 401)
        let hibernated = try await next.request(.get, "/admin/sessions")["sessions"]?.elements.first { _ in true }
        #expect(hibernated?[member: "hibernated"]?.boolean == true)
        #expect(try await next.request(.get, path, headers: bearer(token)).status == 200)
    }

    @Test func `a session that was opened without a token needs only its id until it gets a token`() async throws {
        let journal = MemoryJournal()
        func stage(_ kind: SessionKeyKind) -> Stage {
            var options = ServeOptions.test
            options.sessionAccess = kind
            let application = Application(
                apps: [HelloByeApp.self], options: options, journal: journal, log: Log(.text, sink: { _ in }))
            return Stage(lines: LogLines()) { request in await application.respond(to: request) }
        }
        let opening = try await stage(.id).request(.post, "/sessions", body: #"{"app":"hello-bye"}"#)
        #expect(opening.status == 201 && opening["token"] == nil)
        let path = try #require(opening.headers["Location"])
        let next = stage(.token)
        #expect(try await next.request(.get, path).status == 200)
        let readers = try await next.request(.post, "\(path)/readers")
        #expect(readers.status == 422 && readers.detail.contains("issue one first"))
        let token = try #require(try await next.request(.post, "\(path)/token")["token"]?.string)
        #expect(try await next.request(.get, path).status == 401)
        #expect(try await next.request(.get, path, headers: bearer(token)).status == 200)
        #expect(try await stage(.id).request(.get, path).status == 200, "a server of ids asks for none")
        #expect(try await stage(.id).request(.get, Self.unknown).status == 404)
    }
}
