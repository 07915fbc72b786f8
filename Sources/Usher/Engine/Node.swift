import UsherBytes
package import UsherJSON

/// A live coordinator's place in its tree.
///
/// The state is accessed without exclusivity checks, because no app code runs during a change.
final class Node {
    /// The reference never dangles, because a tree removes all nodes before it is deallocated.
    unowned let tree: Tree
    /// The reference never dangles, because the coordinator owns its node.
    unowned let coordinator: AnyCoordinator
    let id: Int
    /// The reference never dangles, because the parent owns this node's coordinator and is removed after it.
    unowned let parent: Node?
    let navigation: Navigation
    /// The names of the coordinators from the root to this one, such as `app/tabBar/home`.
    let path: String
    @safe @exclusivity(unchecked) private(set) var children = SmallArray<AnyCoordinator>()
    // Narrow and adjacent, to save memory, because each live coordinator of each session has these properties.
    /// The number of the coordinator's own screens in the stacks.
    @safe @exclusivity(unchecked) private(set) var screenCount: Int32 = 0
    /// Whether the coordinator is about to end.
    @safe @exclusivity(unchecked) private(set) var isLeaving = false
    /// Whether the coordinator or a descendant has shown a screen.
    @safe @exclusivity(unchecked) private var hasShown = false

    init(_ coordinator: AnyCoordinator, tree: Tree, id: Int, parent: Node?, navigation: Navigation, name: String) {
        self.coordinator = coordinator
        self.tree = tree
        self.id = id
        self.parent = parent
        self.navigation = navigation
        path = parent.map { Self.path(of: name, under: $0.path) } ?? name
    }

    /// Returns a path with one more name, written in one pass, because each node stores a path.
    private static func path(of name: String, under parent: String) -> String {
        String(capacity: parent.utf8.count + 1 + name.utf8.count) { output in
            output.append(copying: parent.utf8.span)
            output.append(UInt8(ascii: "/"))
            output.append(copying: name.utf8.span)
        }
    }

    /// The maximum length in bytes of a path that clients get with a screen; a longer path is shortened.
    ///
    /// Without the limit, each screen of deeply nested coordinators would be sent with the names of all ancestors.
    static let shownPathLimit = 256

    /// Returns a path without its middle: the root's name, and as many of the last names as fit.
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

    /// The last part of the path: the coordinator's name, with `#id` if a live sibling already had the name.
    var name: Substring {
        guard let parent else { return path[...] }
        return path[path.utf8.index(path.startIndex, offsetBy: parent.path.utf8.count + 1)...]
    }

    /// A digest of the node, computed when the node is added and when it is removed, and not stored.
    var digest: UInt64 {
        var digest = Digest()
        digest.add(id)
        digest.add(path)
        return digest.value
    }

    var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

    /// Returns whether this node is the same as another node, or is below the other node.
    func isPart(of other: Node) -> Bool {
        sequence(first: self, next: \.parent).contains { $0 === other }
    }

    /// Whether the coordinator has shown a screen and now has no screen, child or work, so that it must be cancelled.
    var isDeserted: Bool {
        hasShown && screenCount == 0 && children.isEmpty && !tree.pendingWork.has(workOf: self) && parent != nil
    }

    /// The topmost modal that the coordinator presented, or else the modal in which the coordinator shows its screens.
    var closestModal: Navigation? {
        let modals = tree.window.modals
        return modals.last { $0.presenter == id } ?? modals.first { $0 === navigation }
    }

    /// Records in this node and in all nodes above it that the coordinator has shown a screen.
    func didShow() {
        screenCount += 1
        guard !hasShown else { return }
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

struct Placement {
    let id: Int
    let shown: Shown
    let origin: SourceLocation
}

/// The warnings of one input, for the answer to that input; most report a call by the app that had no effect.
///
/// The warnings are separate from the tree, so that an ended coordinator can add a warning without keeping the tree
/// alive.
final class Warnings {
    /// The array is replaced as a whole instead of being changed in place, for the reason given at `Window.modals`.
    @safe @exclusivity(unchecked) private(set) var messages: [String] = []

    private static let limit = 32

    func add(_ message: String) {
        if messages.count < Self.limit { messages = messages + [message] }
    }

    func clear() {
        if !messages.isEmpty { messages = [] }
    }
}

/// The numbers of a tree's coordinators.
package struct CoordinatorCounts: Equatable, Sendable {
    /// The number of coordinators started so far.
    package internal(set) var created = 0
    /// The number of coordinators that have ended, in any way.
    package internal(set) var finished = 0
    /// The number of objects that have ended or left, but were still in memory at the end of the input.
    package internal(set) var leaked = 0

    /// Creates counts of zero.
    package init() {}

    /// The number of coordinators in the tree.
    package var live: Int { created - finished }
}

extension CoordinatorCounts {
    /// Creates counts.
    package init(created: Int, finished: Int, leaked: Int) {
        self.created = created
        self.finished = finished
        self.leaked = leaked
    }

    /// Returns the differences between two counts.
    package static func - (later: CoordinatorCounts, earlier: CoordinatorCounts) -> CoordinatorCounts {
        CoordinatorCounts(
            created: later.created - earlier.created, finished: later.finished - earlier.finished,
            leaked: later.leaked - earlier.leaked)
    }
}

extension CoordinatorCounts {
    /// Appends the counts as one object.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        for (name, count) in [("live", live), ("created", created), ("finished", finished), ("leaked", leaked)] {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
    }
}
