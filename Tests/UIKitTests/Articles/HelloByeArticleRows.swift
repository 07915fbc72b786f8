import Testing
import UIKit
import Usher
import UsherTesting

@testable import HelloByeArticle

/// The article's app, started like its scene delegate does it.
private enum HelloByeUIKitApp: App {
    struct Options: Codable, Sendable {
        var greeting = false
    }

    static let options = Options()

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let navigationController = UINavigationController()
            window.rootViewController = navigationController
            let coordinator = AppCoordinator(navigationController: navigationController)
            coordinator.greeting = options.greeting
            coordinator.start()
            CoordinatorWatch.watch(coordinator)
            return coordinator
        }
    }
}

/// Tests of the H rows of `scenarios.md`, with the article's own coordinators.
@Suite("hello-bye in UIKit")
struct HelloByeArticleRows {
    @Test("H-01 in UIKit: bye is the first screen")
    func start() throws {
        try walk { walk in
            walk.expect("n[bye]", "App→[Bye]")
            walk.app.expectState(#"{"actions":["잘가","bye"]}"#)
        }
    }

    @Test("H-02 in UIKit: with the option greeting, hello is the first screen")
    func startGreeting() throws {
        try walk(greeting: true) { walk in walk.expect("n[hello]", "App→[Hello]") }
    }

    @Test("H-03 in UIKit: bye replaces itself with hello and is freed")
    func bye() throws {
        try walk { walk in
            walk.tap("bye")
            walk.expect("n[hello]", "App→[Hello]")
            #expect(walk.watch.count == 3)
        }
    }

    @Test("H-05 in UIKit: hello's bar button leads to a second bye")
    func hello() throws {
        try walk { walk in
            walk.tap("잘가")
            walk.tap("안녕")
            walk.expect("n[bye]", "App→[Bye]")
            #expect(walk.app.screens.map(\.id) == [3])
        }
    }

    @Test("H-06 in UIKit: after a hundred changes between hello and bye, two coordinators are left")
    func alternations() throws {
        try walk { walk in
            for _ in 0..<50 {
                walk.tap("bye")
                walk.expect("n[hello]", "App→[Hello]")
                walk.tap("hello")
            }
            walk.expect("n[bye]", "App→[Bye]")
            #expect(walk.watch.living.count == 2)
        }
    }

    @Test("H-07 in UIKit: the root cannot go back")
    func back() throws {
        try walk { walk in walk.expectUnchanged(.invalid, naming: "root") { $0.app.back() } }
    }

    @Test("H-08 in UIKit: the action hello is refused on bye")
    func wrongEvent() throws {
        try walk { walk in walk.expectUnchanged(.refused, naming: "hello") { $0.tap("hello", from: 1) } }
    }

    @Test("H-09 in UIKit: a tap on the first bye is refused as stale after that screen has left")
    func staleScreen() throws {
        try walk { walk in
            walk.tap("bye")
            walk.expectUnchanged(.stale) { $0.tap("bye", from: 1) }
        }
    }

    @Test("H-10 in UIKit: the end of a session frees every object")
    func delete() throws {
        // Each row ends with this check; here, it starts from the other greeting.
        try walk { walk in walk.tap("bye") }
    }

    @Test("H-11 in UIKit: the event dismissed is refused if there is no modal")
    func dismissed() throws {
        try walk { walk in
            walk.tap("bye")
            walk.expectUnchanged(.stale, naming: "never") { $0.app.dismissed(99) }
            walk.app.dismissed(1)
            walk.expectUnchanged(.invalid, naming: "first screen of a modal") { $0.app.dismissed(2) }
        }
    }

    private func walk(greeting: Bool = false, _ body: (ArticleWalk) throws -> Void) throws {
        try ArticleWalk.run(HelloByeUIKitApp.self, options: .init(greeting: greeting), body)
    }
}
