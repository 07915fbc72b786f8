import Testing
import UsherHTTP
import UsherJSON

/// Tests of the Z rows of `scenarios.md` from the splash to a home.
@Suite("sooda: login")
struct SoodaLoginRows {
    @Test("Z-01: the splash is the first screen", arguments: Surface.forSamples)
    func start(on surface: Surface) async throws {
        try await surface.sooda(at: .splash) { walk in
            try await walk.expect("n[splash]", "App→[Splash]")
        }
    }

    @Test("Z-02: the splash leads to the onboarding", arguments: Surface.forSamples)
    func launchLogin(on surface: Surface) async throws {
        try await surface.sooda(at: .onboarding) { walk in
            try await walk.expect("n[onboarding]", "App→[Login]")
        }
    }

    @Test("Z-03: the splash leads to a workspace", arguments: Surface.forSamples)
    func launchHome(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            try await walk.expectTabs(7)
            #expect(try await walk.report()["coordinators", "live"]?.integer == 6)
        }
    }

    @Test("Z-04: the splash leads to the home without a workspace", arguments: Surface.forSamples)
    func launchEmpty(on surface: Surface) async throws {
        try await surface.sooda(at: .homeEmpty) { walk in
            try await walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
        }
    }

    @Test("Z-05: the choice of sign-ins is a sheet", arguments: Surface.forSamples)
    func selectAuth(on surface: Surface) async throws {
        try await surface.sooda(at: .selectAuth) { walk in
            try await walk.expect("n[onboarding] ⊕ sheet[selectAuth]", "App→[Login→[SelectAuth]]")
        }
    }

    @Test("Z-06: the email login is a second sheet, without its own coordinator", arguments: Surface.forSamples)
    func emailLogin(on surface: Surface) async throws {
        try await surface.sooda(at: .emailLogin) { walk in
            try await walk.expect(
                "n[onboarding] ⊕ sheet[selectAuth] ⊕ sheet[emailLogin]", "App→[Login→[SelectAuth]]")
        }
    }

    @Test("Z-07: the sign-up is a second sheet, without its own coordinator", arguments: Surface.forSamples)
    func signUp(on surface: Surface) async throws {
        try await surface.sooda(at: .signUp) { walk in
            try await walk.expect("n[onboarding] ⊕ sheet[selectAuth] ⊕ sheet[signUp]", "App→[Login→[SelectAuth]]")
        }
    }

    @Test("Z-08: Kim logs in and sees his workspace", arguments: Surface.forSamples)
    func logInKim(on surface: Surface) async throws {
        try await surface.sooda(at: .signedIn) { walk in
            try await walk.expectTabs(7)
            // Splash, Login and SelectAuth are deallocated; App and the tab bar with its four tabs remain.
            #expect(try await walk.report()["coordinators", "finished"]?.integer == 3)
        }
    }

    @Test("Z-09: Lee logs in and sees that he has no workspace", arguments: Surface.forSamples)
    func logInLee(on surface: Surface) async throws {
        try await surface.sooda(at: .emailLogin, SoodaPlace.logIn("lee")) { walk in
            try await walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
        }
    }

    @Test("Z-10: a social login leads to the same screens", arguments: Surface.forSamples)
    func socialLogin(on surface: Surface) async throws {
        try await surface.sooda(at: .selectAuth, #"{"socialLogin":{"token":"kim"}}"#) { walk in
            try await walk.expectTabs(7)
        }
        try await surface.sooda(at: .selectAuth, #"{"socialLogin":{"token":"lee"}}"#) { walk in
            try await walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
        }
    }

    @Test("Z-11: a new user is asked for a first workspace", arguments: Surface.forSamples)
    func signedUp(on surface: Surface) async throws {
        try await surface.sooda(at: .initialWorkspace) { walk in
            try await walk.expect("n[initialWorkspace]", "App→[Login→[InitialWorkspace]]")
            #expect(try await walk.entry("initialWorkspace")?[member: "state"]?.text == #"{"name":"park"}"#)
        }
    }

    @Test("Z-32: dismissing the choice of sign-ins frees all its objects", arguments: Surface.forSamples)
    func dismissed(on surface: Surface) async throws {
        try await surface.sooda(at: .selectAuth) { walk in
            try await walk.dismissed(3)
            try await walk.expect("n[onboarding]", "App→[Login]")
        }
    }

    @Test("Z-33: the login works after the choice of sign-ins was dismissed", arguments: Surface.forSamples)
    func dismissedThenLogin(on surface: Surface) async throws {
        try await surface.sooda(at: .selectAuth) { walk in
            try await walk.dismissed(3)
            try await walk.play("presentSelectAuth", "presentEmailLogin", SoodaPlace.logIn("kim"))
            try await walk.expectTabs(7)
            #expect(try await walk.report()["coordinators", "live"]?.integer == 6)
        }
    }

    @Test("Z-37: a login screen that has left can no longer log in", arguments: Surface.forSamples)
    func doubleLogin(on surface: Surface) async throws {
        try await surface.sooda(at: .emailLogin) { walk in
            let login = try #require(try await walk.screens().last)
            try await walk.sendCoded(SoodaPlace.logIn("kim"), from: login)
            try await walk.expectTabs(7)
            try await walk.expectUnchanged(409, naming: "gone") {
                try await $0.sendCoded(SoodaPlace.logIn("kim"), from: login)
            }
        }
    }

    @Test("the login screen's state shows a wrong password and an unknown token", arguments: Surface.forSamples)
    func failures(on surface: Surface) async throws {
        try await surface.sooda(at: .emailLogin, SoodaPlace.logIn("kim", password: "no")) { walk in
            try await walk.expect(
                "n[onboarding] ⊕ sheet[selectAuth] ⊕ sheet[emailLogin]", "App→[Login→[SelectAuth]]")
            #expect(try await walk.entry("emailLogin")?.text.contains("password is wrong") == true)
            try await walk.play(SoodaPlace.logIn("kim"))
            try await walk.expectTabs(7)
        }
        try await surface.sooda(at: .selectAuth, #"{"socialLogin":{"token":"?"}}"#) { walk in
            try await walk.expect("n[onboarding] ⊕ sheet[selectAuth]", "App→[Login→[SelectAuth]]")
            #expect(try await walk.entry("selectAuth")?.text.contains("no user") == true)
        }
    }
}
