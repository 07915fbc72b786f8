import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of the Z rows of `scenarios.md` from the splash to a home, with the article's own coordinators.
@Suite("sooda in UIKit: login and workspaces")
struct SoodaLoginArticleRows {
    @Test("Z-01, Z-02 in UIKit: the splash leads to the onboarding")
    func splash() throws {
        try ArticleWalk.run(SoodaUIKitApp.self) { walk in
            walk.expect("n[splash]", "App→[Splash]")
            walk.play("done")
            walk.expect("n[onboarding]", "App→[Login]")
        }
    }

    @Test("Z-03 in UIKit: the splash leads to a workspace")
    func home() throws {
        try SoodaWalks.tabs { walk in walk.expectTabs(7) }
    }

    @Test("Z-04 in UIKit: the splash leads to the home without a workspace")
    func empty() throws {
        try SoodaWalks.empty { walk in walk.expect("n[homeEmpty]", "App→[HomeEmpty]") }
    }

    @Test(
        "Z-05, Z-06, Z-07 in UIKit: the ways to sign in are sheets",
        arguments: [
            ([], ""), (["presentEmailLogin"], " ⊕ sheet[emailLogin]"), (["presentSignUp"], " ⊕ sheet[signUp]"),
        ])
    func selectAuth(_ events: [String], _ modal: String) throws {
        try SoodaWalks.login("presentSelectAuth") { walk in
            walk.play(events)
            walk.expect("n[onboarding] ⊕ sheet[selectAuth]\(modal)", "App→[Login→[SelectAuth]]")
        }
    }

    @Test("Z-08, Z-37 in UIKit: an email login leads to the workspace, and the login screen has left")
    func emailLogin() throws {
        try SoodaWalks.login("presentSelectAuth", "presentEmailLogin") { walk in
            let login = walk.app.visible?.id ?? 0
            walk.play(SoodaWalks.logInKim)
            walk.expectTabs(7)
            walk.expectUnchanged(.stale) {
                $0.app.send("logIn", ["name": "kim", "password": "usher"], from: login)
            }
        }
    }

    @Test("Z-09 in UIKit: a user without a workspace sees the empty home")
    func emailLoginLee() throws {
        try SoodaWalks.login("presentSelectAuth", "presentEmailLogin") { walk in
            walk.play(#"{"logIn":{"name":"lee","password":"usher"}}"#)
            walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
        }
    }

    @Test("Z-10 in UIKit: a social login leads to the same screens")
    func socialLogin() throws {
        try SoodaWalks.login("presentSelectAuth", #"{"socialLogin":{"token":"kim"}}"#) { walk in walk.expectTabs(7) }
        try SoodaWalks.login("presentSelectAuth", #"{"socialLogin":{"token":"lee"}}"#) { walk in
            walk.expect("n[homeEmpty]", "App→[HomeEmpty]")
        }
    }

    @Test("Z-11, Z-13, Z-14 in UIKit: a new user creates a first workspace at once or later")
    func signUp() throws {
        for (events, workspace) in [(["presentMakeWorkspace", #"{"made":{"workspaceID":8}}"#], 8), (["later"], 0)] {
            try SoodaWalks.login("presentSelectAuth", "presentSignUp", #"{"signUp":{"name":"park"}}"#) { walk in
                walk.expect("n[initialWorkspace]", "App→[Login→[InitialWorkspace]]")
                walk.play(events)
                if workspace > 0 { walk.expectTabs(workspace) } else { walk.expect("n[homeEmpty]", "App→[HomeEmpty]") }
            }
        }
    }

    @Test("Z-16 in UIKit: a user without a workspace creates one")
    func makeWorkspace() throws {
        try SoodaWalks.empty("presentMakeWorkspace", #"{"made":{"workspaceID":9}}"#) { walk in walk.expectTabs(9) }
    }

    @Test("Z-17 in UIKit: a user without a workspace opens the list of workspaces")
    func listFromEmpty() throws {
        try SoodaWalks.empty("presentWorkspaceList") { walk in
            walk.expect("n[homeEmpty] ⊕ sheet[workspaceList]", "App→[HomeEmpty→[WorkspaceList]]")
            walk.play(#"{"choose":{"workspaceID":11}}"#)
            walk.expectTabs(11)
        }
    }

    @Test("Z-32, Z-33 in UIKit: dismissing the sheet frees its objects, and the login still works")
    func dismissed() throws {
        try SoodaWalks.login("presentSelectAuth") { walk in
            walk.app.dismissed()
            walk.expect("n[onboarding]", "App→[Login]")
            walk.play("presentSelectAuth", "presentEmailLogin", SoodaWalks.logInKim)
            walk.expectTabs(7)
        }
    }

    @Test("Z-31s in UIKit: a link that arrives before the login is followed after the login")
    func pendingLink() throws {
        try SoodaWalks.login("presentSelectAuth", "presentEmailLogin") { walk in
            walk.app.open(SoodaWalks.link)
            walk.expect("n[onboarding] ⊕ sheet[selectAuth] ⊕ sheet[emailLogin]", "App→[Login→[SelectAuth]]")
            walk.play(SoodaWalks.logInKim)
            walk.expectTabs(7, home: ", channelChat")
        }
    }
}
