import UsherJSON
import UsherReflection

/// The base class of all coordinators, whatever their output is.
///
/// Authors subclass `Coordinator`. The engine owns every link of a coordinator: its parent, its children, its screens.
/// All links are in `node`, so the engine ends a coordinator by releasing one reference. If an author keeps an ended
/// coordinator too long, that coordinator keeps no other object alive.
open class AnyCoordinator: Navigating {
    enum Phase {
        case new
        /// Not started yet, but an operation was already called; the tree warns of the call at the start.
        case early(EarlyCalls)
        case live(Node)
        /// Ended; further calls are reported as misuse to the coordinator's tree.
        case ended(Warnings)
    }

    // Unchecked, because it is only read and replaced, never changed in place.
    @safe @exclusivity(unchecked) private(set) var phase = Phase.new

    /// Its life, once it has left its tree.
    @safe @exclusivity(unchecked) private final var ownLife: ObjectLife?

    init() {}

    deinit { ownLife?.end() }

    /// The name on the wire.
    ///
    /// By default the type's name without `Coordinator`: `DMCoordinator` is `dm`.
    open class var name: String { WireNames.shared.name(of: self) { $0.lowerCamelCased(without: "Coordinator") } }

    /// The name of this instance on the wire; nil to use the type's name.
    ///
    /// Paths, trees and leak reports use the name. The engine reads it once, when the coordinator starts. So the name
    /// must depend only on the initializer's arguments. It must not contain a slash, which separates a path's parts.
    ///
    /// ```swift
    /// override var instanceName: String? { "workspace-\(id)" }
    /// ```
    open var instanceName: String? { nil }

    /// The type of the coordinator's output; nil if it has none.
    class var outputType: Any.Type? { nil }

    /// Shows the first screen, or starts the first child.
    ///
    /// The engine calls this method once.
    ///
    /// - Throws: `Refusal` if the coordinator cannot be started now; the whole input is then refused.
    open func start() throws {}

    /// Called when a child that was started without a closure ends.
    ///
    /// - Parameters:
    ///   - child: The child. Its screens and its own children are already gone.
    ///   - outcome: How the child ended.
    open func childDidFinish(_ child: AnyCoordinator, _ outcome: Outcome<Any>) throws {}

    /// Opens the flow that a child passed to `finish(next:)`, if a coordinator below this one shows the flow.
    ///
    /// For this coordinator's own flows, the engine calls `FlowHost.open(_:)` instead of this method.
    ///
    /// - Parameters:
    ///   - child: The child that finished towards the flow, or that finished because it did not open the flow either.
    ///   - next: The flow.
    /// - Returns: Whether the flow was opened. If not, this coordinator finishes too, and its parent is called.
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
    /// - Returns: False to keep the selected tab: the tap is accepted, but only the changes made here take effect.
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

    /// Called at the end of an input when one of the coordinator's older screens becomes visible again.
    ///
    /// Screens above it were popped, a modal was closed, or its tab was selected. The method is called at most once in
    /// an input, and is part of that input: an error that it throws refuses the input, and work that it begins ends
    /// with the screen.
    ///
    /// ```swift
    /// override func didReturn(to screen: Int) {
    ///     if screen == list.id { perform(LoadNotes()) { me, result in me.show(result) } }
    /// }
    /// ```
    ///
    /// - Parameter screen: The screen's instance id, as in `Handle.id`.
    open func didReturn(to screen: Int) throws {}

    /// Called when a new build could not follow the session's newest inputs, and resumed the session before them.
    ///
    /// Only the root coordinator is called, and it cannot end here. Work that this method begins starts with the next
    /// input, which also records the screens that it shows. If the method throws, its changes are undone, and the state
    /// has a warning.
    ///
    /// ```swift
    /// override func didResume(dropped: Dropped) {
    ///     if dropped.results.contains(Charge.name) { start(OrdersCoordinator()) }
    /// }
    /// ```
    ///
    /// - Parameter dropped: The inputs, results and work that the session has lost.
    open func didResume(dropped: Dropped) throws {}

    /// Ends the coordinator without an output: the parent's closure gets `.cancelled`.
    public final func cancel() {
        stayingNode?.tree.hierarchy.end(self)
    }

    /// Ends this coordinator, and makes a coordinator above it open a flow.
    ///
    /// The parent's closure gets `.left`. Then the parent opens the flow, or finishes too, and so on. If no coordinator
    /// opens the flow, the input fails, and the session stays as it was.
    ///
    /// ```swift
    /// finish(next: TabBarCoordinator.Flow.home(workspace: 7))
    /// ```
    ///
    /// - Parameter flow: A case of the `Flow` of the coordinator that shows the place.
    public final func finish(next flow: some Codable & Sendable) {
        guard let node = stayingNode else { return }
        leaveTowardsFlow()
        node.tree.hierarchy.end(self, next: flow)
    }

    /// Sets the outcome to `.left`.
    func leaveTowardsFlow() {}

    /// Sets the parent's closure, which is called at the end with an output of any type.
    func completeErased(
        at origin: SourceLocation, _ completion: @escaping (AnyCoordinator, Outcome<Any>) throws -> Void
    ) {}

    /// Releases only the parent's closure, to find out which objects the closure retains.
    ///
    /// - Returns: The place where the closure was passed in.
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

    /// Keeps a deep link from closing the modals over this coordinator, because the coordinator closes them itself.
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

    /// Whether the coordinator has not been started.
    final var isNew: Bool {
        // No `switch`: with one, the compiler would allocate the closure of `start` on the heap.
        if case .new = phase { return true }
        if case .early = phase { return true }
        return false
    }

    /// The node; nil if the coordinator is not live, or is ending, when leaving objects may still call it.
    final var stayingNode: Node? {
        guard let node, !node.isLeaving else { return nil }
        return node
    }

    /// The life with which leaks are found.
    final var life: ObjectLife {
        if let ownLife { return ownLife }
        let life = ObjectLife(of: self)
        ownLife = life
        return life
    }

    /// Whether the cancel rule applies.
    final var isDeserted: Bool { node?.isDeserted == true }

    final func enter(_ node: Node) {
        if case .early(let calls) = phase { calls.warn(of: Self.self, in: node.tree.warnings) }
        phase = .live(node)
    }

    final func leave(_ warnings: Warnings) {
        phase = .ended(warnings)
    }

    /// Returns the node; if the coordinator is not in a tree, warns and returns nil.
    final func node(for operation: String) -> Node? { workingNode(for: operation, clearsWay: true) }

    /// Returns the node for an operation; if there is none, warns and returns nil.
    ///
    /// - Parameter clearsWay: Whether modals can be in the way of the operation. While a link is followed, they are
    ///   closed.
    final func workingNode(for operation: String, clearsWay: Bool = false) -> Node? {
        switch phase {
        case .live(let node):
            let tree = node.tree
            guard !tree.transaction.isEncoding else {
                tree.warnings.add("\(Self.self): \(operation) did nothing, because a screen was being encoded")
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

    /// Cancels the work that new work replaces, and returns the node; if there is none, warns and returns nil.
    final func workingNode(for operation: String, replacing older: WorkHandle) -> Node? {
        guard let node = workingNode(for: operation) else { return nil }
        guard older.isPending else { return node }
        older.cancel()
        // Objects of the older work may have ended this coordinator in their `deinit`.
        return stays(at: node, for: operation) ? node : nil
    }

    /// Returns whether the build that started this coordinator knew a change; false and a warning if it is not live.
    final func isKnown(_ change: String) -> Bool {
        switch phase {
        case .live(let node): return node.tree.isKnown(change, to: node)
        case .ended(let warnings): warnOfEnd("changed", in: warnings)
        case .new, .early: note(early: "changed")
        }
        return false
    }

    @inline(never)  // Rarely called, and its callers are often inlined.
    private final func note(early operation: String) {
        if case .early(let calls) = phase {
            calls.add(operation)
        } else {
            phase = .early(EarlyCalls(operation))
        }
    }

    /// Returns whether the coordinator is still in its place after an operation has released other objects.
    ///
    /// If it is not, the method warns why the operation stops.
    final func stays(at node: Node, for operation: String) -> Bool {
        if stayingNode === node { return true }
        if case .ended(let warnings) = phase { warnOfEnd(operation, in: warnings) }
        return false
    }

    private final func warnOfEnd(_ operation: String, in warnings: Warnings) {
        warnings.add("\(Self.self) has ended: \(operation) did nothing")
    }
}

/// The operations that were called before a coordinator was started.
///
/// A class, to save memory: almost no coordinator has early calls.
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
                "\(type): \(operation) did nothing, because the coordinator was not started yet; call it in start()")
        }
    }
}
