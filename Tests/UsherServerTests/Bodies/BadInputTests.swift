import HelloBye
import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON

/// Tests that every bad input has its own status and one sentence that says what to do, and changes nothing.
@Suite("Bad requests")
struct BadInputTests {
    @Test(
        arguments: [
            ("", 400, "line 1, column 1"),
            ("nonsense", 400, "line 1"),
            (#"{"event":"startApp",}"#, 400, "line 1, column"),
            (#"{"event":"startApp"} x"#, 400, "line 1, column"),
            (#"{"event":"startApp","event":"startApp"}"#, 400, "duplicate"),
            (#"{"event":{"startApp":{"x":1,"x":1}}}"#, 400, "duplicate"),
            (#"{"event":"\ud800"}"#, 400, "surrogate"),
            (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), 400, "64"),
            (#"[]"#, 400, "expected an object"),
            (#"{}"#, 400, "exactly one of"),
            (#"{"foo":1}"#, 400, "unknown member \"foo\""),
            (#"{"event":"startApp","foo":1}"#, 400, "unknown member \"foo\""),
            (#"{"event":true}"#, 400, "event's name"),
            (#"{"screen":"1","event":"startApp"}"#, 400, "whole number"),
            (#"{"screen":99999999999999999999,"event":"startApp"}"#, 400, "whole number"),
            (#"{"back":1}"#, 400, "expected true"),
            (#"{"popped":1.5}"#, 400, "whole number"),
            (#"{"popped":null}"#, 400, "whole number"),
            (#"{"screen":2.0,"event":"startApp"}"#, 409, "never"),
            (#"{"popped":1.0}"#, 422, "root"),
            (#"{"select":5}"#, 400, "name of a tab"),
            (#"{"open":"home"}"#, 400, "list of flows"),
            (#"{"open":[]}"#, 400, "list of flows"),
            (#"{"open":["home",5]}"#, 400, "/open/1"),
            (#"{"open":["home"]}"#, 422, "accepts no links"),
            (#"{"select":"chat"}"#, 422, "no tabs"),
            (#"{"screen":2,"event":"startApp"}"#, 409, "never"),
            (#"{"screen":0,"event":"startApp"}"#, 409, "never"),
            (#"{"popped":7}"#, 409, "never"),
            (#"{"event":"StartApp"}"#, 422, "startApp"),
            (#"{"event":"startApp "}"#, 422, "startApp"),
            (#"{"event":{"startApp":5}}"#, 422, "startApp"),
            (#"{"event":{"startApp":{"now":true}}}"#, 422, "now"),
            (#"{"popped":1}"#, 422, "root"),
            (#"{"dismissed":1}"#, 422, "first screen of a modal"),
            (#"{"back":true}"#, 422, "root"),
        ], Surface.allCases)
    func `an invalid event is refused and changes nothing`(
        row: (body: String, status: Int, words: String), surface: Surface
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            let answer = try await walk.expectUnchanged(row.status, naming: row.words) { try await $0.post(row.body) }
            expectProblem(answer, row.status)
            #expect((answer["current"] != nil) == (row.status != 400))
        }
    }

    @Test(arguments: [
        ("", 400, "line 1"),
        ("[]", 400, "expected an object"),
        ("{}", 400, "missing member \"app\""),
        (#"{"app":5}"#, 400, "/app"),
        (#"{"app":"hello-bye","extra":1}"#, 400, "extra"),
        (#"{"app":"hello-bye","options":[]}"#, 400, "/options"),
        (#"{"app":"nope"}"#, 422, "hello-bye"),
        (#"{"app":"hello-bye","options":{"greeting":"yes"}}"#, 422, "greeting"),
        (#"{"app":"hello-bye","options":{"colour":"red"}}"#, 422, "colour"),
        (#"{"app":"hello-bye","client":"ios"}"#, 400, "/client"),
        (#"{"app":"hello-bye","client":{"os":"ios"}}"#, 400, "unknown member \"os\""),
        (#"{"app":"hello-bye","client":{"screens":{"bye":0}}}"#, 400, "/client/screens/bye"),
        (#"{"app":"hello-bye","client":{"locale":"ko_KR"}}"#, 400, "BCP 47"),
        (#"{"app":"hello-bye","client":{"timeZone":"Asia Seoul"}}"#, 400, "/client/timeZone"),
        (#"{"app":"hello-bye","client":{"name":"\#(String(repeating: "a", count: 65))"}}"#, 400, "1 to 64"),
    ])
    func `an invalid request to open a session is refused`(body: String, status: Int, words: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(.post, "/sessions", body: body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.detail.contains(words), "\(answer.text)")
            expectProblem(answer, status)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "application/jsonx", "",
        "application/json, text/plain",
    ])
    func `a body of another media type is refused`(type: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(
                .post, "/sessions", headers: ["Content-Type": type], body: #"{"app":"hello-bye"}"#)
            expectProblem(answer, 415)
        }
    }

    @Test(arguments: [
        "application/json", "Application/JSON", "application/json; charset=UTF-8", "application/json;charset=\"utf-8\"",
    ])
    func `every JSON media type is accepted`(type: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(
                .post, "/sessions", headers: ["Content-Type": type], body: #"{"app":"hello-bye"}"#)
            #expect(answer.status == 201)
        }
    }

    @Test(arguments: ["gzip", "br", "deflate, gzip", "identity, gzip", ""])
    func `a body with a content coding, such as gzip, is refused`(coding: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let answer = try await stage.request(
                .post, "/sessions", headers: ["Content-Encoding": coding], body: #"{"app":"hello-bye"}"#)
            expectProblem(answer, 415)
            #expect(answer.headers["Accept-Encoding"] == "identity")
            #expect(answer.detail.contains("Content-Encoding"))
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test(arguments: ["identity", "Identity"])
    func `a body with the content coding identity is accepted`(coding: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage throws in
            let headers: HeaderFields = ["Content-Encoding": coding]
            let body = #"{"app":"hello-bye"}"#
            #expect(try await stage.request(.post, "/sessions", headers: headers, body: body).status == 201)
        }
    }

    @Test(arguments: Surface.allCases)
    func `an optional member may be null, and an integer may be written as a number such as 2.0`(
        on surface: Surface
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let opened = try await stage.request(
                .post, "/sessions", body: #"{"app":"start-login-main","options":null,"open":null}"#)
            #expect(opened.status == 201, "\(opened.text)")
            let walk = try Walk(on: stage, opened: opened)
            #expect(try await walk.post(#"{"screen":1.0,"event":"startApp"}"#).status == 200)
            #expect(try await walk.post(#"{"popped":2e0}"#).status == 200)
            #expect(try await walk.post(#"{"screen":null,"event":"startApp"}"#).status == 200)
            #expect(walk.answer["revision"]?.integer == 4)
        }
    }

    @Test(arguments: Surface.allCases)
    func `an answer with the status 404, 405 or 410 may not be stored by a cache`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            let unknown = "/sessions/\(String(repeating: "0", count: 32))"
            for (path, status) in [("/nowhere", 404), (unknown, 404), ("\(unknown)/stream", 404)] {
                let answer = try await stage.request(.get, path)
                #expect(answer.status == status)
                #expect(answer.headers["Cache-Control"] == "no-store", "\(path)")
            }
            #expect(try await stage.request(.put, walk.path).headers["Cache-Control"] == "no-store")
            #expect(try await walk.delete().status == 204)
            let gone = try await walk.state()
            #expect(gone.status == 410)
            #expect(gone.headers["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: Surface.allCases)
    func `a body over 64 KiB is refused before it is parsed`(on surface: Surface) async throws {
        guard surface == .localhost else { return }
        try await surface.serve([HelloByeApp.self]) { stage in
            let padding = String(repeating: " ", count: 64 * 1024)
            expectProblem(try await stage.request(.post, "/sessions", body: #"{"app":"hello-bye"}"# + padding), 413)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test(arguments: ["nope", "0123456789abcdef0123456789abcdef", "%00", "0123456789ABCDEF0123456789ABCDEF"])
    func `every request to an unknown session gets 404`(id: String) async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            expectProblem(try await stage.request(.get, "/sessions/\(id)"), 404)
            expectProblem(try await stage.request(.delete, "/sessions/\(id)"), 404)
            expectProblem(try await stage.request(.post, "/sessions/\(id)/events", body: "nonsense"), 404)
            expectProblem(try await stage.request(.get, "/admin/sessions/\(id)/tree"), 404)
        }
    }

    @Test(arguments: Surface.allCases)
    func `an unsupported method gets 405 with Allow`(on surface: Surface) async throws {
        try await surface.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            let answer = try await stage.request(.put, walk.path, body: "{}")
            expectProblem(answer, 405)
            #expect(answer.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS")
            let options = try await stage.request(.options, "\(walk.path)/events")
            #expect(options.status == 204)
            #expect(options.headers["Allow"] == "OPTIONS, POST")
            let head = try await stage.request(.head, walk.path)
            #expect(head.status == 200)
            #expect(head.headers["ETag"] == "\"1\"")
        }
    }

    @Test func `an event is checked in this order: the session's end, JSON, If-Match, screen`() async throws {
        try await Surface.inProcess.serve([HelloByeApp.self]) { stage in
            let walk = try await stage.open("hello-bye")
            let stale: HeaderFields = ["If-Match": "\"9\""]
            #expect(try await walk.post("nonsense", headers: stale).status == 400)
            #expect(try await walk.post(#"{"screen":9,"event":"x"}"#, headers: stale).status == 412)
            #expect(try await walk.post(#"{"screen":9,"event":"x"}"#).status == 409)
            #expect(try await walk.post(#"{"screen":1,"event":"x"}"#).status == 422)
            _ = try await walk.delete()
            #expect(try await walk.post("nonsense", headers: stale).status == 410)
        }
    }

    private func expectProblem(
        _ answer: Answer, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.headers["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
        #expect(answer["status"]?.integer == status, sourceLocation: sourceLocation)
        #expect(answer["type"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(answer["title"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(answer.detail.count > 10, sourceLocation: sourceLocation)
    }
}
