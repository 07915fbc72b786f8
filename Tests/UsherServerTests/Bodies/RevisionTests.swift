import HelloBye
import Testing
import UsherHTTP
import UsherJSON
import UsherServer

@Suite("Revisions, entity tags and conditions")
struct RevisionTests {
    @Test(arguments: Surface.allCases)
    func `a new session has revision 1, each accepted input adds 1, and the ETag names the revision`(
        on surface: Surface
    )
        async throws
    {
        try await walk(on: surface) { walk in
            #expect(walk.answer.status == 201)
            #expect(walk.answer.headers["Location"] == walk.path)
            #expect(walk.answer.headers["ETag"] == "\"1\"")
            #expect(walk.answer["revision"]?.integer == 1)
            try await walk.send("bye")
            #expect(walk.answer.headers["ETag"] == "\"2\"")
            #expect(walk.answer["revision"]?.integer == 2)
            let state = try await walk.state()
            #expect(state.text == walk.answer.text)
            #expect(state.headers["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: [#""1""#, "*", #""0", "1""#, #"W/"9","1""#])
    func `an event is handled if its If-Match names the current revision`(condition: String) async throws {
        try await walk(on: .inProcess) { walk in
            let answer = try await walk.post(#"{"event":"bye"}"#, headers: ["If-Match": condition])
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [#""2""#, #"W/"1""#, #""x""#, #""01""#, #""0", "2""#, #""""#, #""1,1""#])
    func `an event whose If-Match names another revision gets 412 with the current state`(condition: String)
        async throws
    {
        try await walk(on: .inProcess) { walk in
            let answer = try await walk.expectUnchanged(412) {
                try await $0.post(#"{"event":"bye"}"#, headers: ["If-Match": condition])
            }
            #expect(answer["current", "revision"]?.integer == 1)
            #expect(answer.headers["ETag"] == "\"1\"")
        }
    }

    @Test(arguments: ["1", #"""#, "1, 2", "", #"* , "1""#])
    func `a malformed If-Match gets 400`(condition: String) async throws {
        try await walk(on: .inProcess) { walk in
            try await walk.expectUnchanged(400, naming: "If-Match") {
                try await $0.post(#"{"event":"bye"}"#, headers: ["If-Match": condition])
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func `If-Match is also checked for GET and DELETE`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            try await walk.send("bye")
            for method in [UsherHTTP.Method.get, .delete] {
                let answer = try await stage.request(method, walk.path, headers: ["If-Match": "\"1\""])
                #expect(answer.status == 412)
                #expect(answer["type"]?.string == "urn:usher:problem:revision-mismatch")
                #expect(answer["current", "revision"]?.integer == 2)
                #expect(answer.headers["ETag"] == "\"2\"")
                #expect(try await stage.request(method, walk.path, headers: ["If-Match": "2"]).status == 400)
            }
            // `If-Match` takes precedence (RFC 9110, section 13.2.2).
            let both: HeaderFields = ["If-Match": "\"1\"", "If-None-Match": "\"2\""]
            #expect(try await stage.request(.get, walk.path, headers: both).status == 412)
            for condition in ["\"2\"", "*"] {
                #expect(try await stage.request(.get, walk.path, headers: ["If-Match": condition]).status == 200)
            }
            #expect(try await stage.request(.delete, walk.path, headers: ["If-Match": "\"2\""]).status == 204)
            for condition in ["\"2\"", "2"] {
                #expect(try await stage.request(.delete, walk.path, headers: ["If-Match": condition]).status == 410)
            }
        }
    }

    @Test func `If-Match is also checked when DELETE ends a hibernating session`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self], configure: { $0.maxLive = 1 }) { stage in
            let asleep = try await stage.open("hello-bye")
            _ = try await stage.open("hello-bye")
            #expect(try await stage.request(.get, "/admin/sessions")["awake"]?.integer == 1)
            let answer = try await stage.request(.delete, asleep.path, headers: ["If-Match": "\"7\""])
            #expect(answer.status == 412)
            #expect(answer["current", "revision"]?.integer == 1)
            #expect(try await stage.request(.delete, asleep.path, headers: ["If-Match": "\"1\""]).status == 204)
            #expect(try await asleep.state().status == 410)
        }
    }

    @Test(arguments: [
        (#""1""#, 304), (#"W/"1""#, 304), ("*", 304), (#""0", "1""#, 304), (#""2""#, 200), (#""x""#, 200),
        (#""x,y", "1""#, 304), (#""x,y""#, 200),
    ])
    func `a GET whose If-None-Match names the current state gets 304`(condition: String, status: Int) async throws {
        try await walk(on: .localhost) { walk in
            let answer = try await walk.state(headers: ["If-None-Match": condition])
            #expect(answer.status == status)
            #expect(answer.body.isEmpty == (status == 304))
            #expect(answer.headers["ETag"] == "\"1\"")
            #expect(try await walk.state().headers["Content-Length"] == answer.headers["Content-Length"])
        }
    }

    private func walk(on surface: Surface, _ body: (Walk) async throws -> Void) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in try await body(try await stage.open("hello-bye")) }
    }
}
