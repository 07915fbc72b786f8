import Testing
import UIKit
import Usher
import UsherTesting

/// A test of an article's app, with the coordinators that the app itself retains.
struct ArticleWalk {
    let app: AppUnderTest
    let watch: CoordinatorWatch

    /// Runs an article's app.
    static func run<A: App>(
        _ type: A.Type, options: A.Options? = nil, _ body: (ArticleWalk) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let watch = CoordinatorWatch()
        try CoordinatorWatch.$current.withValue(watch) {
            let app = try AppUnderTest(type, options: options, sourceLocation: sourceLocation)
            try body(ArticleWalk(app: app, watch: watch))
            app.finishTest(sourceLocation: sourceLocation)
        }
        #expect(watch.living.isEmpty, "in memory after the session", sourceLocation: sourceLocation)
    }

    /// Runs an article's app with effects.
    static func run<A: App>(
        _ type: A.Type, options: A.Options? = nil, _ body: (ArticleWalk) async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let watch = CoordinatorWatch()
        try await CoordinatorWatch.$current.withValue(watch) {
            let app = try AppUnderTest(type, options: options, sourceLocation: sourceLocation)
            try await body(ArticleWalk(app: app, watch: watch))
            app.finishTest(sourceLocation: sourceLocation)
        }
        #expect(watch.living.isEmpty, "in memory after the session", sourceLocation: sourceLocation)
    }

    /// Expects the stacks and the app's own coordinators, and no other coordinators in memory.
    func expect(_ stack: String, _ tree: String, sourceLocation: SourceLocation = #_sourceLocation) {
        app.expectStack(stack, sourceLocation: sourceLocation)
        #expect(watch.tree == tree, sourceLocation: sourceLocation)
        #expect(watch.strays.isEmpty, "left, but in memory", sourceLocation: sourceLocation)
    }

    /// Taps a button of the visible screen.
    func tap(_ action: String, from screen: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        app.send("tap", ["action": action], from: screen, sourceLocation: sourceLocation)
    }

    /// Expects an input to be refused, and to change nothing.
    func expectUnchanged(
        _ kind: Rejection.Kind, naming words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
        _ input: (ArticleWalk) -> Void
    ) {
        let (stack, tree, ids) = (app.stack, watch.tree, app.screens.map(\.id))
        app.expectRefusal(kind, naming: words, sourceLocation: sourceLocation) { app in
            input(ArticleWalk(app: app, watch: watch))
        }
        expect(stack, tree, sourceLocation: sourceLocation)
        #expect(app.screens.map(\.id) == ids, sourceLocation: sourceLocation)
    }
}

/// The coordinators of an article's app: those in its tree, and those that were in the tree and still live.
///
/// Unchecked because a test and its app run on one thread.
final class CoordinatorWatch: @unchecked Sendable {
    @TaskLocal static var current: CoordinatorWatch?

    private struct Seen {
        let name: String
        weak var coordinator: AnyObject?
    }

    private weak var root: AnyObject?
    private var seen: [Seen] = []
    /// The number of coordinators that were seen in the tree.
    var count: Int { seen.count }

    /// Notes the app's first coordinator; called again when the session is rebuilt.
    static func watch(_ root: AnyObject) {
        current?.root = root
        current?.look()
    }

    /// The app's coordinators: `App→[TabBar→[Home, Chat]]`.
    var tree: String {
        look()
        return root.map(Self.describe) ?? ""
    }

    /// The names of the coordinators that are in memory.
    var living: [String] { seen.filter { $0.coordinator != nil }.map(\.name) }

    /// The names of the coordinators that are in memory, but not in the tree.
    var strays: [String] {
        let current = root.map(Self.all) ?? []
        return seen.filter { each in each.coordinator.map { one in !current.contains { $0 === one } } ?? false }
            .map(\.name)
    }

    /// Adds the coordinators that are in the tree now.
    func look() {
        for coordinator in root.map(Self.all) ?? [] where !seen.contains(where: { $0.coordinator === coordinator }) {
            seen.append(Seen(name: Self.name(of: coordinator), coordinator: coordinator))
        }
    }

    private static func all(_ coordinator: AnyObject) -> [AnyObject] {
        [coordinator] + children(of: coordinator).flatMap(all)
    }

    private static func describe(_ coordinator: AnyObject) -> String {
        let children = children(of: coordinator).map(describe)
        let name = name(of: coordinator)
        return children.isEmpty ? name : "\(name)→[\(children.joined(separator: ", "))]"
    }

    private static func name(of coordinator: AnyObject) -> String {
        let name = "\(type(of: coordinator))"
        return name.hasSuffix("Coordinator") ? String(name.dropLast("Coordinator".count)) : name
    }

    /// The articles use two different names for the list.
    private static func children(of coordinator: AnyObject) -> [AnyObject] {
        let lists = Mirror(reflecting: coordinator).children.filter {
            $0.label == "childCoordinators" || $0.label == "childCoordinator"
        }
        return lists.flatMap { Mirror(reflecting: $0.value).children.map { $0.value as AnyObject } }
    }
}
