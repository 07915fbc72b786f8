import Testing

/// Tests of the T rows of `scenarios.md` about the login and the sign-up.
@Suite("tudy: login")
struct TudyLoginRows {
    private typealias Values = TudyValues

    @Test("T-11: the login covers everything", arguments: Surface.forSamples)
    func login(on surface: Surface) async throws {
        try await surface.tudy("showLogin") { walk in
            try await walk.expect(Values.login, Values.treeWithLogin)
            #expect(walk.answer["changes"]?.text == #"[{"present":[3]}]"#)
        }
        try await surface.tudy(loggedIn: true) { walk in
            try await walk.expect(422, naming: "Kim is logged in already", "showLogin")
        }
    }

    @Test("T-13: closing the login frees its objects", arguments: Surface.forSamples)
    func close(on surface: Surface) async throws {
        try await surface.tudy { walk in
            let before = try await walk.display()
            try await walk.take("showLogin", "close")
            try await walk.expect(Values.start, Values.tree)
            #expect(try await walk.display() == before)
        }
    }

    @Test("T-14: the sign-up is pushed inside the login", arguments: Surface.forSamples)
    func signUp(on surface: Surface) async throws {
        try await surface.tudy("showLogin", "showSignUp") { walk in
            try await walk.expect(422, naming: "name", .event("next", #"{"name":""}"#))
            let steps: [(next: TudyInput, modal: String)] = [
                (.event("next", #"{"name":"Park"}"#), "login, setName, setInterestedJob"),
                (.event("next", #"{"job":"iOS"}"#), "login, setName, setInterestedJob, setSubway"),
                (.event("next", #"{"station":"Jamsil"}"#), "login, setName, setInterestedJob, setSubway, welcome"),
            ]
            for step in steps {
                try await walk.take(step.next)
                try await walk.expect("\(Values.start) ⊕ fullScreen[\(step.modal)]", Values.treeWithLogin)
            }
            #expect(try await walk.stateOf("welcome") == #"{"name":"Park","job":"iOS","station":"Jamsil"}"#)
            try await walk.take("done")
            try await walk.expect(Values.start, Values.tree)
            let park = #"{"id":3,"name":"Park"}"#
            #expect(try await walk.stateOf("home") == #"{"user":\#(park),"projects":\#(Values.projects)}"#)
        }
    }

    @Test("T-15: a user who logs in sees the home screen", arguments: Surface.forSamples)
    func rightPassword(on surface: Surface) async throws {
        try await surface.tudy("showLogin", .login("kim")) { walk in
            try await expectKim(walk)
        }
    }

    @Test("T-15x: a wrong password is reported, and the user can correct it", arguments: Surface.forSamples)
    func wrongPassword(on surface: Surface) async throws {
        try await surface.tudy("showLogin") { walk in
            let before = try await walk.report()["stacks"]?.text
            try await walk.take(.login("kim", "wrong"))
            try await walk.expect(Values.login, Values.treeWithLogin)
            #expect(try await walk.report()["stacks"]?.text == before)
            #expect(try await walk.stateOf("login") == #"{"failure":"the name or the password is wrong"}"#)
            try await walk.take(.login("kim"))
            try await expectKim(walk)
        }
    }

    @Test("T-26: a double tap opens one login", arguments: Surface.forSamples)
    func doubleTap(on surface: Surface) async throws {
        try await surface.tudy("showLogin") { walk in
            try await walk.expectUnchanged(409, naming: "covered") { try await $0.send("showLogin", from: 1) }
            try await walk.expect(Values.login, Values.treeWithLogin)
        }
    }

    @Test("T-27: a login that was closed cannot be closed again", arguments: Surface.forSamples)
    func closeAgain(on surface: Surface) async throws {
        try await surface.tudy("showLogin", "close") { walk in
            try await walk.expectUnchanged(409, naming: "gone") { try await $0.send("close", from: 3) }
            try await walk.expect(Values.start, Values.tree)
        }
    }

    @Test("T-28: back from the sign-up stays in the login", arguments: Surface.forSamples)
    func popSignUp(on surface: Surface) async throws {
        try await surface.tudy("showLogin") { walk in
            let before = try await walk.display()
            try await walk.take("showSignUp", .popped(4))
            try await walk.expect(Values.login, Values.treeWithLogin)
            #expect(try await walk.display() == before)
            try await walk.expect(200, .popped(4))
        }
    }

    @Test("T-29: the login fills the window and cannot be dismissed", arguments: Surface.forSamples)
    func dismiss(on surface: Surface) async throws {
        try await surface.tudy("showLogin") { walk in
            try await walk.expect(422, naming: "not a sheet", .dismissed(3))
            try await walk.expect(422, naming: "fills the window", .back)
            try await walk.expect(422, .popped(3))
            try await walk.expect(Values.login, Values.treeWithLogin)
        }
    }

    private func expectKim(_ walk: Walk) async throws {
        try await walk.expect(Values.start, Values.tree)
        #expect(try await walk.screens() == [1])
        #expect(try await walk.stateOf("home") == #"{"user":\#(Values.kim),"projects":\#(Values.projects)}"#)
    }
}
