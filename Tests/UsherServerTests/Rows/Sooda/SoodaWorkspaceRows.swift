import Testing
import UsherHTTP
import UsherJSON

/// Tests of the Z rows of `scenarios.md` about creating, choosing and leaving workspaces.
@Suite("sooda: workspaces")
struct SoodaWorkspaceRows {
    @Test("Z-13: a new user creates a workspace and sees it", arguments: Surface.forSamples)
    func initialWorkspace(on surface: Surface) async throws {
        try await surface.sooda(at: .initialWorkspace, "presentMakeWorkspace") { walk in
            try await walk.expect(
                "n[initialWorkspace] ⊕ sheet[makeWorkspace]", "App→[Login→[InitialWorkspace]]")
            try await walk.play(#"{"made":{"workspaceID":8}}"#)
            try await walk.expectTabs(8)
            #expect(try await walk.report()["coordinators", "live"]?.integer == 6)
        }
    }

    @Test("Z-14: a new user can create a workspace later", arguments: Surface.forSamples)
    func later(on surface: Surface) async throws {
        try await surface.sooda(at: .initialWorkspace, "later") { walk in
            try await walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
        }
    }

    @Test("Z-16: a user without a workspace creates one", arguments: Surface.forSamples)
    func homeEmpty(on surface: Surface) async throws {
        try await surface.sooda(at: .homeEmpty, "presentMakeWorkspace", #"{"made":{"workspaceID":9}}"#) { walk in
            try await walk.expectTabs(9)
            #expect(try await walk.report()["coordinators", "live"]?.integer == 6)
        }
    }

    @Test("closing the form for a workspace creates no workspace", arguments: Surface.forSamples)
    func closeMakeWorkspace(on surface: Surface) async throws {
        for place in [SoodaPlace.homeEmpty, .initialWorkspace] {
            try await surface.sooda(at: place) { walk in
                let before = try await walk.picture()
                try await walk.play("presentMakeWorkspace", "close")
                #expect(try await walk.picture() == before)
            }
        }
    }

    @Test("Z-17: a user without a workspace opens the list of workspaces", arguments: Surface.forSamples)
    func listFromEmpty(on surface: Surface) async throws {
        try await surface.sooda(at: .homeEmpty, "presentWorkspaceList") { walk in
            try await walk.expect("n[homeEmpty] ⊕ sheet[workspaceList]", "App→[HomeEmpty→[WorkspaceList]]")
            try await walk.expectUnchanged(422, naming: "no workspace") { try await $0.send("askToLeave") }
            try await walk.play(#"{"choose":{"workspaceID":11}}"#)
            try await walk.expectTabs(11)
        }
    }

    @Test("Z-18: the list of workspaces is a sheet", arguments: Surface.forSamples)
    func list(on surface: Surface) async throws {
        try await surface.sooda(at: .workspaceList) { walk in
            try await walk.expectTabs(7, over: " ⊕ sheet[workspaceList]", children: "→[WorkspaceList]")
        }
    }

    @Test(
        "Z-19: choosing another workspace updates the home screen without replacing it", arguments: Surface.forSamples)
    func choose(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            let (screens, root) = (try await walk.screens(), try await walk.report()["root"]?.text)
            try await walk.play("presentWorkspaceList", #"{"choose":{"workspaceID":11}}"#)
            try await walk.expectTabs(11)
            #expect(try await walk.screens() == screens)
            #expect(try await walk.report()["root"]?.text == root)
            #expect(walk.answer["changes"]?.text == #"[{"dismiss":[6]},{"update":[2]}]"#)
        }
    }

    @Test("Z-20: leaving the last workspace leads to the home without a workspace", arguments: Surface.forSamples)
    func leaveLast(on surface: Surface) async throws {
        try await surface.sooda(at: .workspaceList, "askToLeave") { walk in
            try await walk.expectTabs(
                7, over: " ⊕ sheet[workspaceList] ⊕ alert[confirmLeave]", children: "→[WorkspaceList]")
            try await walk.play(#"{"leave":{"remaining":[]}}"#)
            try await walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
            #expect(try await walk.state()["tabs"] == nil)
        }
    }

    @Test("Z-21: leaving a workspace leads to the next workspace", arguments: Surface.forSamples)
    func leave(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            let (screens, root) = (try await walk.screens(), try await walk.report()["root"]?.text)
            try await walk.play("presentWorkspaceList", "askToLeave", #"{"leave":{"remaining":[12]}}"#)
            try await walk.expectTabs(12)
            #expect(try await walk.screens() == screens)
            #expect(try await walk.report()["root"]?.text == root)
        }
    }

    @Test("Z-22: cancelling the alert for leaving a workspace changes nothing", arguments: Surface.forSamples)
    func cancelLeaving(on surface: Surface) async throws {
        try await surface.sooda(at: .workspaceList) { walk in
            let before = try await walk.picture()
            try await walk.play("askToLeave", "cancel")
            #expect(try await walk.picture() == before)
            try await walk.expectTabs(7, over: " ⊕ sheet[workspaceList]", children: "→[WorkspaceList]")
        }
    }

    @Test("Z-34: dismissing or closing the list of workspaces frees all its objects", arguments: Surface.forSamples)
    func dismissed(on surface: Surface) async throws {
        try await surface.sooda(at: .tabs) { walk in
            let before = try await walk.picture()
            try await walk.play("presentWorkspaceList")
            let list = try #require(try await walk.screens().last)
            #expect(try await walk.dismissed(list).status == 200)
            try await walk.expectTabs(7)
            #expect(try await walk.picture() == before)
            try await walk.play("presentWorkspaceList", "close")
            try await walk.expectTabs(7)
            #expect(try await walk.picture() == before)
        }
    }
}
