import Testing
import UIKit
import Usher
import UsherTesting

@testable import StartLoginMainArticle

/// The article's app, started like its scene delegate does it.
private enum StartLoginMainUIKitApp: App {
    struct Options: Codable, Sendable {
        var loggedIn = false
    }

    static let options = Options()

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let coordinator = AppCoordinator(window: window, loggedIn: options.loggedIn)
            coordinator.start()
            CoordinatorWatch.watch(coordinator)
            return coordinator
        }
    }
}

/// Tests of the S rows of `scenarios.md`, with the article's own coordinators.
@Suite("start-login-main in UIKit")
struct StartLoginMainArticleRows {
    @Test("S-01 in UIKit: start is the first screen")
    func start() throws {
        try walk { walk in walk.expect("n[start]", "App→[Start]") }
    }

    @Test("S-02 in UIKit: startApp shows the login")
    func startApp() throws {
        try walk("startApp") { walk in
            walk.expect("n[start, login]", "App→[Start→[Login]]")
            walk.app.expectChanges(#"[{"push":[2]}]"#)
        }
    }

    @Test("S-03 in UIKit: login pops itself and pushes main in one event")
    func login() throws {
        try walk("startApp", "login") { walk in
            walk.expect("n[start, main]", "App→[Start→[Main]]")
            walk.app.expectChanges(#"[{"pop":[2]},{"push":[3]}]"#)
        }
    }

    @Test("S-04 in UIKit: profileEdit shows the login again")
    func profileEdit() throws {
        try walk("startApp", "login", "profileEdit") { walk in
            walk.expect("n[start, main, login]", "App→[Start→[Main→[Login]]]")
            #expect(walk.app.screens.map(\.id) == [1, 3, 4])
        }
    }

    @Test("S-05 in UIKit: the second login leads back to main")
    func secondLogin() throws {
        try walk("startApp", "login", "profileEdit", "login") { walk in
            walk.expect("n[start, main]", "App→[Start→[Main]]")
        }
    }

    @Test("S-06 in UIKit: back from the login shows start")
    func backFromLogin() throws {
        try walk("startApp") { walk in
            walk.app.back()
            walk.expect("n[start]", "App→[Start]")
        }
    }

    @Test("S-07 in UIKit: after going back and starting the app a hundred times, one login is left")
    func backAndForth() throws {
        try walk("startApp") { walk in
            for _ in 0..<100 {
                walk.app.back()
                walk.tap("startApp")
            }
            walk.expect("n[start, login]", "App→[Start→[Login]]")
        }
    }

    @Test("S-08 in UIKit: back from main shows start")
    func backFromMain() throws {
        try walk("startApp", "login") { walk in
            walk.app.back()
            walk.expect("n[start]", "App→[Start]")
        }
    }

    @Test("S-09 in UIKit: back twice shows main and then start")
    func backTwice() throws {
        try walk("startApp", "login", "profileEdit") { walk in
            walk.app.back()
            walk.expect("n[start, main]", "App→[Start→[Main]]")
            walk.app.back()
            walk.expect("n[start]", "App→[Start]")
        }
    }

    @Test("S-10 in UIKit: a tap on the login is refused as stale after the login has left")
    func goneLogin() throws {
        try walk("startApp", "login") { walk in
            walk.expectUnchanged(.stale, naming: "gone") { $0.tap("login", from: 2) }
        }
    }

    @Test("S-11 in UIKit: a tap on start is refused while another screen covers it")
    func coveredStart() throws {
        try walk("startApp") { walk in
            walk.expectUnchanged(.stale, naming: "covered") { $0.tap("startApp", from: 1) }
        }
    }

    @Test("S-12 in UIKit: the root cannot go back")
    func backFromStart() throws {
        try walk { walk in walk.expectUnchanged(.invalid) { $0.app.back() } }
    }

    @Test("S-13 in UIKit: an unknown event is refused")
    func unknownEvent() throws {
        try walk { walk in
            walk.expectUnchanged(.invalid, naming: "tap") { $0.app.send("fly") }
            walk.expectUnchanged(.refused, naming: "fly") { $0.tap("fly") }
        }
    }

    @Test("S-14 in UIKit: a user who is logged in goes straight to main")
    func loggedIn() throws {
        try walk("startApp", loggedIn: true) { walk in walk.expect("n[start, main]", "App→[Start→[Main]]") }
    }

    private func walk(_ taps: String..., loggedIn: Bool = false, body: (ArticleWalk) throws -> Void) throws {
        try ArticleWalk.run(StartLoginMainUIKitApp.self, options: .init(loggedIn: loggedIn)) { walk in
            for tap in taps {
                walk.tap(tap)
                walk.watch.look()
            }
            try body(walk)
        }
    }
}
