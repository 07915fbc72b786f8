import UsherJSON

/// A coordinator whatever its output: what the tree holds.
///
/// Authors subclass `Coordinator`. The engine owns every link of a coordinator: its parent, its children, its screens.
/// All of them hang on `node`, so that ending it is letting go of one reference, and one that an author keeps too long
/// keeps nothing else alive.
open class AnyCoordinator: Navigating {
    /// The phases of a coordinator's life.
    enum Phase {
        case new
        /// New, and asked for something all the same, which is told once there is a tree to tell it to.
        case early(EarlyCalls)
        case live(Node)
        /// Ended; misuse from now on is still reported, to the tree that it was in.
        case ended(Warnings)
    }

    // Unchecked, for it is only read and set.
    @safe @exclusivity(unchecked) private(set) var phase = Phase.new

    init() {}

    /// The name on the wire.
    ///
    /// By default the type's without `Coordinator`: `DMCoordinator` is `dm`.
    open class var name: String { WireNames.shared.name(of: self) { $0.lowerCamelCased(without: "Coordinator") } }

    /// The name of this very coordinator on the wire; nil for its type's.
    ///
    /// Paths, trees and leaks say it. It is read once, when the coordinator is started, so it must follow from what it was
    /// made with; a path's parts are told apart by slashes, so it has none.
    ///
    /// ```swift
    /// override var instanceName: String? { "workspace-\(id)" }
    /// ```
    open var instanceName: String? { nil }

    /// The type of its output; nil for a coordinator that has none.
    class var outputType: Any.Type? { nil }

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

    /// Is asked to take a flow that is not its own, when a child has finished towards it: one that leads deeper, to a
    /// child that this coordinator knows the way to.
    ///
    /// A coordinator's own flow is taken by `FlowHost.open(_:)`, without asking here.
    ///
    /// - Parameters:
    ///   - child: The child that finished, or that finished because it did not take the flow either.
    ///   - next: The flow.
    /// - Returns: Whether it was taken; if not, this coordinator finishes too, and its parent is asked.
    open func childDidFinish(_ child: AnyCoordinator, next: any Codable & Sendable) throws -> Bool { false }

    /// Is asked whether another tab may be selected, before a user's tap on it does so.
    ///
    /// Only the coordinator that the tabs belong to is asked, and not for a `select` of its own.
    ///
    /// ```swift
    /// override func shouldSelect(_ tab: String) -> Bool {
    ///     guard tab == Tab.cart.rawValue, user == nil else { return true }
    ///     present(LoginCoordinator(), as: .sheet)
    ///     return false
    /// }
    /// ```
    ///
    /// - Parameter tab: The tab's name.
    /// - Returns: False where the selected tab stays: the tap counts, and changes nothing but what was done here.
    /// - Throws: `Refusal` where the tap is not to count at all.
    open func shouldSelect(_ tab: String) throws -> Bool { true }

    /// Is told that the user has selected another tab.
    ///
    /// Only the coordinator that the tabs belong to is told, and not of a `select` of its own.
    ///
    /// - Parameter tab: The tab's name.
    open func didSelect(_ tab: String) throws {}

    /// Is told that the user tapped the tab that is selected already.
    ///
    /// Only the coordinator that the tabs belong to is told.
    ///
    /// - Parameter tab: The tab's name.
    open func didReselect(_ tab: String) throws {}

    /// Is told, at the end of an input, that the user sees one of its screens again: one that was there before the input
    /// and was not the visible one.
    ///
    /// Others were popped, or a modal is gone, or the tab was selected. It is told at most once in an input, and what it
    /// does belongs to that input: what throws refuses it, and work that begins here goes with the screen.
    ///
    /// ```swift
    /// override func didReturn(to screen: Int) {
    ///     if screen == list.id { perform(LoadNotes()) { me, result in me.show(result) } }
    /// }
    /// ```
    ///
    /// - Parameter screen: The screen's instance id, as `Handle.id` says it.
    open func didReturn(to screen: Int) throws {}

    /// Is told that a new build could not follow the session's newest inputs, and has resumed it at an earlier revision.
    ///
    /// Only the root coordinator is told, which cannot end here. What it does belongs to the resumption: its work begins, and
    /// its screens are kept, with the next input. If it throws, nothing happens, and the state has a warning.
    ///
    /// ```swift
    /// override func didResume(dropped: Dropped) {
    ///     if dropped.results.contains(Charge.name) { start(OrdersCoordinator()) }
    /// }
    /// ```
    ///
    /// - Parameter dropped: The inputs, results and work that the session has lost.
    open func didResume(dropped: Dropped) throws {}

    /// Gives itself up: the parent's closure gets `.cancelled`.
    public final func cancel() {
        stayingNode?.tree.hierarchy.end(self)
    }

    /// Finishes towards a flow that somebody above it knows.
    ///
    /// The parent's closure gets `.left`. Then the parent takes the flow, or finishes too and its parent is asked. A
    /// flow that nobody takes fails the input, and everything is as it was before.
    ///
    /// ```swift
    /// finish(next: TabBarCoordinator.Flow.home(workspace: 7))
    /// ```
    ///
    /// - Parameter flow: A case of the `Flow` of the coordinator that is to show the place.
    public final func finish(next flow: some Codable & Sendable) {
        guard let node = stayingNode else { return }
        leaveTowardsFlow()
        node.tree.hierarchy.end(self, next: flow)
    }

    /// Notes that the outcome is `.left`.
    func leaveTowardsFlow() {}

    /// Takes the parent's closure for the end, which is given any outcome.
    func completeErased(
        at origin: SourceLocation, _ completion: @escaping (AnyCoordinator, Outcome<Any>) throws -> Void
    ) {}

    /// Lets go of the parent's closure alone, to see what it held.
    ///
    /// - Returns: Where it was given.
    func dropCompletion() -> SourceLocation? { nil }

    /// Tells the parent how this coordinator ended, once.
    func deliverOutcome(to parent: AnyCoordinator) throws {}

    /// The outcome as JSON, for a root: it has no parent to tell.
    func encodeOutcome() throws(JSONError) -> Ending { Ending(reason: .cancelled, result: nil) }
}

extension AnyCoordinator {
    /// Warns the author of a misuse, in the answer to this input.
    ///
    /// - Parameter message: What did nothing, and why.
    package final func warn(_ message: String) {
        node?.tree.warnings.add(message)
    }

    /// Keeps the modals that lie over it while it opens a link's flow: it closes itself what is in the way.
    package final func closesModalsItself() {
        node?.tree.link.leaveModals()
    }
}

extension AnyCoordinator {
    /// The links into the tree while the coordinator is live.
    final var node: Node? {
        guard case .live(let node) = phase else { return nil }
        return node
    }

    /// True until it is started.
    final var isNew: Bool {
        // No `switch`: with one, the compiler would put the closure of `start` on the heap.
        if case .new = phase { return true }
        if case .early = phase { return true }
        return false
    }

    /// The node, unless the coordinator is about to end: what leaves with it may act on it meanwhile.
    final var stayingNode: Node? {
        guard let node, !node.isLeaving else { return nil }
        return node
    }

    final func enter(_ node: Node) {
        if case .early(let calls) = phase { calls.warn(of: Self.self, in: node.tree.warnings) }
        phase = .live(node)
    }

    final func leave(_ warnings: Warnings) {
        phase = .ended(warnings)
    }

    /// The node, or nil and a warning: a coordinator that is not in a tree can do nothing.
    final func node(for operation: String) -> Node? {
        guard let node = workingNode(for: operation) else { return nil }
        node.tree.link.clearWay(for: node)
        // This very coordinator may have gone with a modal that was in the way.
        return self.node
    }

    /// The node for what nobody sees, so that nothing is in its way; or nil and a warning.
    final func workingNode(for operation: String) -> Node? {
        switch phase {
        case .live(let node):
            let tree = node.tree
            guard !tree.transaction.isEncoding else {
                tree.warnings.add("\(Self.self): \(operation) while a screen is encoded did nothing")
                return nil
            }
            guard !node.isLeaving else {
                warnOfEnd(operation, in: tree.warnings)
                return nil
            }
            tree.noteAction()
            return node
        case .ended(let warnings):
            warnOfEnd(operation, in: warnings)
            return nil
        case .new, .early:
            note(early: operation)
            return nil
        }
    }

    /// The node for work that replaces other work, which is cancelled first; or nil and a warning.
    final func workingNode(for operation: String, replacing older: WorkHandle) -> Node? {
        guard let node = workingNode(for: operation) else { return nil }
        guard older.isPending else { return node }
        older.cancel()
        // What the older work held may have ended this coordinator as it went.
        return stays(at: node, for: operation) ? node : nil
    }

    /// Returns a Boolean value indicating whether the build that started this coordinator knew a change; false and a
    /// warning unless the coordinator is live.
    final func isKnown(_ change: String) -> Bool {
        switch phase {
        case .live(let node): return node.tree.isKnown(change, to: node)
        case .ended(let warnings): warnOfEnd("changed", in: warnings)
        case .new, .early: note(early: "changed")
        }
        return false
    }

    @inline(never)  // It is seldom called, and its callers are often inlined.
    private final func note(early operation: String) {
        if case .early(let calls) = phase {
            calls.add(operation)
        } else {
            phase = .early(EarlyCalls(operation))
        }
    }

    /// True for a coordinator that is where it was before an operation has let go of others; else a warning says why the
    /// operation goes no further.
    final func stays(at node: Node, for operation: String) -> Bool {
        if stayingNode === node { return true }
        if case .ended(let warnings) = phase { warnOfEnd(operation, in: warnings) }
        return false
    }

    private final func warnOfEnd(_ operation: String, in warnings: Warnings) {
        warnings.add("\(Self.self) has ended: \(operation) did nothing")
    }
}

/// All that a coordinator was asked for before it was started.
///
/// An object, for hardly any coordinator has one.
final class EarlyCalls {
    private var operations: [String]

    init(_ operation: String) {
        operations = [operation]
    }

    func add(_ operation: String) {
        if !operations.contains(operation) { operations.append(operation) }
    }

    @inline(never)
    func warn(of type: AnyCoordinator.Type, in warnings: Warnings) {
        for operation in operations {
            warnings.add("\(type): \(operation) before it was started did nothing; do so in start()")
        }
    }
}
