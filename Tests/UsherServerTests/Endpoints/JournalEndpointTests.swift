import HelloBye
import StartLoginMain
import Testing
import Tudy
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("The endpoints for a session's journal")
struct JournalEndpointTests {
    @Test(arguments: Surface.allCases)
    func `the journal lists a session's inputs with their outcomes`(on surface: Surface) async throws {
        try await walk(on: surface) { stage, walk in
            let answer = try await stage.request(.get, "/admin\(walk.path)/journal")
            #expect(answer.status == 200)
            let entries = try #require(answer["entries"]).elements.map { $0 }
            #expect(entries.compactMap { $0[member: "revision"]?.integer } == [1, 2, 3])
            #expect(entries.compactMap { $0[member: "kind"]?.string } == ["creation", "input", "input"])
            #expect(entries.compactMap { $0[member: "visible"]?.string } == ["start 1", "login 2", "main 3"])
            #expect(entries.compactMap { $0[member: "nextIDs"]?[member: "screen"]?.integer } == [2, 3, 4])
            let coordinators = entries.compactMap { $0[member: "nextIDs"]?[member: "coordinator"]?.integer }
            #expect(coordinators.count == 3 && coordinators == coordinators.sorted())
            #expect(entries[0][member: "input"]?[member: "app"]?.string == "start-login-main")
            #expect(entries[2][member: "input"]?.text == #"{"screen":2,"event":"login"}"#)
            for entry in entries {
                #expect(entry[member: "time"]?.string?.hasSuffix("Z") == true)
                #expect(entry[member: "digest"]?.string?.count == 16)
            }
            let listed = try await stage.request(.get, "/admin/sessions")["sessions"]?.elements.first { _ in true }
            let bytes = entries.compactMap { $0[member: "bytes"]?.integer }.reduce(0, +)
            #expect(bytes == listed?[member: "recorded"]?.integer)
            #expect(answer["next"] == nil)
        }
    }

    @Test func `the journal lists the effects and timers that an input began`() async throws {
        try await Surface.inProcess.serve([TudyApp.self]) { stage throws in
            let walk = try await stage.open("tudy")
            for event in [#"{"event":"showLogin"}"#, #"{"event":{"login":{"name":"kim","password":"usher"}}}"#] {
                #expect(try await stage.request(.post, "\(walk.path)/events", body: event).status == 200)
            }
            let answer = try await stage.request(.get, "/admin\(walk.path)/journal", query: "after=1&limit=2")
            let entries = try #require(answer["entries"]).elements.map { $0 }
            #expect(entries[0][member: "begun"] == nil)
            #expect(entries[1][member: "begun"]?.text == #"[{"id":"3.1","name":"signIn"}]"#)
        }
    }

    @Test(arguments: Surface.allCases)
    func `the inputs in the journal are returned in pages`(on surface: Surface) async throws {
        try await walk(on: surface) { stage, walk in
            let path = "/admin\(walk.path)/journal"
            let first = try await stage.request(.get, path, query: "limit=2")
            #expect(first["entries"]?.elements.compactMap { $0[member: "revision"]?.integer } == [1, 2])
            #expect(first["next"]?.string == "\(path)?after=2&limit=2")
            let second = try await stage.request(.get, path, query: "after=2&limit=2")
            #expect(second["entries"]?.elements.compactMap { $0[member: "revision"]?.integer } == [3])
            #expect(second["next"] == nil)
            let beyond = try await stage.request(.get, path, query: "after=\(Int.max)")
            #expect(beyond["entries"]?.text == "[]")
        }
    }

    @Test(arguments: ["limit=0", "limit=1001", "limit=x", "limit=", "after=x", "after=-1", "after="])
    func `a request for an invalid page of the journal gets 400`(query: String) async throws {
        try await walk(on: .inProcess) { stage, walk in
            let answer = try await stage.request(.get, "/admin\(walk.path)/journal", query: query)
            #expect(answer.status == 400)
            #expect(answer["type"]?.string == "urn:usher:problem:malformed-request")
        }
    }

    @Test(arguments: Surface.allCases)
    func `the state at every revision can be read`(on surface: Surface) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            var states = [walk.answer.text]
            for input in [#"{"event":"startApp"}"#, #"{"event":"login"}"#, #"{"back":true}"#] {
                states.append(try await walk.post(input).text)
            }
            for (revision, state) in zip(1..., states) {
                #expect(try await stage.request(.get, "/admin\(walk.path)/at/\(revision)").text == state)
            }
            #expect(try await walk.state().text == states.last)
        }
    }

    @Test(arguments: Surface.allCases)
    func `the tree at every revision can be read`(on surface: Surface) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            var trees = [try await walk.report().text]
            for input in [#"{"event":"startApp"}"#, #"{"event":"login"}"#, #"{"back":true}"#] {
                try await walk.post(input)
                trees.append(try await walk.report().text)
            }
            for (revision, tree) in zip(1..., trees) {
                #expect(try await stage.request(.get, "/admin\(walk.path)/at/\(revision)/tree").text == tree)
            }
            #expect(Set(trees).count == 4)
        }
    }

    @Test(arguments: Surface.allCases)
    func `for each revision, the history has the same memory figures as the tree`(on surface: Surface)
        async throws
    {
        try await walk(on: surface) { stage, walk in
            try await walk.back()
            let points = try #require(try await stage.request(.get, "/admin\(walk.path)/history")["points"])
            #expect(points.elements.compactMap { $0[member: "revision"]?.integer } == [1, 2, 3, 4])
            for point in points.elements {
                let revision = try #require(point[member: "revision"]?.integer)
                let tree = try await stage.request(.get, "/admin\(walk.path)/at/\(revision)/tree")
                let counts = try #require(tree["coordinators"])
                for name in ["live", "created", "finished", "leaked"] {
                    #expect(point[member: name]?.integer == counts[member: name]?.integer, "\(name) at \(revision)")
                }
                #expect(point[member: "bytes"]?.integer == tree["bytes"]?.integer)
            }
        }
    }

    @Test(arguments: [
        "points=1", "points=2001", "points=x", "points=", "after=-1", "after=x", "revision=0", "revision=x",
    ])
    func `a history request with an invalid revision or number of points gets 400`(query: String) async throws {
        try await walk(on: .inProcess) { stage, walk in
            let answer = try await stage.request(.get, "/admin\(walk.path)/history", query: query)
            #expect(answer.status == 400)
            #expect(answer["type"]?.string == "urn:usher:problem:malformed-request")
        }
    }

    @Test func `the history can be requested for a range of revisions up to the newest`() async throws {
        try await walk(on: .inProcess) { stage, walk in
            let path = "/admin\(walk.path)/history"
            let range = try await stage.request(.get, path, query: "after=1&revision=2")
            #expect(range["points"]?.elements.compactMap { $0[member: "revision"]?.integer } == [2])
            let beyond = try await stage.request(.get, path, query: "revision=4")
            #expect(beyond.status == 422 && beyond.detail.contains("1 to 3"), "\(beyond.text)")
        }
    }

    @Test(arguments: ["0", "4", "-1", "x", "9223372036854775808", "1.0"], ["", "/tree"])
    func `a request for a revision that the session does not have gets 422`(revision: String, view: String) async throws
    {
        try await walk(on: .onDisk) { stage, walk in
            let answer = try await stage.request(.get, "/admin\(walk.path)/at/\(revision)\(view)")
            #expect(answer.status == 422)
            #expect(answer["type"]?.string == "urn:usher:problem:no-revision")
            #expect(answer["current"] == nil)
        }
    }

    @Test(arguments: Surface.allCases)
    func `a fork of a session begins in the session's state, and then both continue separately`(on surface: Surface)
        async throws
    {
        try await walk(on: surface) { stage, walk in
            let before = try await walk.state().text
            let then = try await stage.request(.get, "/admin\(walk.path)/at/2")
            let answer = try await stage.request(.post, "/admin\(walk.path)/fork", body: #"{"revision":2}"#)
            try #require(answer.status == 201, "\(answer.text)")
            let fork = try Walk(on: stage, opened: answer)
            #expect(fork.id != walk.id)
            #expect(answer.headers["Location"] == fork.path)
            #expect(answer.headers["ETag"]?.hasPrefix("\"2") == true)
            #expect(answer.text == then.text.replacing(walk.id, with: fork.id))

            try await fork.back()
            try await fork.expect("n[start]", "App→[Start]")
            #expect(fork.answer["revision"]?.integer == 3)
            #expect(try await walk.state().text == before)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 2)
        }
    }

    @Test(arguments: [
        ("", 400, "malformed-body"), ("1", 400, "malformed-body"), ("{}", 400, "malformed-body"),
        (#"{"revision":"1"}"#, 400, "malformed-body"), (#"{"revision":1.5}"#, 400, "malformed-body"),
        (#"{"revision":1,"more":1}"#, 400, "malformed-body"), (#"{"revision":0}"#, 422, "no-revision"),
        (#"{"revision":4}"#, 422, "no-revision"), (#"{"revision":-9223372036854775808}"#, 422, "no-revision"),
    ])
    func `an invalid request to fork a session opens no session`(body: String, status: Int, type: String) async throws {
        try await walk(on: .inProcess) { stage, walk in
            let answer = try await stage.request(.post, "/admin\(walk.path)/fork", body: body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer["type"]?.string == "urn:usher:problem:\(type)")
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 1)
        }
    }

    @Test(arguments: ["fork", "rollback"])
    func `an Idempotency-Key is refused for requests whose answers are not stored`(verb: String) async throws {
        try await walk(on: .inProcess) { stage, walk in
            let answer = try await stage.request(
                .post, "/admin\(walk.path)/\(verb)", headers: ["Idempotency-Key": "7a"], body: #"{"revision":2}"#)
            #expect(answer.status == 400)
            #expect(answer.detail.contains("no Idempotency-Key"))
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 1)
        }
    }

    @Test func `a full server refuses to fork a session`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self], configure: { $0.maxSessions = 1 }) { stage in
            let walk = try await stage.open("hello-bye")
            let answer = try await stage.request(.post, "/admin\(walk.path)/fork", body: #"{"revision":1}"#)
            #expect(answer.status == 503)
        }
    }

    @Test(arguments: [
        ("GET", "journal"), ("GET", "history"), ("GET", "at/1"), ("GET", "at/x"), ("POST", "fork"), ("POST", "fork!"),
    ])
    func `the journal of an unknown or ended session is refused`(method: String, path: String) async throws {
        try await Surface.onDisk.serve([HelloByeApp.self]) { stage in
            let ended = try await stage.open("hello-bye")
            _ = try await ended.delete()
            for (id, status) in [(String(repeating: "0", count: 32), 404), ("x", 404), (ended.id, 410)] {
                // The exclamation mark stands for an invalid body.
                let body = method == "GET" ? nil : path.hasSuffix("!") ? "{" : #"{"revision":1}"#
                let answer = try await stage.request(
                    method == "GET" ? .get : .post,
                    "/admin/sessions/\(id)/\(path.filter { $0 != "!" })", body: body)
                #expect(answer.status == status, "\(answer.text)")
            }
        }
    }

    @Test func `a backup is refused if the journal is in memory`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(.post, "/admin/backup")
            #expect(answer.status == 422)
            #expect(answer["type"]?.string == "urn:usher:problem:unsupported")
            #expect(answer.detail.contains("--journal sqlite:PATH"))
        }
    }

    /// Opens a session of three revisions.
    private func walk(on surface: Surface, _ body: (Stage, Walk) async throws -> Void) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            try await walk.send("startApp")
            try await walk.send("login", from: 2)
            try await body(stage, walk)
        }
    }
}
