import UsherJSON

/// A coordinator whatever its output: what the tree holds.
///
/// Authors subclass `Coordinator`.
///
/// The engine owns every link of a coordinator: its parent, its children, its screens. All of them hang on `node`, so
/// that ending it is letting go of one reference, and one that an author keeps too long keeps nothing else alive.
open class AnyCoordinator: Navigating {
    /// Where a coordinator is in its life.
    enum Phase {
        case new
        case live(Node)
        /// Ended; misuse from now on is still reported, to the tree that it was in.
        case ended(Warnings)
    }

    private(set) var phase = Phase.new

    init() {}

    /// The name on the wire.
    ///
    /// By default the type's without `Coordinator`: `DMCoordinator` is `dm`.
    open class var name: String { CoordinatorNames.shared.name(of: self) }

    /// Shows the first screen, or starts the first child.
    ///
    /// The engine calls it once.
    ///
    /// - Throws: `Refusal` when the coordinator cannot be started now: the whole input is then refused.
    open func start() throws {}

    /// Is told of the end of a child that was started without a closure.
    ///
    /// - Parameters:
    ///   - child: The child; its screens and its own children are gone already.
    ///   - outcome: How it ended.
    open func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) throws {}

    /// Gives itself up: the parent's closure gets `.cancelled`.
    public final func cancel() {
        node?.tree.end(self)
    }

    /// Tells the parent how this coordinator ended, once.
    func deliverOutcome(to parent: AnyCoordinator) throws {}

    /// The outcome as JSON, for a root: it has no parent to tell.
    func encodeOutcome() throws(JSONError) -> Ending { Ending(reason: .cancelled, result: nil) }
}

extension AnyCoordinator {
    /// The links into the tree while the coordinator is live.
    final var node: Node? {
        guard case .live(let node) = phase else { return nil }
        return node
    }

    final func enter(_ node: Node) {
        phase = .live(node)
    }

    final func leave(_ warnings: Warnings) {
        phase = .ended(warnings)
    }

    /// The node, or nil and a warning: a coordinator that is not in a tree can do nothing.
    final func node(for operation: String) -> Node? {
        switch phase {
        case .live(let node): return node
        case .ended(let warnings): warnings.add("\(Self.self) has ended: \(operation) did nothing")
        case .new: break
        }
        return nil
    }
}
