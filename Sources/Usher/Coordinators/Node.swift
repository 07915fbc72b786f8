/// A live coordinator's place in its tree.
final class Node {
    /// Never dangling: a tree empties all nodes before it goes.
    unowned let tree: Tree
    /// Never dangling: the coordinator owns its node.
    unowned let coordinator: AnyCoordinator
    let id: Int
    /// Never dangling: the parent owns this node's coordinator and is emptied after it.
    unowned let parent: Node?
    let navigation: Navigation
    /// The name, with `#id` where a live sibling already had it.
    let name: String
    /// The names from the root down, such as `app/tabBar/home`.
    let path: String
    /// Where it stands in the tree, as a number.
    let digest: UInt64
    let depth: Int
    var children = Few<AnyCoordinator>()
    /// How many of its own screens are in a stack.
    var screenCount = 0
    /// How much of its work is pending.
    var workCount = 0
    /// Whether its coordinator is about to end.
    var isLeaving = false
    /// Whether it, or a descendant, has ever shown a screen.
    private(set) var hasShown = false

    init(_ coordinator: AnyCoordinator, tree: Tree, id: Int, parent: Node?, navigation: Navigation, name: String) {
        self.coordinator = coordinator
        self.tree = tree
        self.id = id
        self.parent = parent
        self.navigation = navigation
        self.name = name
        path = parent.map { "\($0.path)/\(name)" } ?? name
        depth = parent.map { $0.depth + 1 } ?? 0
        var digest = Digest()
        digest.add(id)
        digest.add(path)
        self.digest = digest.value
    }

    /// Whether the cancel rule holds: it had something to show and nothing is left of it.
    var isDeserted: Bool {
        hasShown && screenCount == 0 && children.isEmpty && workCount == 0 && parent != nil
    }

    /// Notes that a screen came, here and up to the root.
    func didShow() {
        var node: Node? = self
        while let current = node, !current.hasShown {
            current.hasShown = true
            node = current.parent
        }
    }

    func remove(_ child: AnyCoordinator) {
        children.removeAll { $0 === child }
    }
}
