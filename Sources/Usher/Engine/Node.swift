import UsherBytes
package import UsherJSON

/// A live coordinator's place in its tree.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class Node {
    /// Never dangling: a tree empties all nodes before it goes.
    unowned let tree: Tree
    /// Never dangling: the coordinator owns its node.
    unowned let coordinator: AnyCoordinator
    let id: Int
    /// Never dangling: the parent owns this node's coordinator and is emptied after it.
    unowned let parent: Node?
    let navigation: Navigation
    /// The names from the root down, such as `app/tabBar/home`.
    let path: String
    @safe @exclusivity(unchecked) private(set) var children = SmallArray<AnyCoordinator>()
    // Narrow and side by side: each live coordinator of each session has these.
    /// The number of its own screens in the stacks.
    @safe @exclusivity(unchecked) private(set) var screenCount: Int32 = 0
    /// Set once its coordinator is about to end.
    @safe @exclusivity(unchecked) private(set) var isLeaving = false
    /// Set once it, or a descendant, has shown a screen.
    @safe @exclusivity(unchecked) private var hasShown = false

    init(_ coordinator: AnyCoordinator, tree: Tree, id: Int, parent: Node?, navigation: Navigation, name: String) {
        self.coordinator = coordinator
        self.tree = tree
        self.id = id
        self.parent = parent
        self.navigation = navigation
        path = parent.map { Self.path(of: name, under: $0.path) } ?? name
    }

    /// A path written in one go: each of a tree's nodes keeps one.
    private static func path(of name: String, under parent: String) -> String {
        String(capacity: parent.utf8.count + 1 + name.utf8.count) { output in
            output.append(copying: parent.utf8.span)
            output.append(UInt8(ascii: "/"))
            output.append(copying: name.utf8.span)
        }
    }

    /// The bytes of a path that a screen tells clients whole.
    ///
    /// A session whose coordinators nest deeply would otherwise send the names of all of them with each screen.
    static let shownPathLimit = 256

    /// Returns a path without its middle: the root's name, and as many of the last names as have room.
    static func shortened(_ path: String) -> String {
        let names = path.split(separator: "/")
        guard names.count > 2 else { return path }
        var start = names.count - 1
        var room = shownPathLimit - names[0].utf8.count - "/…/".utf8.count - names[start].utf8.count
        while start > 1, names[start - 1].utf8.count < room {
            start -= 1
            room -= names[start].utf8.count + 1
        }
        return "\(names[0])/…/\(names[start...].joined(separator: "/"))"
    }

    /// The last part of the path: the coordinator's name, with `#id` where a live sibling already had that.
    var name: Substring {
        guard let parent else { return path[...] }
        return path[path.utf8.index(path.startIndex, offsetBy: parent.path.utf8.count + 1)...]
    }

    /// Its place in the tree as a number: made when it comes and when it leaves, and not kept in between.
    var digest: UInt64 {
        var digest = Digest()
        digest.add(id)
        digest.add(path)
        return digest.value
    }

    /// The number of coordinators above it.
    var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

    /// True of a coordinator below another one, and of that one itself.
    func isPart(of other: Node) -> Bool {
        sequence(first: self, next: \.parent).contains { $0 === other }
    }

    /// The cancel rule: it had something to show and nothing is left of it.
    var isDeserted: Bool {
        hasShown && screenCount == 0 && children.isEmpty && !tree.pendingWork.has(workOf: self) && parent != nil
    }

    /// The topmost modal that its coordinator presented, or else the one that it is in.
    var closestModal: Navigation? {
        let modals = tree.window.modals
        return modals.last { $0.presenter == id } ?? modals.first { $0 === navigation }
    }

    /// Notes that a screen of its own came: something is shown, here and up to the root.
    func didShow() {
        screenCount += 1
        var node: Node? = self
        while let current = node, !current.hasShown {
            current.hasShown = true
            node = current.parent
        }
    }

    func didLoseScreen() { screenCount -= 1 }

    func beginLeaving() { isLeaving = true }

    func add(_ child: AnyCoordinator) {
        children.append(child)
    }

    func remove(_ child: AnyCoordinator) {
        children.removeAll { $0 === child }
    }
}

/// The place that a screen comes to stand in.
struct Placement {
    let id: Int
    /// The coordinator that shows it.
    let owner: AnyCoordinator
    let shown: Shown
    /// The place where its closure was given.
    let origin: SourceLocation
    /// The audience that sees it.
    let audience: SessionAudience

    /// The next place for a screen of a coordinator.
    init(by node: Node, shown: Shown, _ origin: SourceLocation, in tree: Tree) {
        id = tree.takeScreenID()
        owner = node.coordinator
        self.shown = shown
        self.origin = origin
        audience = tree.audience
    }
}

/// The warnings of one input: what an author did that had no effect, for the answer to the input in which he did it.
///
/// Apart from the tree, so that an ended coordinator can still report misuse without keeping the tree alive.
final class Warnings {
    /// Never changed in place, as `Window.modals`.
    @safe @exclusivity(unchecked) private(set) var messages: [String] = []

    /// More of one input are counted no further: they say the same.
    private static let limit = 32

    func add(_ message: String) {
        if messages.count < Self.limit { messages = messages + [message] }
    }

    func clear() {
        if !messages.isEmpty { messages = [] }
    }
}

/// The counts of the coordinators that a tree has seen.
package struct CoordinatorCounts: Equatable, Sendable {
    /// Started so far.
    package internal(set) var created = 0
    /// Ended so far, however they ended.
    package internal(set) var finished = 0
    /// Ended, and still in memory at the end of the input that ended them.
    package internal(set) var leaked = 0

    /// No coordinator yet.
    package init() {}

    /// In the tree now.
    package var live: Int { created - finished }
}

extension CoordinatorCounts {
    /// Makes counts.
    ///
    /// - Parameters:
    ///   - created: Started so far.
    ///   - finished: Ended so far.
    ///   - leaked: Ended, and still in memory.
    package init(created: Int, finished: Int, leaked: Int) {
        self.created = created
        self.finished = finished
        self.leaked = leaked
    }

    /// By how much counts have grown.
    package static func - (later: CoordinatorCounts, earlier: CoordinatorCounts) -> CoordinatorCounts {
        CoordinatorCounts(
            created: later.created - earlier.created, finished: later.finished - earlier.finished,
            leaked: later.leaked - earlier.leaked)
    }
}

extension CoordinatorCounts {
    /// Appends the counts as one object.
    ///
    /// - Parameter writer: Where to append.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for (name, count) in [("live", live), ("created", created), ("finished", finished), ("leaked", leaked)] {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
    }
}
