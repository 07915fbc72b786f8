import Testing

/// Tests of the T rows of `scenarios.md` about the chats, and how to reach them.
@Suite("tudy: chat")
struct TudyChatRows {
    private typealias Values = TudyValues

    private static let chatOverDetail = "tab(chat){home[home, projectDetail], chat[chatList, personalChat]}"
    private static let loginOverDetail = Values.detail + " ⊕ fullScreen[login]"

    @Test("T-18: a project leads to the chat with its writer", arguments: Surface.forSamples)
    func personalChat(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, .detail(Values.projectOfLee), "showPersonalChat") { walk in
            try await walk.expect(Self.chatOverDetail, Values.tree)
            #expect(try await walk.stateOf("personalChat") == #"{"chat":\#(Values.chatWithLee)}"#)
            let before = try await walk.display()
            try await walk.take(.select("home"), "showPersonalChat")
            try await walk.expect(Self.chatOverDetail, Values.tree)
            #expect(try await walk.display() == before, "the same screen again")
            try await walk.take(.back, .select("home"), "showPersonalChat")
            try await walk.expect(Self.chatOverDetail, Values.tree)
            #expect(try await walk.stateOf("personalChat") == #"{"chat":\#(Values.chatWithLee)}"#)
        }
    }

    @Test(
        "T-18: a new chat is added to the list, and the project's writer cannot chat with himself",
        arguments: Surface.forSamples)
    func newChat(on surface: Surface) async throws {
        try await surface.tudy("showLogin", .login("lee"), .detail(Values.projectOfLee)) { walk in
            try await walk.expect(422, naming: "your own", "showPersonalChat")
            try await walk.take(.back, .detail(Values.projectOfKim), "showPersonalChat")
            try await walk.expect(Self.chatOverDetail, Values.tree)
            let chat = #"{"id":3,"group":false,"title":"Kim","with":\#(Values.kim)}"#
            #expect(try await walk.stateOf("personalChat") == #"{"chat":\#(chat)}"#)
            let chats = "[\(Values.chatWithLee),\(Values.group),\(chat)]"
            #expect(try await walk.stateOf("chatList") == #"{"chats":\#(chats)}"#)
        }
    }

    @Test("T-19: a guest is asked to log in, and the chat is not opened afterwards", arguments: Surface.forSamples)
    func personalChatAsGuest(on surface: Surface) async throws {
        try await surface.tudy(.detail(Values.projectOfLee)) { walk in
            for end: TudyInput in ["close", .login("kim")] {
                try await walk.take("showPersonalChat")
                try await walk.expect(Self.loginOverDetail, Values.treeWithLogin)
                try await walk.take(end)
                try await walk.expect(Values.detail, Values.tree)
                #expect(try await walk.screens() == [1, 3])
            }
            try await walk.take("showPersonalChat")
            try await walk.expect(Self.chatOverDetail, Values.tree)
        }
    }

    @Test("T-20: a tap in the list opens the chat of a group", arguments: Surface.forSamples)
    func groupChat(on surface: Surface) async throws {
        try await surface.tudy(.select("chat")) { walk in
            let unknown = Values.group.dropFirst(#"{"id":2"#.count)
            try await walk.expect(422, naming: "no chat 9", .chat(#"{"id":9"# + unknown))
            try await walk.take(.chat(Values.group))
            try await walk.expect(Values.groupChat, Values.tree)
            #expect(try await walk.stateOf("groupChat") == #"{"chat":\#(Values.group)}"#)
        }
    }

    @Test("T-21: accepting an invitation dismisses, pops and pushes in one input", arguments: Surface.forSamples)
    func invite(on surface: Surface) async throws {
        try await surface.tudy(.select("chat"), .chat(Values.chatWithLee), "invite") { walk in
            try await walk.expect(Values.personalChat + " ⊕ fullScreen[invite]", Values.tree)
            try await walk.expect(422, naming: "not a group", .pick(Values.chatWithLee))
            try await walk.take(.pick(Values.group))
            try await walk.expect(Values.groupChat, Values.tree)
            #expect(walk.answer["changes"]?.text == #"[{"dismiss":[4]},{"pop":[3]},{"push":[5]}]"#)
        }
    }

    @Test("T-22: closing an invitation leaves the chat unchanged", arguments: Surface.forSamples)
    func closeInvite(on surface: Surface) async throws {
        try await surface.tudy(.select("chat"), .chat(Values.chatWithLee)) { walk in
            let before = try await walk.display()
            try await walk.take("invite", "close")
            try await walk.expect(Values.personalChat, Values.tree)
            #expect(try await walk.display() == before)
        }
    }

    @Test("T-23: the chat tab shows the login and stays selected", arguments: Surface.forSamples)
    func login(on surface: Surface) async throws {
        try await surface.tudy(.select("chat")) { walk in
            let before = try await walk.display()
            try await walk.take("showLogin")
            try await walk.expect("tab(chat){home[home], chat[chatList]} ⊕ fullScreen[login]", Values.treeWithLogin)
            try await walk.take("close")
            try await walk.expect("tab(chat){home[home], chat[chatList]}", Values.tree)
            #expect(try await walk.display() == before)
        }
    }
}
