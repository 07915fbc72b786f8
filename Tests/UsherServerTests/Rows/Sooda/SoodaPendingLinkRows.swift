import Testing
import UsherHTTP
import UsherJSON

/// Tests of the Z rows of `scenarios.md` about links that wait for a sign-in.
@Suite("sooda: links that wait")
struct SoodaPendingLinkRows {
    @Test("Z-31s: a link that arrives at the splash is followed after the sign-in", arguments: Surface.forSamples)
    func splash(on surface: Surface) async throws {
        try await surface.sooda(at: .splash) { walk in
            let before = try await walk.picture()
            try await walk.open(SoodaLinkRows.channel)
            #expect(walk.answer["pending"]?.text == #"["open"]"#)
            #expect(walk.answer["changes"]?.text == "[]")
            #expect(try await walk.picture() == before)
            try await expectToWaitForKim(walk, ["done", "presentSelectAuth", "presentEmailLogin"])
        }
    }

    @Test("Z-31s: a link that arrives at the login is followed after the sign-in", arguments: Surface.forSamples)
    func emailLogin(on surface: Surface) async throws {
        try await surface.sooda(at: .emailLogin) { walk in
            let before = try await walk.picture()
            try await walk.open(SoodaLinkRows.channel)
            #expect(try await walk.picture() == before)
            try await expectToWaitForKim(walk, [])
        }
    }

    @Test("Z-31s: a link in the session's opening is followed after the sign-in", arguments: Surface.forSamples)
    func creation(on surface: Surface) async throws {
        try await surface.sooda(at: .splash, open: SoodaLinkRows.channel) { walk in
            #expect(walk.answer["revision"]?.integer == 1)
            try await walk.expect("n[splash]", "App→[Splash]")
            try await expectToWaitForKim(walk, ["done", "presentSelectAuth", "presentEmailLogin"])
        }
    }

    @Test("if the user is known, a link in the opening is followed after the splash")
    func creationKnown() async throws {
        try await Surface.inProcess.sooda(at: .tabs, open: SoodaLinkRows.channel) { walk in
            try await walk.expectTabs(7, home: ", channelChat")
            #expect(walk.answer["pending"]?.text == "[]")
        }
    }

    @Test(
        "a waiting link still waits after an event is refused, the user goes back, or a report is repeated",
        arguments: Surface.forSamples
    )
    func outlives(on surface: Surface) async throws {
        try await surface.sooda(at: .signUp) { walk in
            try await walk.open(SoodaLinkRows.channel)
            try await walk.expectUnchanged(422, naming: "taken") {
                try await $0.sendCoded(#"{"signUp":{"name":"kim"}}"#)
            }
            try await walk.back()
            try await walk.expectUnchanged(200) { try await $0.dismissed(4) }
            try await expectToWaitForKim(walk, ["presentEmailLogin"])
        }
    }

    @Test("a link to a workspace waits for the user's first workspace", arguments: Surface.forSamples)
    func workspace(on surface: Surface) async throws {
        try await surface.sooda(at: .initialWorkspace) { walk in
            try await walk.open(SoodaLinkRows.channel)
            try await walk.play("later", "presentMakeWorkspace")
            #expect(try await walk.pending == #"["open"]"#)
            try await walk.play(#"{"made":{"workspaceID":8}}"#)
            try await walk.expectTabs(7, home: ", channelChat")
        }
    }

    @Test("a newer link replaces the waiting link, unless the newer link is refused", arguments: Surface.forSamples)
    func newer(on surface: Surface) async throws {
        try await surface.sooda(at: .emailLogin) { walk in
            try await walk.open(SoodaLinkRows.channel)
            try await walk.open(#"["tabBar","search"]"#)
            #expect(try await walk.pending == #"["open"]"#)
            try await walk.expectUnchanged(422) { try await $0.post(#"{"open":["fly"]}"#) }
            try await walk.play(SoodaPlace.logIn("kim"))
            try await walk.expectTabs(7, selected: "search")
            #expect(try await walk.pending == "[]")
        }
    }

    @Test(
        "a waiting link that cannot be followed is dropped with a warning", arguments: Surface.forSamples,
        [
            (#"["tabBar","fly"]"#, "homeDefault, dm, search, setting"), (#"["tabBar","homeDefault"]"#, "homeDefault"),
            (#"["tabBar",{"homeDefault":{"workspaceID":7}},"fly"]"#, "channel"),
            (
                #"["tabBar",{"homeDefault":{"workspaceID":7}},{"channel":{"id":3,"name":"dev"}},"dm"]"#,
                "can open this step"
            ),
        ])
    func dropped(on surface: Surface, _ example: (link: String, words: String)) async throws {
        try await surface.sooda(at: .emailLogin) { walk in
            try await walk.open(example.link)
            try await walk.play(SoodaPlace.logIn("kim"))
            let warnings = walk.answer["warnings"]?.text ?? ""
            #expect(warnings.contains("dropped") && warnings.contains(example.words), "\(walk.answer.text)")
            #expect(try await walk.pending == "[]")
            try await walk.select("dm")
            #expect(walk.answer["warnings"] == nil)
        }
    }

    private func expectToWaitForKim(
        _ walk: Walk, _ events: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await walk.pending == #"["open"]"#, sourceLocation: sourceLocation)
        for event in events {
            try await walk.play([event], sourceLocation: sourceLocation)
            #expect(try await walk.pending == #"["open"]"#, sourceLocation: sourceLocation)
        }
        try await walk.play([SoodaPlace.logIn("kim")], sourceLocation: sourceLocation)
        try await walk.expectTabs(7, home: ", channelChat", sourceLocation: sourceLocation)
        #expect(try await walk.pending == "[]", sourceLocation: sourceLocation)
    }
}
