import Testing
import Tudy
import UsherHTTP
import UsherJSON

/// Tests of the T rows of `scenarios.md` about deep links.
@Suite("tudy: links")
struct TudyLinkRows {
    private typealias Values = TudyValues

    private static let chats: [(id: Int, screen: String)] = [(1, "personalChat"), (2, "groupChat")]

    @Test("T-31: a link opens a chat from the first screen", arguments: Surface.forSamples)
    func fromStart(on surface: Surface) async throws {
        for chat in Self.chats {
            try await surface.tudy { walk in
                try await walk.take(.open(chat: chat.id))
                try await walk.expect("tab(chat){home[home], chat[chatList, \(chat.screen)]}", Values.tree)
                #expect(try await walk.created() == 4)
                #expect(walk.answer["pending"]?.text == "[]")
            }
        }
    }

    @Test("T-31: a link leaves the other tab unchanged", arguments: Surface.forSamples)
    func fromDetail(on surface: Surface) async throws {
        for chat in Self.chats {
            try await surface.tudy(.detail(Values.projectOfLee)) { walk in
                let before = try await walk.display()
                try await walk.take(.open(chat: chat.id))
                try await walk.expect(
                    "tab(chat){home[home, projectDetail], chat[chatList, \(chat.screen)]}", Values.tree)
                try await walk.take(.select("home"))
                #expect(try await walk.display() == before)
            }
        }
    }

    @Test("T-31: a link closes a login that covers its target", arguments: Surface.forSamples)
    func fromLogin(on surface: Surface) async throws {
        for chat in Self.chats {
            try await surface.tudy("showLogin", "showSignUp") { walk in
                try await walk.take(.open(chat: chat.id))
                try await walk.expect("tab(chat){home[home], chat[chatList, \(chat.screen)]}", Values.tree)
                #expect(try await walk.report()["coordinators", "finished"]?.integer == 1)
            }
        }
    }

    @Test(
        "T-31: a link closes a form that covers its target and keeps the screens under the form",
        arguments: Surface.forSamples)
    func fromForm(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, .detail(Values.projectOfKim)) { walk in
            let before = try await walk.display()
            try await walk.take("showModifyProject", .open(chat: 2))
            try await walk.expect("tab(chat){home[home, projectDetail], chat[chatList, groupChat]}", Values.tree)
            try await walk.take(.select("home"))
            #expect(try await walk.display() == before)
        }
    }

    @Test("T-31: a link works with the tabs that a logout created", arguments: Surface.forSamples)
    func afterLogout(on surface: Surface) async throws {
        try await surface.tudy(loggedIn: true, "showMyPage", .open(chat: 1)) { walk in
            let tree = "App→[TabBar→[Home→[MyPage], Chat]]"
            try await walk.expect("tab(chat){home[home, myPage], chat[chatList, personalChat]}", tree)
            try await walk.take(.select("home"), "logout")
            try await walk.expect(Values.start, Values.tree)
            try await walk.take(.open(chat: 1))
            try await walk.expect(Values.personalChat, Values.tree)
        }
    }

    @Test("T-31: a repeated link changes nothing", arguments: Surface.forSamples)
    func again(on surface: Surface) async throws {
        try await surface.tudy(.open(chat: 1)) { walk in
            let before = try await walk.display()
            try await walk.take(.open(chat: 1))
            #expect(try await walk.display() == before)
            try await walk.take("invite", .open(chat: 1))
            try await walk.expect(Values.personalChat, Values.tree)
            #expect(try await walk.display() == before)
            try await walk.take("invite", .open(chat: 2))
            try await walk.expect(Values.groupChat, Values.tree)
        }
    }

    @Test(
        "T-31: a link to another tab selects that tab, and a link to the tabs changes nothing",
        arguments: Surface.forSamples)
    func tabs(on surface: Surface) async throws {
        try await surface.tudy(.select("chat"), .chat(Values.group), .open(#"["tabBar","home"]"#)) { walk in
            try await walk.expect("tab(home){home[home], chat[chatList, groupChat]}", Values.tree)
            try await walk.take("showLogin", .open(#"["tabBar"]"#))
            try await walk.expect("tab(home){home[home], chat[chatList, groupChat]}", Values.tree)
        }
    }

    @Test("T-31: a session can be opened with a link", arguments: Surface.forSamples)
    func creation(on surface: Surface) async throws {
        try await surface.serve([TudyApp.self]) { stage in
            let link = #""open":["tabBar",{"chat":{"id":1}}]"#
            let body = #"{"app":"tudy","options":{"loggedIn":true},\#(link)}"#
            let walk = try Walk(on: stage, opened: try await stage.request(.post, "/sessions", body: body))
            #expect(walk.answer["revision"]?.integer == 1)
            try await walk.expect(Values.personalChat, Values.tree)
            try await walk.take(.select("home"))
            #expect(try await walk.stateOf("home") == #"{"user":\#(Values.kim),"projects":\#(Values.projects)}"#)
        }
    }

    @Test("T-31: an opening with an invalid link opens no session", arguments: Surface.forSamples)
    func badCreation(on surface: Surface) async throws {
        try await surface.serve([TudyApp.self]) { stage in
            for link in Self.badLinks {
                let body = #"{"app":"tudy","open":\#(link.steps)}"#
                let answer = try await stage.request(.post, "/sessions", body: body)
                #expect(answer.status == 422, "\(answer.text)")
                #expect(answer.detail.contains(link.naming), "\(answer.text)")
            }
            // Shared servers have sessions of other tests.
            guard surface != .cluster else { return }
            #expect(try await stage.request(.get, "/admin/sessions")["live"]?.integer == 0)
        }
    }

    @Test("T-31: an invalid link changes nothing", arguments: Surface.forSamples)
    func badLinks(on surface: Surface) async throws {
        for inputs: [TudyInput] in [[], [.detail(Values.projectOfLee)], ["showLogin"]] {
            try await surface.tudy { walk in
                for input in inputs { try await walk.take(input) }
                for link in Self.badLinks { try await walk.expect(422, naming: link.naming, .open(link.steps)) }
            }
        }
    }

    private static let badLinks: [(steps: String, naming: String)] = [
        (#"["moon"]"#, "tabBar"),
        (#"["tabBar","moon"]"#, "home, chat"),
        (#"["tabBar",{"chat":{"id":99}}]"#, "no chat 99"),
        (#"["tabBar",{"chat":{"id":"1"}}]"#, "id"),
        (#"["tabBar",{"chat":{}}]"#, "id"),
        (#"["tabBar",{"chat":{"id":1,"loud":true}}]"#, "loud"),
        (#"["tabBar","chat"]"#, "chat"),
        (#"["tabBar","home","home"]"#, "can open this step"),
    ]
}
