import Testing
import UsherHTTP
import UsherJSON

/// Tests of the Z rows of `scenarios.md` inside a workspace.
@Suite("sooda: channels")
struct SoodaChannelRows {
    @Test("Z-23: the sheets for a member and for a channel open and close", arguments: Surface.forSamples)
    func invite(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            let before = try await walk.picture()
            for (event, screen) in [("presentInviteMember", "inviteMember"), ("presentMakeChannel", "makeChannel")] {
                try await walk.play(event)
                try await walk.expectTabs(7, over: " ⊕ sheet[\(screen)]")
                try await walk.play("done")
                try await walk.expectTabs(7)
                #expect(try await walk.picture() == before)
            }
        }
    }

    @Test("Z-25: a channel is pushed", arguments: Surface.forSamples)
    func openChannel(on surface: Surface) async throws {
        try await surface.sooda(at: .channel) { walk in
            try await walk.expectTabs(7, home: ", channelChat")
            #expect(try await walk.entry("channelChat")?[member: "state"]?.text == #"{"id":3,"name":"dev"}"#)
        }
    }

    @Test("Z-26: the explored channels fill the window", arguments: Surface.forSamples)
    func explore(on surface: Surface) async throws {
        try await surface.sooda(at: .exploreChannel) { walk in
            try await walk.expectTabs(7, over: " ⊕ fullScreen[exploreChannel]", children: "→[ExploreChannel]")
            try await walk.play("close")
            try await walk.expectTabs(7)
        }
    }

    @Test(
        "Z-27: two screens are pushed when an explored channel and then its setting are opened",
        arguments: Surface.forSamples)
    func exploredSetting(on surface: Surface) async throws {
        try await surface.sooda(at: .exploredSetting) { walk in
            try await expectExploredSetting(walk)
        }
    }

    @Test("Z-28: a new name is shown in the setting and in the chat", arguments: Surface.forSamples)
    func rename(on surface: Surface) async throws {
        try await surface.sooda(at: .exploredSetting) { walk in
            let screens = try await walk.screens()
            try await walk.play("presentEdit", #"{"saved":{"name":"new"}}"#)
            try await expectExploredSetting(walk)
            #expect(try await walk.screens() == screens)
            for screen in ["channelSetting", "channelChat"] {
                #expect(try await walk.entry(screen)?[member: "state"]?.text == #"{"id":3,"name":"new"}"#)
            }
        }
    }

    @Test("Z-29: the event backHome closes three screens at once", arguments: Surface.forSamples)
    func backHome(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            let before = try await walk.picture()
            try await walk.play("exploreChannels", SoodaPlace.openChannel, "openSetting", "backHome")
            try await walk.expectTabs(7)
            #expect(try await walk.picture() == before)
            #expect(walk.answer["changes"]?.text == #"[{"dismiss":[8,7,6]}]"#)
        }
    }

    @Test("the event backHome returns from a channel of the home tab", arguments: Surface.forSamples)
    func backHomeInTab(on surface: Surface) async throws {
        try await surface.sooda(at: .channel, "openSetting") { walk in
            try await walk.expectTabs(7, home: ", channelChat, channelSetting")
            try await walk.play("backHome")
            try await walk.expectTabs(7)
        }
    }

    @Test("Z-30: logging out leads to the onboarding", arguments: Surface.forSamples)
    func logOut(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs, "logOut") { walk in
            try await walk.expect("n[onboarding]", "App→[Login]")
            #expect(try await walk.state()["tabs"] == nil)
            // The splash, and the tab bar with its four tabs.
            #expect(try await walk.report()["coordinators", "finished"]?.integer == 6)
            try await walk.play("presentSelectAuth", "presentEmailLogin", SoodaPlace.logIn("kim"))
            try await walk.expectTabs(7)
        }
    }

    @Test("Z-39: a tab keeps its channel while another is selected", arguments: Surface.forSamples)
    func tabs(on surface: Surface) async throws {
        try await surface.sooda(at: .channel) { walk in
            let before = try await walk.picture()
            for tab in ["dm", "search"] {
                try await walk.select(tab)
                try await walk.expectTabs(7, selected: tab, home: ", channelChat")
            }
            try await walk.select("home")
            try await walk.expectTabs(7, home: ", channelChat")
            #expect(try await walk.picture() == before)
        }
    }

    private func expectExploredSetting(
        _ walk: Walk, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await walk.expectTabs(
            7, over: " ⊕ fullScreen[exploreChannel, channelChat, channelSetting]", children: "→[ExploreChannel]",
            sourceLocation: sourceLocation)
    }
}
