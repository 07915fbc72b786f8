import HelloBye
import LocalhostClient
import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The header field Idempotency-Key", .timeLimit(.minutes(5)))
struct IdempotencyEndpointTests {
    @Test(arguments: Surface.allCases)
    func `an event that is sent again with the same key is handled once, and its answer has the same bytes`(
        surface: Surface
    )
        async throws
    {
        try await surface.serve([HelloByeApp.self]) { stage in
            let path = "/sessions/\(try await stage.open("hello-bye").id)"
            let first = try await send("bye", to: path, key: "k1", on: stage)
            #expect(first.status == 200)
            #expect(first.headers["Idempotent-Replayed"] == nil)
            _ = try await send("hello", to: path, key: "k2", on: stage)
            let again = try await send("bye", to: path, key: "k1", on: stage)
            #expect(again.status == 200)
            #expect(again.text == first.text)
            #expect(again.headers["ETag"] == first.headers["ETag"])
            #expect(again.headers["Idempotent-Replayed"] == "true")
            #expect(try await stage.request(.get, path)["revision"]?.integer == 3)
        }
    }

    @Test(arguments: Surface.allCases)
    func `two requests to open a session open only one session if they have the same key`(surface: Surface)
        async throws
    {
        try await surface.serve([HelloByeApp.self]) { stage in
            let first = try await open("hello-bye", key: "k1", on: stage)
            let again = try await open("hello-bye", key: "k1", on: stage)
            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(again.text == first.text)
            #expect(again.headers["Location"] == first.headers["Location"])
            #expect(again.headers["Idempotent-Replayed"] == "true")
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 1)
        }
    }

    @Test(arguments: Surface.allCases)
    func `a repeated request may spell the same JSON differently`(surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            let key: HeaderFields = ["Idempotency-Key": "k0"]
            let opened = try await stage.request(
                .post, "/sessions", headers: key, body: #"{"app":"hello-bye","options":{}}"#)
            let again = try await stage.request(
                .post, "/sessions", headers: key, body: #"{ "options": {}, "app": "hello\u002dbye" }"#)
            #expect(again.status == 201)
            #expect(again.text == opened.text)
            let walk = try Walk(on: stage, opened: opened)
            let first = try await walk.post(#"{"screen":1,"event":"bye"}"#, headers: key)
            let second = try await walk.post(#"{"event" : "bye", "screen" : 1.0}"#, headers: key)
            #expect(second.headers["Idempotent-Replayed"] == "true")
            #expect(second.text == first.text)
            #expect(try await walk.post(#"{"screen":2,"event":"bye"}"#, headers: key).status == 422)
        }
    }

    @Test(arguments: Surface.allCases)
    func `a key that is reused with a different body is refused`(surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self, StartLoginMainApp.self]) { stage in
            let path = "/sessions/\(try await stage.open("hello-bye").id)"
            _ = try await send("bye", to: path, key: "k1", on: stage)
            let other = try await send("hello", to: path, key: "k1", on: stage)
            #expect(other.status == 422)
            #expect(other["type"]?.string == "urn:usher:problem:key-reused")
            #expect(other["current"]?[member: "revision"]?.integer == 2)
            #expect(other.headers["ETag"] == "\"2\"")
            _ = try await open("hello-bye", key: "k1", on: stage)
            #expect(try await open("start-login-main", key: "k1", on: stage).status == 422)
            #expect(try await stage.request(.delete, path).status == 204)
            let late = try await send("hello", to: path, key: "k1", on: stage)
            #expect(late["type"]?.string == "urn:usher:problem:key-reused")
            #expect(late["current"] == nil)
        }
    }

    @Test(arguments: Surface.allCases)
    func `the stored answer of a key is returned before every check except whether the session exists`(
        surface: Surface
    )
        async throws
    {
        try await surface.serve([HelloByeApp.self]) { stage in
            let path = "/sessions/\(try await stage.open("hello-bye").id)"
            let first = try await send("bye", to: path, key: "k1", on: stage)
            let conditional = try await send("bye", to: path, key: "k1", also: ["If-Match": "\"9\""], on: stage)
            #expect(conditional.text == first.text)
            #expect(try await stage.request(.delete, path).status == 204)
            #expect(try await send("bye", to: path, key: "k1", on: stage).text == first.text)
            #expect(try await send("bye", to: path, key: "k2", on: stage).status == 410)
            let nowhere = "/sessions/\(String(repeating: "0", count: 32))"
            #expect(try await send("bye", to: nowhere, key: "k1", on: stage).status == 404)
        }
    }

    @Test(
        arguments: [
            (["Content-Type": "text/plain"], 415), (["Content-Encoding": "gzip"], 415), (["If-Match": "2"], 400),
        ] as [(HeaderFields, Int)])
    func `a malformed request does not get the stored answer, and gets 410 if the session has ended`(
        fields: HeaderFields, status: Int
    ) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let path = "/sessions/\(try await stage.open("hello-bye").id)"
            let first = try await send("bye", to: path, key: "k1", on: stage)
            let unread = try await send("bye", to: path, key: "k1", also: fields, on: stage)
            #expect(unread.status == status)
            #expect(unread.headers["Idempotent-Replayed"] == nil)
            #expect(try await stage.request(.delete, path).status == 204)
            #expect(try await send("bye", to: path, key: "k1", also: fields, on: stage).status == 410)
            #expect(try await send("bye", to: path, key: "k1", on: stage).text == first.text)
        }
    }

    @Test(
        arguments: [
            ["Idempotency-Key": ""], ["Idempotency-Key": "a b"], ["Idempotency-Key": "ü"],
            ["Idempotency-Key": String(repeating: "k", count: 256)], ["Idempotency-Key": "a", "idempotency-key": "b"],
        ] as [HeaderFields])
    func `a malformed key gets 400 with a description of valid keys`(headers: HeaderFields) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            for (path, body) in [
                ("/sessions", #"{"app":"hello-bye"}"#), ("/sessions/\(walk.id)/events", #"{"event":"bye"}"#),
            ] {
                let answer = try await stage.request(.post, path, headers: headers, body: body)
                #expect(answer.status == 400)
                #expect(answer.detail.contains("255 visible characters"))
            }
            #expect(try await walk.state()["revision"]?.integer == 1)
        }
    }

    @Test func `after a cut connection, a retry with the same key does not repeat the input`() async throws {
        let log = Log(.text, sink: { _ in })
        let server = try Server(apps: [HelloByeApp.self], options: .test, log: log)
        try await BlockingThreads.run {
            let client = LocalhostClient(port: server.port)
            let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
            let path = "\(try #require(opened["Location"]))/events"
            for turn in 0..<50 {
                let body = #"{"event":"\#(turn.isMultiple(of: 2) ? "bye" : "hello")"}"#
                // The client closes its connection at once.
                try RawConnection(port: server.port).send(
                    "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        + "Idempotency-Key: turn-\(turn)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                let answer = try client.request(
                    "POST", path, headers: [("Idempotency-Key", "turn-\(turn)")], body: body)
                #expect(answer.status == 200)
                #expect(try JSONDocument(parsing: answer.body).root[member: "revision"]?.integer == turn + 2)
            }
        }
        await server.stop()
    }

    private func open(_ app: String, key: String, on stage: Stage) async throws -> Answer {
        try await stage.request(
            .post, "/sessions", headers: ["Idempotency-Key": key], body: #"{"app":"\#(app)"}"#)
    }

    private func send(
        _ event: String, to path: String, key: String, also headers: HeaderFields = [:], on stage: Stage
    ) async throws -> Answer {
        var headers = headers
        headers.append(name: "Idempotency-Key", value: key)
        return try await stage.request(.post, "\(path)/events", headers: headers, body: #"{"event":"\#(event)"}"#)
    }
}
