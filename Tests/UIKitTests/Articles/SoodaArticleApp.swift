import Testing
import UIKit
import Usher
import UsherTesting

@testable import SoodaArticle

/// The article's app, started by its scene delegate.
enum SoodaUIKitApp: App {
    struct Options: Codable, Sendable {
        var launch = Launch.login
        /// The workspaces of the user who is logged in at the launch.
        var workspaces = [7]
    }

    static let options = Options()
    static let flowHosts: [any FlowHost.Type] = [UIKitCoordinator.self]

    static func root(_ options: Options) -> sending AnyCoordinator {
        UIKitCoordinator(
            delegate: SoodaAppDelegate(),
            scene: SceneDelegate(launch: options.launch, workspaces: options.workspaces) { CoordinatorWatch.watch($0) })
    }
}

private final class SoodaAppDelegate: UIResponder, UIApplicationDelegate {}

extension ArticleWalk {
    /// Sends events in Swift's encoding: a name, or an object.
    func play(_ events: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        for event in events {
            let json = event.hasPrefix("{") ? event : "\"\(event)\""
            app.input(#"{"event":\#(json)}"#, sourceLocation: sourceLocation)
            watch.look()
        }
    }

    func play(_ events: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        play(events, sourceLocation: sourceLocation)
    }

    /// Expects TB(workspace) of `scenarios.md`.
    func expectTabs(
        _ workspace: Int, selected: String = "home", home pushed: String = "", over modals: String = "",
        children: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(
            "tab(\(selected)){home[homeDefault\(pushed)], dm[dmList], search[search], setting[setting]}\(modals)",
            "App→[TabBar→[HomeDefaultScene\(children), DMScene, SearchScene, SettingScene]]",
            sourceLocation: sourceLocation)
        guard selected == "home" else { return }
        let home = app.screens.first { $0.name == "homeDefault" }
        #expect(home?.state == #"{"workspaceID":\#(workspace)}"#, sourceLocation: sourceLocation)
    }
}

/// The beginnings of the Z rows.
enum SoodaWalks {
    static let openChannel = #"{"openChannel":{"id":3,"name":"dev"}}"#
    static let link = UIKitCoordinator.Flow.url("sooda://workspaces/7/channels/3/dev")
    static let logInKim = #"{"logIn":{"name":"kim","password":"usher"}}"#

    static func login(_ events: String..., body: (ArticleWalk) throws -> Void) throws {
        try run(.init(), ["done"] + events, body)
    }

    static func tabs(workspaces: [Int] = [7], _ events: String..., body: (ArticleWalk) throws -> Void) throws {
        try run(.init(launch: .home(workspaceID: 7), workspaces: workspaces), ["done"] + events, body)
    }

    static func empty(_ events: String..., body: (ArticleWalk) throws -> Void) throws {
        try run(.init(launch: .empty, workspaces: []), ["done"] + events, body)
    }

    private static func run(
        _ options: SoodaUIKitApp.Options, _ events: [String], _ body: (ArticleWalk) throws -> Void
    ) throws {
        try ArticleWalk.run(SoodaUIKitApp.self, options: options) { walk in
            walk.play(events)
            try body(walk)
        }
    }
}
