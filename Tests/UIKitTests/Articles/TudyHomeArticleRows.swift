import Testing
import UIKit
import Usher
import UsherTesting

@testable import TudyArticle

/// Tests of the T rows of `scenarios.md` in the home tab, with the article's own coordinators.
@Suite("tudy in UIKit: home")
struct TudyHomeArticleRows {
    @Test("T-01 in UIKit: the app starts with two tabs, home selected, and four coordinators")
    func start() throws {
        try TudyWalks.run { walk in
            walk.expectStart()
            #expect(walk.watch.count == 4)
        }
    }

    @Test("T-02 in UIKit: showSearch pushes the search")
    func search() throws {
        try TudyWalks.run { walk in
            walk.app.send(.showSearch, on: HomeScreen.self)
            walk.expect("tab(home){home[home, search], chat[chatList]}", TudyWalks.tree)
        }
    }

    @Test("T-03, T-04 in UIKit: the fast search shows its word and leads to a project")
    func fastSearch() throws {
        try TudyWalks.run { walk in
            walk.app.send(.showFastSearch(work: "iOS"), on: HomeScreen.self)
            walk.expect("tab(home){home[home, fastSearch], chat[chatList]}", TudyWalks.tree)
            walk.app.expectVisible(FastSearchScreen(work: "iOS", projects: [.walkingApp]))
            walk.app.send(.showProjectDetail(project: .walkingApp), on: FastSearchScreen.self)
            walk.expect("tab(home){home[home, fastSearch, projectDetail], chat[chatList]}", TudyWalks.tree)
        }
    }

    @Test("T-05 in UIKit: a known project is shown, and an unknown project is refused")
    func detail() throws {
        try TudyWalks.run { walk in
            walk.expectUnchanged(.refused, naming: "no project 3") {
                $0.app.send(.showProjectDetail(project: TudyWalks.newProject), on: HomeScreen.self)
            }
            walk.app.send(.showProjectDetail(project: .walkingApp), on: HomeScreen.self)
            walk.expect(TudyWalks.detail, TudyWalks.tree)
            walk.app.expectVisible(ProjectDetailScreen(project: .walkingApp))
        }
    }

    @Test("T-06, T-07 in UIKit: the form is a modal without its own coordinator, and its project is listed")
    func write() throws {
        try TudyWalks.run(loggedIn: true) { walk in
            walk.app.send(.showProjectWrite, on: HomeScreen.self)
            walk.expect(TudyWalks.start + " ⊕ fullScreen[projectWrite]", TudyWalks.tree)
            walk.app.send(.registerProject(project: TudyWalks.newProject), on: ProjectWriteScreen.self)
            walk.expectStart()
            walk.app.expectVisible(
                HomeScreen(user: .kim, projects: [.studyGroup, .walkingApp, TudyWalks.newProject]))
        }
    }

    @Test("T-06g in UIKit: a guest who wants to write is asked to log in")
    func writeAsGuest() throws {
        try TudyWalks.run { walk in
            walk.app.send(.showProjectWrite, on: HomeScreen.self)
            walk.expect(TudyWalks.login, TudyWalks.treeWithLogin)
        }
    }

    @Test("T-08, T-09 in UIKit: a user can change only their own project, and saving dismisses the form and pops")
    func modify() throws {
        try TudyWalks.detail(of: .walkingApp, loggedIn: true) { walk in
            walk.expectUnchanged(.refused, naming: "Lee") {
                $0.app.send(.showModifyProject, on: ProjectDetailScreen.self)
            }
        }
        try TudyWalks.detail(of: .studyGroup, loggedIn: true) { walk in
            walk.app.send(.showModifyProject, on: ProjectDetailScreen.self)
            walk.expect(TudyWalks.detail + " ⊕ fullScreen[projectWrite]", TudyWalks.tree)
            let changed = Project(id: 1, title: "A Swift study group", writer: .kim)
            walk.app.send(.updateProject(project: changed), on: ProjectWriteScreen.self)
            walk.expectStart()
            walk.app.expectVisible(HomeScreen(user: .kim, projects: [changed, .walkingApp]))
        }
    }

    @Test("T-10 in UIKit: the event showDeclaration changes nothing")
    func declaration() throws {
        try TudyWalks.detail(of: .walkingApp) { walk in
            walk.app.send(.showDeclaration, on: ProjectDetailScreen.self)
            walk.expect(TudyWalks.detail, TudyWalks.tree)
            walk.app.expectChanges("[]")
        }
    }

    @Test("T-12 in UIKit: showMyPage pushes the user's page, and back closes it")
    func myPage() throws {
        try TudyWalks.run(loggedIn: true) { walk in
            walk.app.send(.showMyPage, on: HomeScreen.self)
            walk.expect("tab(home){home[home, myPage], chat[chatList]}", "App→[TabBar→[Home→[MyPage], Chat]]")
            walk.app.back()
            walk.expectStart()
        }
    }

    @Test("T-24 in UIKit: back from a project shows the home")
    func back() throws {
        try TudyWalks.detail(of: .walkingApp) { walk in
            walk.app.back()
            walk.expectStart()
            #expect(walk.app.screens.map(\.id) == [1])
        }
    }

    @Test("T-25 in UIKit: a hidden tab keeps its stack")
    func keep() throws {
        try TudyWalks.detail(of: .walkingApp) { walk in
            walk.app.select("chat")
            walk.expect("tab(chat){home[home, projectDetail], chat[chatList]}", TudyWalks.tree)
            walk.app.select("home")
            walk.expect(TudyWalks.detail, TudyWalks.tree)
            #expect(walk.app.screens.map(\.id) == [1, 3])
        }
    }

    @Test("T-30 in UIKit: logging out creates new tabs for a guest")
    func logout() throws {
        try TudyWalks.run(loggedIn: true) { walk in
            walk.app.send(.showMyPage, on: HomeScreen.self)
            walk.watch.look()
            walk.app.send(.logout, on: MyPageScreen.self)
            walk.expectStart()
            walk.app.expectVisible(HomeScreen(user: nil, projects: [.studyGroup, .walkingApp]))
            #expect(walk.watch.count == 8)
        }
    }

    @Test("T-32 in UIKit: unknown events, and events of covered or hidden screens, are refused")
    func refusals() throws {
        try TudyWalks.run { walk in
            walk.expectUnchanged(.invalid, naming: "showSearch") { $0.app.send("fly") }
            walk.expectUnchanged(.stale, naming: "hidden tab") { $0.app.send("showLogin", from: 2) }
            walk.app.send(.showSearch, on: HomeScreen.self)
            walk.expectUnchanged(.stale, naming: "covered") { $0.app.send("showSearch", from: 1) }
        }
    }
}
