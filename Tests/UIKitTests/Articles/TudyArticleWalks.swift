import Testing
import UIKit
import Usher
import UsherTesting

@testable import TudyArticle

/// The stacks and trees in the T rows.
enum TudyWalks {
    static let start = "tab(home){home[home], chat[chatList]}"
    static let tree = "App→[TabBar→[Home, Chat]]"
    static let login = start + " ⊕ fullScreen[login]"
    static let treeWithLogin = "App→[TabBar→[Home, Chat, Login]]"
    static let detail = "tab(home){home[home, projectDetail], chat[chatList]}"
    static let newProject = Project(id: 3, title: "A game", writer: .kim)

    static func run(loggedIn: Bool = false, _ body: (ArticleWalk) throws -> Void) throws {
        try ArticleWalk.run(TudyUIKitApp.self, options: .init(loggedIn: loggedIn), body)
    }

    /// Runs the app, and leads it to a project's detail.
    static func detail(of project: Project, loggedIn: Bool = false, _ body: (ArticleWalk) throws -> Void) throws {
        try run(loggedIn: loggedIn) { walk in
            walk.app.send(.showProjectDetail(project: project), on: HomeScreen.self)
            try body(walk)
        }
    }

    /// Runs the app, and leads it to the login.
    static func login(_ body: (ArticleWalk) throws -> Void) throws {
        try run { walk in
            walk.app.send(.showLogin, on: HomeScreen.self)
            walk.watch.look()
            try body(walk)
        }
    }
}

extension ArticleWalk {
    func logIn(_ name: String, password: String = "usher") {
        watch.look()
        app.send(.login(name: name, password: password), on: LoginScreen.self)
    }

    func expectStart() {
        expect(TudyWalks.start, TudyWalks.tree)
    }
}
