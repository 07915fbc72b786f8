import UsherJSON
import UsherReflection

/// The base class of all coordinators, whatever their output is.
///
/// Authors subclass `Coordinator`. The engine stores all of a coordinator's links to its parent, children and screens
/// in one object, `node`. The engine ends a coordinator by releasing this object. If an app keeps an ended coordinator
/// too long, the coordinator therefore keeps no other coordinator alive.
open class AnyCoordinator: Navigating {
    enum Phase {
        case new
        /// The coordinator is not started yet, but an operation was already called. When the coordinator starts, the
        /// tree warns of the call.
        case early(EarlyCalls)
        case live(Node)
        /// The coordinator has ended. Further calls add warnings to the coordinator's former tree.
        case ended(Warnings)
    }

    // Unchecked, because the property is only read and replaced, never changed in place.
    @safe @exclusivity(unchecked) private(set) var phase = Phase.new

    /// The object that observes the coordinator's deallocation, once the coordinator has left its tree.
    @safe @exclusivity(unchecked) private final var ownLife: ObjectLife?

    init() {}

    deinit { ownLife?.end() }

    /// The name on the wire; by default the type's name without `Coordinator`: `DMCoordinator` is `dm`.
    open class var name: String { WireNames.shared.name(of: self) { $0.lowerCamelCased(without: "Coordinator") } }

    /// The name of this instance on the wire; nil to use the type's name.
    ///
    /// Paths, trees and leak reports use the name. The engine reads the name once, when the coordinator starts, so the
    /// name must depend only on the initializer's arguments. The name must not contain a slash, because slashes
    /// separate the parts of a path.
    ///
    /// ```swift
    /// override var instanceName: String? { "workspace-\(id)" }
    /// ```
    open var instanceName: String? { nil }

    /// The type of the coordinator's output; nil if the coordinator has no output.
    class var outputType: Any.Type? { nil }

    /// Shows the first screen, or starts the first child; the engine calls this method once.
    ///
    /// - Throws: `Refusal` if the coordinator cannot be started now. The whole input is then refused.
    open func start() throws {}

    /// Called when a child that was started without a closure ends.
    ///
    /// - Parameters:
    ///   - child: The child. Its screens and its own children are already gone.
    ///   - outcome: How the child ended.
    open func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) throws {}

    /// Opens a flow that a descendant passed to `finish(next:)`, if the flow belongs to a coordinator below this one.
    ///
    /// For this coordinator's own flows, the engine calls `FlowHost.open(_:)` instead of this method.
    ///
    /// - Parameters:
    ///   - child: The child that called `finish(next:)`, or that ended because it did not open a descendant's flow
    ///     either.
    ///   - next: The flow.
    /// - Returns: Whether the flow was opened. If not, this coordinator finishes too, and the engine asks its parent to
    ///   open the flow.
    open func childDidFinish(_ child: AnyCoordinator, next: any Codable & Sendable) throws -> Bool { false }

    /// Called before a user's tap selects another tab.
    ///
    /// Only the coordinator that owns the tabs is called, and not for its own `select`.
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
    /// - Returns: False to keep the selected tab. The tap is then accepted, but only the changes that this method makes
    ///   take effect.
    /// - Throws: `Refusal` if the tap must change nothing.
    open func shouldSelect(_ tab: String) throws -> Bool { true }

    /// Called after the user has selected another tab.
    ///
    /// Only the coordinator that owns the tabs is called, and not for its own `select`.
    ///
    /// - Parameter tab: The tab's name.
    open func didSelect(_ tab: String) throws {}

    /// Called when the user has tapped the selected tab again.
    ///
    /// Only the coordinator that owns the tabs is called.
    ///
    /// - Parameter tab: The tab's name.
    open func didReselect(_ tab: String) throws {}

    /// Called at the end of an input that makes one of the coordinator's older screens visible again.
    ///
    /// This happens when screens above the older screen were popped, a modal was closed, or the screen's tab was
    /// selected. The engine calls the method at most once in an input, as a part of that input. If the method throws an
    /// error, the input is refused. Work that the method begins ends with the screen.
    ///
    /// ```swift
    /// override func didReturn(to screen: Int) {
    ///     if screen == list.id { perform(LoadNotes()) { me, result in me.show(result) } }
    /// }
    /// ```
    ///
    /// - Parameter screen: The screen's instance id, as in `Handle.id`.
    open func didReturn(to screen: Int) throws {}

    /// Called when a new build could not replay the session's newest inputs, and resumed the session at an earlier
    /// revision.
    ///
    /// The engine calls only the root coordinator, which must not end in this method. Work that the method begins
    /// starts with the next input. This input also records the screens that the method shows. If the method throws, its
    /// changes are undone, and the state has a warning.
    ///
    /// ```swift
    /// override func didResume(dropped: Dropped) {
    ///     if dropped.results.contains(Charge.name) { start(OrdersCoordinator()) }
    /// }
    /// ```
    ///
    /// - Parameter dropped: The inputs, results and work that the session has lost.
    open func didResume(dropped: Dropped) throws {}

    /// Ends the coordinator without an output; the parent's closure gets `.cancelled`.
    public final func cancel() {
        stayingNode?.tree.hierarchy.end(self)
    }

    /// Ends this coordinator, and makes a coordinator above it open a flow.
    ///
    /// The parent's closure gets `.left`. Then the parent opens the flow, or finishes too; in that case, the parent's
    /// parent does the same. If no coordinator opens the flow, the input fails, and the session stays as it was.
    ///
    /// ```swift
    /// finish(next: TabBarCoordinator.Flow.home(workspace: 7))
    /// ```
    ///
    /// - Parameter flow: A case of the type `Flow` of the coordinator that opens the flow.
    public final func finish(next flow: some Codable & Sendable) {
        guard let node = stayingNode else { return }
        leaveTowardsFlow()
        node.tree.hierarchy.end(self, next: flow)
    }

    /// Sets the outcome to `.left`.
    func leaveTowardsFlow() {}

    /// Sets the parent's closure, which receives the outcome with an output of any type.
    func completeErased(
        at origin: SourceLocation, _ completion: @escaping (AnyCoordinator, Outcome<Any>) throws -> Void
    ) {}

    /// Releases only the parent's closure, to find out what the closure retains; returns the place of the call that passed it.
    func dropCompletion() -> SourceLocation? { nil }

    /// Passes the outcome to the parent, once.
    func deliverOutcome(to parent: AnyCoordinator) throws {}

    /// Returns the outcome of a root as JSON, because a root has no parent to receive it.
    func encodeOutcome() throws(JSONError) -> Ending { Ending(reason: .cancelled, result: nil) }
}

extension AnyCoordinator {
    /// Warns the author of a misuse, in the answer to this input.
    ///
    /// - Parameter message: The call without effect, and the reason.
    package final func warn(_ message: String) {
        node?.tree.warnings.add(message)
    }

    /// Prevents the engine from closing modals over this coordinator for a deep link, because the coordinator closes
    /// them itself.
    package final func closesModalsItself() {
        node?.tree.link.leaveModals()
    }
}

extension AnyCoordinator {
    /// The node with the links into the tree; nil unless the coordinator is live.
    final var node: Node? {
        guard case .live(let node) = phase else { return nil }
        return node
    }

    final var isNew: Bool {
        // No `switch`: with one, the compiler would allocate the closure of `start` on the heap.
        if case .new = phase { return true }
        if case .early = phase { return true }
        return false
    }

    /// The node; nil if the coordinator is not live or is ending.
    ///
    /// While the coordinator is ending, objects that leave with it may still call it.
    final var stayingNode: Node? {
        guard let node, !node.isLeaving else { return nil }
        return node
    }

    final var life: ObjectLife {
        if let ownLife { return ownLife }
        let life = ObjectLife(of: self)
        ownLife = life
        return life
    }

    final var isDeserted: Bool { node?.isDeserted == true }

    final func enter(_ node: Node) {
        if case .early(let calls) = phase { calls.warn(of: Self.self, in: node.tree.warnings) }
        phase = .live(node)
    }

    final func leave(_ warnings: Warnings) {
        phase = .ended(warnings)
    }

    /// Returns the node for an operation that modals can be in the way of; if the coordinator is not in a tree, warns
    /// and returns nil.
    final func node(for operation: String) -> Node? { workingNode(for: operation, clearsWay: true) }

    /// Returns the node for an operation; if there is none, warns and returns nil.
    ///
    /// - Parameter clearsWay: Whether modals can be in the way of the operation. If a link is being followed, the
    ///   engine closes these modals.
    final func workingNode(for operation: String, clearsWay: Bool = false) -> Node? {
        switch phase {
        case .live(let node):
            let tree = node.tree
            guard !tree.transaction.isEncoding else {
                tree.warnings.add("\(Self.self): `\(operation)` did nothing, because a screen was being encoded")
                return nil
            }
            guard !node.isLeaving else {
                warnOfEnd(operation, in: tree.warnings)
                return nil
            }
            tree.noteAction()
            guard clearsWay, tree.link.hasModalsBefore else { return node }
            tree.link.clearWay(for: node)
            // A modal that was in the way may have ended this coordinator.
            return self.node
        case .ended(let warnings):
            warnOfEnd(operation, in: warnings)
            return nil
        case .new, .early:
            note(early: operation)
            return nil
        }
    }

    /// Cancels the work that new work replaces, and returns the node; if there is no node, warns and returns nil.
    final func workingNode(for operation: String, replacing older: WorkHandle) -> Node? {
        guard let node = workingNode(for: operation) else { return nil }
        guard older.isPending else { return node }
        older.cancel()
        // Objects of the older work may have ended this coordinator in their `deinit`.
        return stays(at: node, for: operation) ? node : nil
    }

    /// Returns whether the build that started this coordinator knew a change; if the coordinator is not live, warns and
    /// returns false.
    final func isKnown(_ change: String) -> Bool {
        switch phase {
        case .live(let node): return node.tree.isKnown(change, to: node)
        case .ended(let warnings): warnOfEnd("changed", in: warnings)
        case .new, .early: note(early: "changed")
        }
        return false
    }

    @inline(never)  // The function is rarely called, and its callers are often inlined.
    private final func note(early operation: String) {
        if case .early(let calls) = phase {
            calls.add(operation)
        } else {
            phase = .early(EarlyCalls(operation))
        }
    }

    /// Returns whether the coordinator is still in its place after an operation has released other objects; if the
    /// coordinator has ended, warns that the operation did nothing.
    final func stays(at node: Node, for operation: String) -> Bool {
        if stayingNode === node { return true }
        if case .ended(let warnings) = phase { warnOfEnd(operation, in: warnings) }
        return false
    }

    private final func warnOfEnd(_ operation: String, in warnings: Warnings) {
        warnings.add("\(Self.self) has ended: `\(operation)` did nothing")
    }
}

/// The operations that were called before a coordinator was started; a class, to save memory, because they are rare.
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
            warnings.add(
                "\(type): `\(operation)` did nothing, because the coordinator was not started yet; call it in start()")
        }
    }
}
