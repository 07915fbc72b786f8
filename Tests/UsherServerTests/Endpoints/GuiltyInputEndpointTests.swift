import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherProcess

/// Tests of guilty inputs, which the journal contains as if a crash or an isolated run had added them.
@Suite("Inputs that crashed the server, over HTTP")
struct GuiltyInputEndpointTests {
    private let journal: RecordedJournal

    init() throws {
        journal = try RecordedJournal()
    }

    /// Records a session of three revisions.
    private func record() async throws -> String {
        var id = ""
        try await journal.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            for event in ["startApp", "login"] { try await walk.send(event) }
            id = walk.id
        }
        return id
    }

    private func condemn(
        _ kind: GuiltyInput.Kind, of id: String?, upon revision: Int, _ bytes: String
    ) async throws {
        let session = id.map { id in
            let words = [id.prefix(16), id.suffix(16)].map { UInt64($0, radix: 16) ?? 0 }
            return JournalKey(high: words[0], low: words[1])
        }
        let input = GuiltyInput(
            GuiltyInput.Identity(kind, of: session, upon: revision, Array(bytes.utf8)),
            at: GuiltyInput.Site(app: "start-login-main", screen: "", event: "any"), build: BuildIdentity.current,
            time: 1_795_181_309_042, crash: "SIGILL in Shop.pay()")
        try await journal.use { journal in try await journal.add(input) }
    }

    private func serve(_ lines: LogLines = LogLines(), _ body: (Stage) async throws -> Void) async throws {
        try await journal.serve([StartLoginMainApp.self], lines: lines, body)
    }

    @Test func `an event that crashed the server gets 422 with the crash, its time and the state, whatever its key`()
        async throws
    {
        let id = try await record()
        try await condemn(.input, of: id, upon: 3, #"{"back":true}"#)
        try await serve { stage in
            let state = try await stage.request(.get, "/sessions/\(id)")
            for headers in [[:], ["Idempotency-Key": "a"], ["Idempotency-Key": "b"]] as [HeaderFields] {
                let answer = try await stage.request(
                    .post, "/sessions/\(id)/events", headers: headers, body: #"{"back":true}"#)
                #expect(answer.status == 422)
                #expect(answer["type"]?.string == "urn:usher:problem:input-crashes")
                #expect(answer.detail.contains("SIGILL in Shop.pay()"))
                #expect(answer.detail.contains("2026-11-20T"))
                #expect(answer["current"]?.text == state.text)
                #expect(answer.headers["ETag"] == state.headers["ETag"])
            }
            let other = try await stage.request(.post, "/sessions/\(id)/events", body: #"{"event":"profileEdit"}"#)
            #expect(other.status == 200)
            let metrics = try await stage.request(.get, "/metrics").text
            #expect(metrics.contains(#"usher_events_total{app="start-login-main",outcome="crashes"} 3"#))
            #expect(metrics.contains(#"usher_incidents_total{kind="guilty"} 0"#))
        }
    }

    @Test func `a session's creation that crashed the server gets 422 without a state`() async throws {
        try await condemn(.creation, of: nil, upon: 0, "\"start-login-main\"\0{\"loggedIn\":true}\0")
        try await serve { stage in
            let body = #"{"app":"start-login-main","options":{"loggedIn":true}}"#
            let answer = try await stage.request(.post, "/sessions", body: body)
            #expect(answer.status == 422)
            #expect(answer["type"]?.string == "urn:usher:problem:input-crashes")
            #expect(answer["current"] == nil)
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
            _ = try await stage.open("start-login-main")
        }
    }

    @Test func `a request to a session whose replay crashes gets 503, and the session can still be ended`() async throws
    {
        let id = try await record()
        try await condemn(.replay, of: id, upon: 3, "")
        try await serve { stage in
            let requests: [(UsherHTTP.Method, String, String?)] = [
                (.get, "", nil), (.post, "/events", #"{"back":true}"#), (.get, "/stream", nil),
            ]
            for (method, path, body) in requests {
                let answer = try await stage.request(method, "/sessions/\(id)\(path)", body: body)
                #expect(answer.status == 503)
                #expect(answer["type"]?.string == "urn:usher:problem:session-held")
                #expect(answer["held"]?.string == "replay-crashes")
                #expect(answer["revision"]?.integer == 3)
                #expect(answer.headers["Retry-After"] == nil)
            }
            #expect(try await stage.request(.get, "/admin/sessions/\(id)/at/3").status == 422)
            #expect(try await stage.request(.get, "/admin/sessions/\(id)/at/2")["revision"]?.integer == 2)
            #expect(try await stage.request(.delete, "/sessions/\(id)").status == 204)
            #expect(try await stage.request(.get, "/sessions/\(id)").status == 410)
        }
    }

    @Test func `a session whose replay crashes can be rolled back to an earlier revision`() async throws {
        let id = try await record()
        try await condemn(.replay, of: id, upon: 3, "")
        let path = "/admin/sessions/\(id)/rollback"
        let lines = LogLines()
        try await serve(lines) { stage in
            for (body, status, type) in [
                ("", 400, "malformed-body"), ("{}", 400, "malformed-body"),
                (#"{"revision":"1"}"#, 400, "malformed-body"),
                (#"{"revision":0}"#, 422, "no-revision"), (#"{"revision":3}"#, 422, "no-revision"),
            ] {
                let answer = try await stage.request(.post, path, body: body)
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer["type"]?.string == "urn:usher:problem:\(type)")
            }
            let answer = try await stage.request(.post, path, body: #"{"revision":2}"#)
            #expect(answer.status == 200)
            #expect(answer["revision"]?.integer == 4)
            #expect(answer.headers["ETag"]?.hasPrefix("\"4") == true)
            #expect(answer["resumed"]?[member: "revision"]?.integer == 2)
            #expect(answer["changes"]?.text == #"[{"replace":{"out":[3],"in":[1,2]}}]"#)
            #expect(try await stage.request(.get, "/sessions/\(id)").text == answer.text)
            let again = try await stage.request(.post, path, body: #"{"revision":2}"#)
            #expect(again["type"]?.string == "urn:usher:problem:no-revision")
        }
        #expect(lines.all.contains { $0.contains("session rolled back") && !$0.contains(id) })
        try await serve { stage in
            let state = try await stage.request(.get, "/sessions/\(id)")
            #expect(state["revision"]?.integer == 4)
        }
    }

    @Test func `a session whose creation crashes cannot be rolled back, and the error advises to end the session`()
        async throws
    {
        let id = try await record()
        try await condemn(.replay, of: id, upon: 1, "")
        try await serve { stage in
            let state = try await stage.request(.get, "/sessions/\(id)")
            #expect(state.status == 503)
            #expect(state["held"]?.string == "replay-crashes")
            let answer = try await stage.request(.post, "/admin/sessions/\(id)/rollback", body: #"{"revision":1}"#)
            #expect(answer.status == 422)
            #expect(answer.detail.contains("end the session with DELETE"), "\(answer.detail)")
            #expect(try await stage.request(.delete, "/sessions/\(id)").status == 204)
        }
    }

    @Test func `a rollback of an unknown session gets 404, whatever its body`() async throws {
        try await serve { stage in
            let id = String(repeating: "0", count: 32)
            for body in ["{}", #"{"revision":1}"#] {
                let answer = try await stage.request(.post, "/admin/sessions/\(id)/rollback", body: body)
                #expect(answer.status == 404)
            }
        }
    }

    @Test(arguments: ["replay", "export"])
    func `usher replay and usher export work up to the revision at which a replay crashes, and report the crash`(
        command: String
    )
        async throws
    {
        let id = try await record()
        try await condemn(.replay, of: id, upon: 3, "")
        await #expect {
            _ = try await journal.run(command, id, apps: [StartLoginMainApp.self])
        } throws: { error in
            "\(error)" == "this build cannot replay revision 3, which ended its process (SIGILL in Shop.pay())"
        }
        let (status, lines) = try await journal.run(command, id, "--to", "2", apps: [StartLoginMainApp.self])
        #expect(status == 0)
        #expect(lines.joined().contains(command == "replay" ? #""revision":2"# : "startApp"))
        #expect(!lines.joined().contains(#""event":"login""#))
    }
}
