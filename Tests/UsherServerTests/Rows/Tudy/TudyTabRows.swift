import Testing
import UsherJSON

/// Tests of the T rows of `scenarios.md` about tabs, and about inputs that they reject.
@Suite("tudy: tabs")
struct TudyTabRows {
    private typealias Values = TudyValues

    @Test("T-25: a hidden tab keeps its stack", arguments: Surface.forSamples)
    func keep(on surface: Surface) async throws {
        try await surface.tudy(.detail(Values.projectOfLee)) { walk in
            let before = try await walk.display()
            try await walk.take(.select("chat"))
            try await walk.expect("tab(chat){home[home, projectDetail], chat[chatList]}", Values.tree)
            #expect(walk.answer["changes"]?.text == #"[{"select":"chat"}]"#)
            try await walk.take(.select("home"))
            try await walk.expect(Values.detail, Values.tree)
            #expect(try await walk.display() == before)
        }
    }

    @Test(
        "T-25: selecting the selected tab adds a revision and does not change the screens",
        arguments: Surface.forSamples)
    func reselect(on surface: Surface) async throws {
        try await surface.tudy(.detail(Values.projectOfLee)) { walk in
            let before = try await walk.display()
            try await walk.take(.select("home"))
            #expect(walk.answer["revision"]?.integer == 3)
            #expect(walk.answer["changes"]?.text == "[]")
            try await walk.expect(Values.detail, Values.tree)
            #expect(try await walk.display() == before)
        }
    }

    @Test("T-32: unknown events, and events of covered or hidden screens, are refused", arguments: Surface.forSamples)
    func refusals(on surface: Surface) async throws {
        try await surface.tudy { walk in
            try await walk.expect(422, naming: "showSearch", "fly")
            try await walk.expectUnchanged(409, naming: "hidden tab") { try await $0.send("showLogin", from: 2) }
            try await walk.take("showSearch")
            try await walk.expectUnchanged(409, naming: "covered") { try await $0.send("showSearch", from: 1) }
            try await walk.take(.select("chat"))
            try await walk.expectUnchanged(409, naming: "hidden tab") { try await $0.popped(3) }
            try await walk.expect("tab(chat){home[home, search], chat[chatList]}", Values.tree)
        }
    }

    @Test("T-32: invalid payloads are refused", arguments: Surface.forSamples)
    func payloads(on surface: Surface) async throws {
        try await surface.tudy { walk in
            try await walk.expect(422, naming: "work", .event("showFastSearch", "{}"))
            try await walk.expect(422, naming: "work", .event("showFastSearch", #"{"work":5}"#))
            try await walk.expect(422, naming: "speed", .event("showFastSearch", #"{"work":"iOS","speed":9}"#))
            try await walk.expect(422, naming: "writer", .detail(#"{"id":2,"title":"An iOS app for walkers"}"#))
            try await walk.expect(Values.start, Values.tree)
        }
    }

    @Test("T-32: selecting an unknown tab, or a tab under a modal, is refused", arguments: Surface.forSamples)
    func tabs(on surface: Surface) async throws {
        try await surface.tudy(.detail(Values.projectOfLee)) { walk in
            try await walk.expect(422, naming: "home, chat", .select("settings"))
            try await walk.take("showLogin")
            try await walk.expect(409, naming: "modal", .select("chat"))
            try await walk.expect(409, naming: "covered", .popped(3))
            try await walk.expect(422, .back)
            try await walk.expect(Values.detail + " ⊕ fullScreen[login]", Values.treeWithLogin)
        }
    }
}
