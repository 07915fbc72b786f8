import StartLoginMain
import Testing
import UsherHTTP
import UsherJSON

/// Tests of the S rows of `scenarios.md`.
@Suite("start-login-main")
struct StartLoginMainRows {
    @Test("S-01: start is the first screen", arguments: Surface.forSamples)
    func start(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.expect("n[start]", "App→[Start]")
        }
    }

    @Test("S-02: startApp shows the login", arguments: Surface.forSamples)
    func startApp(on surface: Surface) async throws {
        try await walk(on: surface, "startApp") { walk in
            try await walk.expect("n[start, login]", "App→[Start→[Login]]")
            #expect(walk.answer["changes"]?.text == #"[{"push":[2]}]"#)
        }
    }

    @Test("S-03: login pops itself and pushes main in one event", arguments: Surface.forSamples)
    func login(on surface: Surface) async throws {
        try await walk(on: surface, "startApp", "login") { walk in
            try await walk.expect("n[start, main]", "App→[Start→[Main]]")
            #expect(walk.answer["changes"]?.text == #"[{"pop":[2]},{"push":[3]}]"#)
        }
    }

    @Test("S-04: profileEdit shows the login again", arguments: Surface.forSamples)
    func profileEdit(on surface: Surface) async throws {
        try await walk(on: surface, "startApp", "login", "profileEdit") { walk in
            try await walk.expect("n[start, main, login]", "App→[Start→[Main→[Login]]]")
            #expect(try await walk.screens() == [1, 3, 4])
        }
    }

    @Test("S-05: the second login leads back to main", arguments: Surface.forSamples)
    func secondLogin(on surface: Surface) async throws {
        try await walk(on: surface, "startApp", "login", "profileEdit", "login") { walk in
            try await walk.expect("n[start, main]", "App→[Start→[Main]]")
        }
    }

    @Test("S-06: back from the login shows start", arguments: Surface.forSamples)
    func backFromLogin(on surface: Surface) async throws {
        try await walk(on: surface, "startApp") { walk in
            #expect(walk.answer["back"]?.boolean == true)
            try await walk.back()
            try await walk.expect("n[start]", "App→[Start]")
            #expect(walk.answer["back"]?.boolean == false)
        }
    }

    @Test(
        "S-07: after going back and starting the app a hundred times, one login is left", arguments: Surface.forSamples)
    func backAndForth(on surface: Surface) async throws {
        try await walk(on: surface, "startApp") { walk in
            for _ in 0..<100 {
                try await walk.back()
                try await walk.send("startApp")
            }
            try await walk.expect("n[start, login]", "App→[Start→[Login]]")
        }
    }

    @Test("S-08: back from main shows start", arguments: Surface.forSamples)
    func backFromMain(on surface: Surface) async throws {
        try await walk(on: surface, "startApp", "login") { walk in
            try await walk.back()
            try await walk.expect("n[start]", "App→[Start]")
        }
    }

    @Test("S-09: back twice shows main and then start", arguments: Surface.forSamples)
    func backTwice(on surface: Surface) async throws {
        try await walk(on: surface, "startApp", "login", "profileEdit") { walk in
            try await walk.back()
            try await walk.expect("n[start, main]", "App→[Start→[Main]]")
            try await walk.back()
            try await walk.expect("n[start]", "App→[Start]")
        }
    }

    @Test("S-10: an event of the login is refused as stale after the login has left", arguments: Surface.forSamples)
    func goneLogin(on surface: Surface) async throws {
        try await walk(on: surface, "startApp", "login") { walk in
            try await walk.expectUnchanged(409, naming: "gone") { try await $0.send("login", from: 2) }
        }
    }

    @Test("S-11: an event of start is refused while another screen covers it", arguments: Surface.forSamples)
    func coveredStart(on surface: Surface) async throws {
        try await walk(on: surface, "startApp") { walk in
            try await walk.expectUnchanged(409, naming: "covered") { try await $0.send("startApp", from: 1) }
        }
    }

    @Test("S-12: the root cannot go back", arguments: Surface.forSamples)
    func backFromStart(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.expectUnchanged(422) { try await $0.back() }
        }
    }

    @Test("S-13: an unknown event is refused with a list of the events", arguments: Surface.forSamples)
    func unknownEvent(on surface: Surface) async throws {
        try await walk(on: surface) { walk in
            try await walk.expectUnchanged(422, naming: "startApp") { try await $0.send("fly") }
        }
    }

    @Test("S-14: a user who is logged in goes straight to main", arguments: Surface.forSamples)
    func loggedIn(on surface: Surface) async throws {
        try await walk(on: surface, options: #"{"loggedIn":true}"#, "startApp") { walk in
            try await walk.expect("n[start, main]", "App→[Start→[Main]]")
        }
    }

    private func walk(
        on surface: Surface, options: String? = nil, _ events: String..., body: (Walk) async throws -> Void
    ) async throws {
        try await surface.serve([StartLoginMainApp.self]) { stage in
            let walk = try await stage.open("start-login-main", options: options)
            for event in events { #expect(try await walk.send(event).status == 200) }
            try await body(walk)
        }
    }
}
