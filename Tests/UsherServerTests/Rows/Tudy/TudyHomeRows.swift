import Testing

/// Tests of the T rows of `scenarios.md` within the home tab.
@Suite("tudy: home")
struct TudyHomeRows {
    private typealias Values = TudyValues

    @Test("T-01: the app starts with two tabs, home selected, and four coordinators", arguments: Surface.forSamples)
    func start(on surface: Surface) async throws {
        try await surface.tudy { walk in
            try await walk.expect(Values.start, Values.tree)
            #expect(try await walk.created() == 4)
            #expect(walk.answer["tabs"]?.text == #"{"selected":"home","names":["home","chat"]}"#)
            #expect(try await walk.stateOf("home") == #"{"projects":\#(Values.projects)}"#)
        }
    }

    @Test("T-02: showSearch pushes the search", arguments: Surface.forSamples)
    func search(on surface: Surface) async throws {
        try await surface.tudy("showSearch") { walk in
            try await walk.expect("tab(home){home[home, search], chat[chatList]}", Values.tree)
        }
    }

    @Test("T-03: the fast search shows its word", arguments: Surface.forSamples)
    func fastSearch(on surface: Surface) async throws {
        try await surface.tudy(.fastSearch("iOS")) { walk in
            try await walk.expect("tab(home){home[home, fastSearch], chat[chatList]}", Values.tree)
            let state = try await walk.stateOf("fastSearch")
            #expect(state == #"{"work":"iOS","projects":[\#(Values.projectOfLee)]}"#)
        }
    }

    @Test("T-04: the fast search leads to a project", arguments: Surface.forSamples)
    func detailFromSearch(on surface: Surface) async throws {
        try await surface.tudy(.fastSearch("iOS"), .detail(Values.projectOfLee)) { walk in
            try await walk.expect("tab(home){home[home, fastSearch, projectDetail], chat[chatList]}", Values.tree)
        }
    }

    @Test("T-05: a known project is shown, and an unknown project is refused", arguments: Surface.forSamples)
    func detail(on surface: Surface) async throws {
        try await surface.tudy { walk in
            try await walk.expect(422, naming: "no project 3", .detail(Values.newProject))
            try await walk.take(.detail(Values.projectOfLee))
            try await walk.expect(Values.detail, Values.tree)
            #expect(try await walk.stateOf("projectDetail") == #"{"project":\#(Values.projectOfLee)}"#)
        }
    }

    @Test("T-10: the event showDeclaration changes nothing", arguments: Surface.forSamples)
    func declaration(on surface: Surface) async throws {
        try await surface.tudy(.detail(Values.projectOfLee)) { walk in
            let before = (try await walk.display(), try await walk.report().text)
            try await walk.take("showDeclaration")
            try await walk.expect(Values.detail, Values.tree)
            #expect(try await walk.display() == before.0)
            #expect(try await walk.report().text == before.1)
        }
    }

    @Test("T-12: showMyPage pushes the user's page", arguments: Surface.forSamples)
    func myPage(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, "showMyPage") { walk in
            try await walk.expect(
                "tab(home){home[home, myPage], chat[chatList]}", "App→[TabBar→[Home→[MyPage], Chat]]")
            #expect(try await walk.stateOf("myPage") == #"{"user":\#(Values.kim)}"#)
            try await walk.take(.back)
            try await walk.expect(Values.start, Values.tree)
        }
    }

    @Test("T-24: back from a project shows the home", arguments: Surface.forSamples)
    func back(on surface: Surface) async throws {
        try await surface.tudy { walk in
            let before = try await walk.display()
            try await walk.take(.detail(Values.projectOfLee), .back)
            try await walk.expect(Values.start, Values.tree)
            #expect(try await walk.display() == before)
            try await walk.expect(422, naming: "root", .back)
        }
    }

    @Test("T-30: logging out creates new tabs for a guest", arguments: Surface.forSamples)
    func logout(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, "showMyPage", "logout") { walk in
            try await walk.expect(Values.start, Values.tree)
            #expect(try await walk.screens() == [4])
            #expect(try await walk.stateOf("home") == #"{"projects":\#(Values.projects)}"#)
            #expect(
                try await walk.report()["coordinators"]?.text
                    == #"{"live":4,"created":8,"finished":4,"leaked":0}"#)
            try await walk.take("showLogin", .login("lee"))
            #expect(try await walk.stateOf("home") == #"{"user":\#(Values.lee),"projects":\#(Values.projects)}"#)
        }
    }
}
