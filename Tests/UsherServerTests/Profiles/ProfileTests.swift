import HelloBye
import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherServer

@Suite("The changes profile of answers", .timeLimit(.minutes(5)))
struct ProfileTests {
    private static let profile: HeaderFields = ["Accept": "application/json; profile=changes"]
    private static let login = #"{"screen":2,"event":"login"}"#

    @Test(arguments: Surface.allCases)
    func `screens that the client already has are sent as ids only, and events are sent as names only`(surface: Surface)
        async throws
    {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let opened = try await stage.request(
                .post, "/sessions", headers: Self.profile, body: #"{"app":"start-login-main"}"#)
            #expect(opened.status == 201)
            #expect(opened.headers["Content-Type"] == "application/json; profile=changes")
            #expect(opened.headers["Vary"] == "Accept")
            #expect(opened.headers["ETag"] == "W/\"1\"")
            #expect(opened["since"] == nil)
            #expect(screens(of: opened) == [["id", "screen", "coordinator", "shown", "state", "events"]])
            #expect(opened["stack"]?.elements.first { _ in true }?[member: "events"]?.text == #"["startApp"]"#)

            let walk = try Walk(on: stage, opened: opened)
            let pushed = try await walk.post(#"{"event":"startApp"}"#, headers: Self.profile)
            #expect(pushed["since"]?.integer == 1)
            #expect(screens(of: pushed) == [["id"], ["id", "screen", "coordinator", "shown", "state", "events"]])
            #expect(pushed["changes"]?.text == #"[{"push":[2]}]"#)
            // After going back, the client knows the screen, but not its events.
            let back = try await walk.post(#"{"back":true}"#, headers: Self.profile)
            #expect(back["since"]?.integer == 2)
            #expect(back["stack"]?.text == #"[{"id":1,"events":["startApp"]}]"#)
            // The client reports that a screen is gone, which is already known. The revision does not change.
            let fact = try await walk.post(#"{"popped":2}"#, headers: Self.profile)
            #expect(fact.text == back.text)
        }
    }

    @Test func `a GET that names the previous revision gets only the changes; every other GET gets every screen`()
        async throws
    {
        try await walk { walk in
            func state(knowing tag: String?) async throws -> Answer {
                var fields = Self.profile
                if let tag { fields.append(name: "If-None-Match", value: tag) }
                return try await walk.state(headers: fields)
            }
            for tag in [nil, "\"1\"", "\"7\"", "\"x\"", "\"0\""] {
                let all = try await state(knowing: tag)
                #expect(all["since"] == nil)
                #expect(screens(of: all).allSatisfy { $0.contains("state") }, "\(tag ?? "none")")
                #expect(all.headers["Vary"] == "Accept")
            }
            for tag in ["\"2\"", "W/\"2\"", "\"1\", \"2\""] {
                let changes = try await state(knowing: tag)
                #expect(changes["since"]?.integer == 2)
                #expect(screens(of: changes).first == ["id"])
            }
            for tag in ["\"3\"", "W/\"3\"", "*"] { #expect(try await state(knowing: tag).status == 304) }
            #expect(try await state(knowing: "2").status == 400)
            let poll = Self.profile.appending("If-None-Match", "\"2\"").appending("Prefer", "wait=30")
            #expect(try await walk.state(headers: poll)["since"]?.integer == 2)
            // `If-Match` is sent without the prefix `W/` of the response's tag.
            #expect(try await state(knowing: nil).headers["ETag"] == "W/\"3\"")
            let event = #"{"event":"profileEdit"}"#
            #expect(try await walk.post(event, headers: Self.profile.appending("If-Match", "\"3\"")).status == 200)
        }
    }

    @Test(arguments: [
        ("application/json;profile=changes", true), ("Application/JSON ; Profile=\"changes\"", true),
        ("application/json; charset=utf-8; profile=\"urn:other changes\"", true),
        ("application/json; profile=changes, */*", true), ("*/*;q=0.1, application/json;profile=changes;q=0.5", true),
        ("text/event-stream, application/json;profile=changes", true),
        ("application/json;profile=changes;q=x", true),
        ("application/json", false), ("*/*", false), ("", false), ("text/html", false), (";;,=", false),
        ("application/json;profile=changes;q=0", false), ("application/json;profile=changes;q=0.5, */*", false),
        ("application/json;profile=other, */*;q=0.1", false), ("text/html;profile=other", false),
        ("application/json;profile=", false), ("text/html;profile=\"a,application/json;profile=changes\"", false),
    ])
    func `Accept is parsed as RFC 9110 requires, and its profile parameter selects the profile`(
        accept: String, isHeard: Bool
    ) async throws {
        try await walk { walk in
            let answer = try await walk.state(headers: ["Accept": accept])
            #expect(answer.status == 200)
            let type = "application/json"
            #expect(answer.headers["Content-Type"] == (isHeard ? "\(type); profile=changes" : type))
            #expect(answer.headers["Vary"] == "Accept")
        }
    }

    @Test(arguments: Surface.allCases)
    func `an unknown profile gets 406 with the known profile, and the request has no effect`(surface: Surface)
        async throws
    {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            let other: HeaderFields = ["Accept": "application/json;profile=full"]
            func expectRefused(_ answer: Answer) {
                #expect(answer.status == 406)
                #expect(answer.headers["Content-Type"] == "application/problem+json")
                #expect(answer.headers["Vary"] == "Accept")
                #expect(answer.detail.contains("application/json; profile=changes"))
            }
            expectRefused(try await stage.request(.get, walk.path, headers: other))
            expectRefused(try await stage.request(.get, "\(walk.path)/stream", headers: other))
            expectRefused(try await stage.request(.post, "/sessions", headers: other, body: #"{"app":"hello-bye"}"#))
            expectRefused(
                try await walk.expectUnchanged(406) { try await $0.post(#"{"event":"startApp"}"#, headers: other) })
            let unknown = "/sessions/\(String(repeating: "0", count: 32))"
            for path in [unknown, "\(unknown)/stream"] {
                #expect(try await stage.request(.get, path, headers: other).status == 404)
            }
            #expect(
                try await stage.request(.post, "\(unknown)/events", headers: other, body: #"{"back":true}"#).status
                    == 404)
            // The response to `DELETE` has no profile.
            #expect(try await stage.request(.delete, walk.path, headers: other).status == 204)
        }
    }

    @Test(arguments: Surface.allCases)
    func `a repeated request with the profile gets every screen; without the profile, it gets the first bytes again`(
        surface: Surface
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let key = HeaderFields().appending("Idempotency-Key", "k1")
            let open = #"{"app":"start-login-main"}"#
            let opened = try await stage.request(.post, "/sessions", headers: key, body: open)
            let again = try await stage.request(
                .post, "/sessions", headers: key.appending("Accept", "application/json;profile=changes"), body: open)
            #expect(again.status == 201)
            #expect(again.headers["Idempotent-Replayed"] == "true")
            #expect(again["stack"]?.elements.first { _ in true }?[member: "events"]?.text == #"["startApp"]"#)

            let walk = try Walk(on: stage, opened: opened)
            let fields = Self.profile.appending("Idempotency-Key", "k2")
            let first = try await walk.post(#"{"event":"startApp"}"#, headers: fields)
            #expect(first["since"]?.integer == 1)
            let state = try await walk.state()
            try await walk.post(Self.login)
            let repeated = try await walk.post(#"{"event":"startApp"}"#, headers: fields)
            #expect(repeated.headers["Idempotent-Replayed"] == "true")
            #expect(repeated["revision"]?.integer == 2)
            #expect(repeated["since"] == nil)
            #expect(screens(of: repeated).allSatisfy { $0.contains("state") })
            let whole = try await walk.post(#"{"event":"startApp"}"#, headers: ["Idempotency-Key": "k2"])
            #expect(whole.text == state.text)
        }
    }

    @Test func `an answer that waited for effects contains all changes since the input that began the effects`()
        async throws
    {
        try await Surface.inProcess.serve([ParcelApp.self]) { stage in
            let walk = try await stage.open("parcel")
            let answer = try await walk.post(#"{"event":{"send":{"name":"kim"}}}"#, headers: Self.profile)
            #expect(answer["revision"]?.integer == 3)
            #expect(answer["since"]?.integer == 1)
            #expect(screens(of: answer) == [["id"], ["id", "screen", "coordinator", "shown", "state", "events"]])
        }
    }

    @Test func `if a problem contains the state, the state is complete, whatever the profile`() async throws {
        try await walk { walk in
            let answer = try await walk.post(#"{"event":"none"}"#, headers: Self.profile)
            #expect(answer.status == 422)
            let whole = try await walk.state()
            #expect(answer["current"]?.text == whole.text)
        }
    }

    @Test func `with relaxed durability, an event gets only the changes if its If-Match names the same server run`()
        async throws
    {
        let journal = try RecordedJournal(.relaxed)
        try await journal.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            let tag = try #require(walk.answer.headers["ETag"])
            let unnamed = try await walk.post(#"{"event":"startApp"}"#, headers: Self.profile)
            #expect(unnamed["since"] == nil)
            let weak = try #require(unnamed.headers["ETag"])
            #expect(weak.hasPrefix("W/\"2."))
            let known = Self.profile.appending("If-None-Match", tag)
            #expect(try await walk.state(headers: known)["since"]?.integer == 1)
            let named = Self.profile.appending("If-Match", String(weak.dropFirst(2)))
            #expect(try await walk.post(Self.login, headers: named)["since"]?.integer == 2)
        }
    }

    @Test func `answers to a page of another origin name both Accept and Origin in Vary`() async throws {
        let configure: (inout ServeOptions) -> Void = { $0.allowedOrigins = ["https://shop.example"] }
        try await Surface.inProcess.serve([HelloByeApp.self], configure: configure) { stage in
            let walk = try await stage.open("hello-bye")
            let origin = HeaderFields().appending("Origin", "https://shop.example")
            #expect(try await walk.state(headers: origin).headers["Vary"] == "Accept, Origin")
            let event = origin.appending("Accept", "application/json;profile=changes")
            #expect(try await walk.post(#"{"event":"bye"}"#, headers: event).headers["Vary"] == "Accept, Origin")
            #expect(try await walk.post(#"{"event":"hello"}"#, headers: origin).headers["Vary"] == "Origin")
        }
    }

    /// Returns the names of the members of each screen in the stack.
    private func screens(of answer: Answer) -> [[String]] {
        answer["stack"]?.elements.map { $0.members.map(\.name) } ?? []
    }

    /// Opens a session at revision 3 with two screens.
    private func walk(_ body: (Walk) async throws -> Void) async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main")
            try await walk.post(#"{"event":"startApp"}"#)
            try await walk.post(Self.login)
            try await body(walk)
        }
    }
}

extension HeaderFields {
    /// Returns a copy with an additional field.
    fileprivate func appending(_ name: String, _ value: String) -> HeaderFields {
        var fields = self
        fields.append(name: name, value: value)
        return fields
    }
}
