import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of the Z rows of `scenarios.md` inside a workspace, with the article's own coordinators.
@Suite("sooda in UIKit: a workspace")
struct SoodaTabArticleRows {
    private static let list = " ⊕ sheet[workspaceList]"
    private static let setting = " ⊕ fullScreen[exploreChannel, channelChat, channelSetting]"

    @Test("Z-18, Z-19 in UIKit: choosing another workspace updates the home screen without replacing it")
    func choose() throws {
        try SoodaWalks.tabs("presentWorkspaceList") { walk in
            walk.expectTabs(7, over: Self.list, children: "→[WorkspaceList]")
            let home = walk.app.screens.first?.id
            walk.play(#"{"choose":{"workspaceID":11}}"#)
            walk.expectTabs(11)
            #expect(walk.app.screens.first?.id == home)
        }
    }

    @Test("Z-20 in UIKit: leaving the last workspace leads to the home without a workspace")
    func leaveLast() throws {
        try SoodaWalks.tabs("presentWorkspaceList", "askToLeave") { walk in
            walk.expectTabs(7, over: Self.list + " ⊕ alert[alert]", children: "→[WorkspaceList]")
            walk.tap("Leave")
            walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
        }
    }

    @Test("Z-21 in UIKit: leaving a workspace leads to the next workspace")
    func leave() throws {
        try SoodaWalks.tabs(workspaces: [7, 12], "presentWorkspaceList", "askToLeave") { walk in
            walk.tap("Leave")
            walk.expectTabs(12)
        }
    }

    @Test("Z-22, Z-34 in UIKit: cancelling the alert changes nothing, and dismissing the list closes the list")
    func cancelLeaving() throws {
        try SoodaWalks.tabs("presentWorkspaceList", "askToLeave") { walk in
            walk.tap("Cancel")
            walk.expectTabs(7, over: Self.list, children: "→[WorkspaceList]")
            walk.app.dismissed()
            walk.expectTabs(7)
        }
    }

    @Test("Z-23 in UIKit: the sheets for a member and for a channel open and close")
    func invite() throws {
        try SoodaWalks.tabs { walk in
            for (event, screen) in [("presentInviteMember", "inviteMember"), ("presentMakeChannel", "makeChannel")] {
                walk.play(event)
                walk.expectTabs(7, over: " ⊕ sheet[\(screen)]")
                walk.play("done")
                walk.expectTabs(7)
            }
        }
    }

    @Test("Z-25, Z-39 in UIKit: a tab keeps its channel while another is selected")
    func openChannel() throws {
        try SoodaWalks.tabs(SoodaWalks.openChannel) { walk in
            walk.expectTabs(7, home: ", channelChat")
            for tab in ["dm", "search"] {
                walk.app.select(tab)
                walk.expectTabs(7, selected: tab, home: ", channelChat")
            }
            walk.app.select("home")
            walk.expectTabs(7, home: ", channelChat")
        }
    }

    @Test("Z-26, Z-27, Z-28 in UIKit: a user finds a channel by exploring, opens it and renames it")
    func explore() throws {
        try SoodaWalks.tabs("exploreChannels") { walk in
            walk.expectTabs(7, over: " ⊕ fullScreen[exploreChannel]", children: "→[ExploreChannel]")
            walk.play(SoodaWalks.openChannel, "openSetting")
            walk.expectTabs(7, over: Self.setting, children: "→[ExploreChannel]")
            walk.play("presentEdit", #"{"saved":{"name":"new"}}"#)
            walk.expectTabs(7, over: Self.setting, children: "→[ExploreChannel]")
            walk.app.expectState(#"{"id":3,"name":"new"}"#)
        }
    }

    @Test("Z-29 in UIKit: backHome closes three screens at once")
    func backHome() throws {
        try SoodaWalks.tabs("exploreChannels", SoodaWalks.openChannel, "openSetting", "backHome") { walk in
            walk.expectTabs(7)
        }
    }

    @Test("Z-30 in UIKit: logging out leads to the onboarding")
    func logOut() throws {
        try SoodaWalks.tabs("logOut") { walk in walk.expect("n[onboarding]", "App→[Login]") }
    }

    @Test(
        "Z-31 in UIKit: a link opens a channel, whatever screens cover the home",
        arguments: [
            [], [SoodaWalks.openChannel], ["exploreChannels", SoodaWalks.openChannel, "openSetting"],
            ["presentWorkspaceList"],
        ])
    func link(_ events: [String]) throws {
        try SoodaWalks.tabs { walk in
            walk.play(events)
            walk.app.open(SoodaWalks.link)
            walk.expectTabs(7, home: ", channelChat")
        }
    }
}
