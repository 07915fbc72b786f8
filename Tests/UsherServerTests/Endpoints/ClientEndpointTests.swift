import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON

@Suite("Clients that say what they can draw")
struct ClientEndpointTests {
    @Test(arguments: Surface.allCases)
    func `a client may describe itself fully, partly or not at all`(on surface: Surface) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            for client in [
                #"{"name":"ios","version":"3.2","screens":{"login":2,"*":1},"locale":"ko-KR","timeZone":"Asia/Seoul"}"#,
                "{}", "null", #"{"screens":null,"name":"web"}"#, #"{"screens":{"a screen of no app":7,"*":1}}"#,
            ] {
                let walk = try await open(stage, client)
                #expect(try await walk.send("startApp").status == 200)
            }
        }
    }

    @Test(arguments: Surface.allCases)
    func `an event gets 422 with the screen's name if the client cannot draw the event's screen`(
        on surface: Surface
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await open(stage, #"{"name":"ios","version":"3.2","screens":{"start":1}}"#)
            let answer = try await walk.expectUnchanged(422, naming: "the screen \"login\" of version 1") {
                try await $0.send("startApp")
            }
            #expect(answer["type"]?.string == "urn:usher:problem:undrawable-screen")
            #expect(answer["screen"]?.string == "login")
            #expect(answer["version"]?.integer == 1)
            #expect(answer["current", "revision"]?.integer == 1)
        }
    }

    @Test func `a session is not opened if the client cannot draw the first screen`() async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let answer = try await stage.request(
                .post, "/sessions", body: #"{"app":"start-login-main","client":{"screens":{"main":1}}}"#)
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer["type"]?.string == "urn:usher:problem:undrawable-screen")
            #expect(answer["screen"]?.string == "start")
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test(arguments: Surface.allCases)
    func `the sample's fallback screen asks an old client to update, and going back closes the screen`(
        on surface: Surface
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await open(stage, #"{"name":"ios","version":"3.2","screens":{"start":1,"update":1}}"#)
            try await walk.send("startApp")
            let shown = walk.answer["stack"]?.elements.map { $0 }.last
            #expect(shown?[member: "screen"]?.string == "update")
            #expect(shown?[member: "state"]?[member: "missing"]?.string == "login")
            #expect(try await walk.send("login").status == 422)
            #expect(try await walk.back().status == 200)
            #expect(try await walk.screens() == [1])
        }
    }

    @Test func `a repeated idempotency key is refused if the body describes another client`() async throws {
        try await Surface.inProcess.serve([StartLoginMainApp.self]) { stage in
            let key: HeaderFields = ["Idempotency-Key": "k"]
            let statuses = try await [#"{"name":"a"}"#, #"{"name":"b"}"#, #"{ "name" : "a" }"#].asyncMap { client in
                try await stage.request(
                    .post, "/sessions", headers: key, body: #"{"app":"start-login-main","client":\#(client)}"#
                ).status
            }
            #expect(statuses == [201, 422, 201])
        }
    }

    private func open(_ stage: Stage, _ client: String) async throws -> Walk {
        let answer = try await stage.request(
            .post, "/sessions", body: #"{"app":"start-login-main","client":\#(client)}"#)
        try #require(answer.status == 201, "\(answer.text)")
        return try Walk(on: stage, opened: answer)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
