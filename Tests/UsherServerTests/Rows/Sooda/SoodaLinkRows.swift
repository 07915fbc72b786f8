import Testing
import UsherHTTP
import UsherJSON

/// Tests of the Z rows of `scenarios.md` about links to a place that can be shown at once.
@Suite("sooda: links")
struct SoodaLinkRows {
    static let channel = #"["tabBar",{"homeDefault":{"workspaceID":7}},{"channel":{"id":3,"name":"dev"}}]"#

    @Test("Z-31: a link opens a channel from the home", arguments: Surface.forSamples)
    func fromHome(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            let root = try await walk.screens()
            try await walk.open(Self.channel)
            try await walk.expectTabs(7, home: ", channelChat")
            #expect(try await walk.screens().first == root.first)
            #expect(try await walk.pending == "[]")
        }
    }

    @Test("Z-31: a link to the channel that is open keeps the channel's screen", arguments: Surface.forSamples)
    func fromChannel(on surface: Surface) async throws {
        try await surface.sooda(at: .channel) { walk in
            let before = try await walk.picture()
            try await walk.open(Self.channel)
            try await walk.expectTabs(7, home: ", channelChat")
            #expect(try await walk.picture() == before)
            try await walk.play("openSetting", "presentEdit")
            try await walk.open(Self.channel)
            #expect(try await walk.picture() == before)
        }
    }

    @Test("Z-31: a link to a channel closes the modals over the home", arguments: Surface.forSamples)
    func fromModal(on surface: Surface) async throws {
        for place in [SoodaPlace.exploredSetting, .workspaceList] {
            try await surface.sooda(at: place) { walk in
                try await walk.open(Self.channel)
                try await walk.expectTabs(7, home: ", channelChat")
            }
        }
    }

    @Test("Z-31: a link opens a channel from another tab and from another channel", arguments: Surface.forSamples)
    func fromElsewhere(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            let root = try await walk.report()["root", "id"]?.text
            try await walk.play(#"{"openChannel":{"id":4,"name":"ops"}}"#)
            try await walk.select("dm")
            try await walk.open(Self.channel)
            try await walk.expectTabs(7, home: ", channelChat")
            #expect(try await walk.entry("channelChat")?[member: "state"]?.text == #"{"id":3,"name":"dev"}"#)
            #expect(try await walk.report()["root", "id"]?.text == root)
        }
    }

    @Test("a link to another workspace closes the channels of the current workspace", arguments: Surface.forSamples)
    func otherWorkspace(on surface: Surface) async throws {
        try await surface.sooda(at: .channel, "openSetting") { walk in
            try await walk.open(#"["tabBar",{"homeDefault":{"workspaceID":11}}]"#)
            try await walk.expectTabs(11)
        }
    }

    @Test("a link to a tab closes the modals over the tabs", arguments: Surface.forSamples)
    func tab(on surface: Surface) async throws {
        try await surface.sooda(at: .exploredSetting) { walk in
            try await walk.open(#"["tabBar","search"]"#)
            try await walk.expectTabs(7, selected: "search")
            try await walk.open(#"["tabBar",{"setting":{}}]"#)
            try await walk.expectTabs(7, selected: "setting")
        }
    }

    @Test("a link to the root of the tabs closes the modals over the tabs", arguments: Surface.forSamples)
    func tabBar(on surface: Surface) async throws {
        try await surface.sooda(at: .workspaceList) { walk in
            try await walk.open(#"["tabBar"]"#)
            try await walk.expectTabs(7)
        }
    }

    @Test("a link to another root coordinator removes the tabs and their modals", arguments: Surface.forSamples)
    func otherRoot(on surface: Surface) async throws {
        try await surface.sooda(at: .exploredSetting) { walk in
            try await walk.open(#"["homeEmpty"]"#)
            try await walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
            #expect(try await walk.state()["tabs"] == nil)
        }
    }

    @Test(
        "a link that cannot be followed changes nothing, and the answer has the reason", arguments: Surface.forSamples)
    func wrong(on surface: Surface) async throws {
        try await surface.sooda(at: .exploredSetting) { walk in
            for (link, words) in [
                (#"["fly"]"#, "splash, login, homeEmpty, tabBar"),
                (#"["tabBar","fly"]"#, "homeDefault, dm, search, setting"),
                (#"["tabBar","homeDefault"]"#, "homeDefault"),
                (#"["tabBar",{"homeDefault":{"workspaceID":"7"}}]"#, "workspaceID"),
                (#"["tabBar",{"homeDefault":{"workspaceID":9}},"fly"]"#, "channel"),
                (#"["tabBar","search","dm"]"#, "can open this step"),
                (#"["login"]"#, "log out"), (#"["splash"]"#, "once"),
            ] {
                try await walk.expectUnchanged(422, naming: words) { try await $0.post(#"{"open":\#(link)}"#) }
            }
            try await walk.expectUnchanged(400) { try await $0.post(#"{"open":[]}"#) }
        }
    }

    @Test("a link cannot bypass the login", arguments: Surface.forSamples)
    func guest(on surface: Surface) async throws {
        try await surface.sooda(at: .onboarding) { walk in
            try await walk.open(#"["homeEmpty"]"#)
            try await walk.expect("n[onboarding]", "App→[Login]")
            #expect(try await walk.pending == #"["open"]"#)
        }
    }
}
