import UsherJSON

/// Starts and ends the coordinators of a tree, and cancels a coordinator that has no screen, child or work left.
///
/// The state is accessed without exclusivity checks, because no app code runs during a change.
final class Hierarchy {
    @safe @exclusivity(unchecked) private(set) var root: AnyCoordinator?
    @safe @exclusivity(unchecked) private(set) var counts = CoordinatorCounts()
    /// The end of the root; nil while the root is live.
    @safe @exclusivity(unchecked) private(set) var ending: Ending?
    /// The digests of all live coordinators, combined so that their order does not matter.
    @safe @exclusivity(unchecked) private(set) var digest: UInt64 = 0
    /// Coordinators that lost a screen, a child or work in this input, and perhaps must be cancelled.
    @safe @exclusivity(unchecked) private var cancelCandidates = SmallArray<AnyCoordinator>()

    init(root: consuming AnyCoordinator, after counts: CoordinatorCounts) {
        // The root is moved, because a root that ends in `start()` must be deallocated before leaks are checked.
        self.root = consume root
        self.counts = counts
    }

    /// The nodes of all live coordinators, deepest first.
    var nodes: SmallArray<Node> {
        root?.node.map(nodesDeepestFirst) ?? []
    }

    func nodesDeepestFirst(from top: Node) -> SmallArray<Node> {
        var nodes = SmallArray(top)
        guard !top.children.isEmpty else { return nodes }
        var next = 0
        while next < nodes.count {
            nodes += nodes[next].children.compactMap(\.node)
            next += 1
        }
        return SmallArray(nodes.reversed())
    }

    func startRoot(in tree: Tree) {
        if let root { enter(root, under: nil, on: tree.window.base, in: tree) }
    }

    func start(_ child: AnyCoordinator, under parent: Node, on navigation: Navigation, in tree: Tree) {
        guard !tree.isBroken else { return }
        if let excess = excessOfStarting(in: tree) { return tree.fail(excess) }
        enter(child, under: parent, on: navigation, in: tree)
    }

    /// Ends a coordinator: its screens and descendants leave, and then its parent receives the outcome.
    ///
    /// If the coordinator is already ending, does nothing.
    func end(_ coordinator: AnyCoordinator) {
        guard let node = coordinator.stayingNode else { return }
        let tree = node.tree
        tree.noteAction()
        do { try close(coordinator, node, in: tree) } catch { tree.fail(error) }
    }

    /// Ends a coordinator, and makes a coordinator above it open a flow.
    func end(_ coordinator: AnyCoordinator, next: any Codable & Sendable) {
        guard let node = coordinator.node else { return }
        let tree = node.tree
        tree.noteAction()
        // Look up the ancestors while the coordinator is in the tree.
        let ancestors = ancestors(of: node)
        do {
            try close(coordinator, node, in: tree)
            try route(next, from: coordinator, to: ancestors)
        } catch {
            tree.fail(error)
        }
    }

    /// Cancels coordinators that have no screen, child or work left, deepest first, until no such coordinator remains.
    func settle(in tree: Tree) {
        tree.window.dismissEmptyModals(in: tree)
        while !tree.isBroken, !cancelCandidates.isEmpty {
            if let deserted = nextDeserted() { end(deserted) }
            tree.window.dismissEmptyModals(in: tree)
        }
        if !cancelCandidates.isEmpty { _ = takeCancelCandidates() }
    }

    /// Releases screens that are no longer in a stack.
    func letGo(of instances: SmallArray<ScreenInstance>, in tree: Tree) {
        instances.visit { instance in
            let node = instance.owner?.node
            if let node {
                node.didLoseScreen()
                if !node.isLeaving { cancelCandidates.append(node.coordinator) }
            }
            if let kept = instance.kept {
                tree.ledger.expect(LeakCandidate(viewModel: kept, path: node?.path ?? ""))
            }
            tree.pendingWork.discard(goingWith: instance, in: tree)
            instance.leave(tree.warnings)
        }
    }

    /// Records that work of a coordinator has ended, so that `settle` cancels the coordinator if it has nothing left.
    func didEndWork(of node: Node) {
        cancelCandidates.append(node.coordinator)
    }

    func countLeaks(_ found: Int) {
        counts.leaked += found
    }

    /// Takes over the leak count of the tree that this tree replaces.
    func setLeakCount(_ count: Int) {
        counts.leaked = count
    }

    func forgetRoot() {
        root = nil
    }

    /// Removes the root and its descendants from the tree, because another root replaces them.
    func dismantleRoot(in tree: Tree) {
        if let top = root?.node { dismantle(top, in: tree) }
    }

    /// Sets the root that replaces a removed root.
    func begin(_ root: consuming AnyCoordinator) { self.root = consume root }

    func empty(in tree: Tree) {
        if let top = root?.node { dismantle(top, in: tree) }
        root = nil
        _ = takeCancelCandidates()
    }

    /// Removes a coordinator from a tree that is being dismantled, without callbacks and without leak checks.
    func release(_ node: Node, in tree: Tree) {
        let parent = node.parent
        dismantle(node, in: tree)
        parent?.remove(node.coordinator)
        if parent == nil { root = nil }
        _ = takeCancelCandidates()
        tree.ledger.forgetCandidates()
    }

    private func enter(
        _ coordinator: AnyCoordinator, under parent: Node?, on navigation: Navigation, in tree: Tree
    ) {
        let id = tree.takeCoordinatorID()
        let node = Node(
            coordinator, tree: tree, id: id, parent: parent, navigation: navigation,
            name: name(for: coordinator, id: id, under: parent))
        coordinator.enter(node)
        parent?.add(coordinator)
        digest ^= node.digest
        counts.created += 1
        tree.transaction.countStart()
        // Work that starts in `start` must not end together with the screen whose event started this coordinator.
        let speaker = tree.transaction.exchangeSpeaker(for: nil)
        do { try coordinator.start() } catch { tree.fail(error) }
        tree.transaction.exchangeSpeaker(for: speaker)
    }

    private func close(_ coordinator: AnyCoordinator, _ node: Node, in tree: Tree) throws {
        let parent = node.parent
        dismantle(node, in: tree)
        guard let parent else { return ending = try coordinator.encodeOutcome() }
        parent.remove(coordinator)
        let owner = parent.coordinator
        cancelCandidates.append(owner)
        try coordinator.deliverOutcome(to: owner)
    }

    /// Removes a coordinator and its descendants from the tree, deepest first.
    private func dismantle(_ top: Node, in tree: Tree) {
        let subtree = nodesDeepestFirst(from: top)
        subtree.visit { $0.beginLeaving() }
        tree.window.removeAll(of: subtree, in: tree)
        tree.pendingWork.discard { $0.node.isLeaving }
        subtree.visit { node in
            tree.ledger.expect(LeakCandidate(node.coordinator, path: node.path))
            digest ^= node.digest
            counts.finished += 1
        }
        subtree.visit { $0.coordinator.leave(tree.warnings) }
    }

    /// Returns the coordinators that perhaps must be cancelled, and empties their list.
    ///
    /// The list may contain the last reference to a coordinator whose `deinit` acts on this tree, so the elements are
    /// released only after the list is empty.
    private func takeCancelCandidates() -> SmallArray<AnyCoordinator> {
        var taken = SmallArray<AnyCoordinator>()
        swap(&taken, &cancelCandidates)
        return taken
    }

    private func nextDeserted() -> AnyCoordinator? {
        var deserted = SmallArray<AnyCoordinator>()
        takeCancelCandidates().visit { if $0.isDeserted { deserted.append($0) } }
        guard !deserted.isEmpty else { return nil }
        cancelCandidates += deserted
        return deserted.max { ($0.node?.depth ?? 0, $0.node?.id ?? 0) < ($1.node?.depth ?? 0, $1.node?.id ?? 0) }
    }

    private func name(for coordinator: AnyCoordinator, id: Int, under parent: Node?) -> String {
        let name = coordinator.instanceName ?? type(of: coordinator).name
        let isTaken = parent?.children.contains { $0.node?.name == name[...] } ?? false
        return isTaken ? "\(name)#\(id)" : name
    }

    private func excessOfStarting(in tree: Tree) -> Rejection? {
        let limits = tree.limits
        if counts.live >= limits.coordinators {
            return Rejection(.limit, "a session can have at most \(limits.coordinators) live coordinators")
        }
        if tree.transaction.startCount >= limits.startsPerInput {
            return Rejection(.limit, "one input can start at most \(limits.startsPerInput) coordinators")
        }
        return nil
    }
}

extension Hierarchy {
    /// Returns the parent, its parent, and so on to the root.
    private func ancestors(of node: Node) -> [AnyCoordinator] {
        Array(
            sequence(state: node.parent) { parent in
                defer { parent = parent?.parent }
                return parent?.coordinator
            })
    }

    /// Offers a flow to the ancestors of the coordinator that finished, from its parent upwards.
    ///
    /// An ancestor that does not open the flow finishes as well. If no ancestor opens the flow, the input fails.
    private func route(
        _ flow: any Codable & Sendable, from child: AnyCoordinator, to ancestors: [AnyCoordinator]
    ) throws {
        var child = child
        for parent in ancestors where parent.node != nil {
            if try offer(flow, to: parent, from: child) { return }
            guard parent !== ancestors.last else { break }
            leave(parent)
            child = parent
        }
        throw Rejection(
            .failed, "no coordinator accepts the flow \(Self.name(of: flow)); the session is unchanged")
    }

    private func offer(
        _ flow: any Codable & Sendable, to parent: AnyCoordinator, from child: AnyCoordinator
    ) throws -> Bool {
        do {
            if let host = parent as? any FlowHost, try host.take(flow) { return true }
            return try parent.childDidFinish(child, next: flow)
        } catch is Later {
            return false
        }
    }

    /// Ends a coordinator that did not open a flow.
    private func leave(_ coordinator: AnyCoordinator) {
        guard let node = coordinator.node else { return }
        let tree = node.tree
        coordinator.leaveTowardsFlow()
        do { try close(coordinator, node, in: tree) } catch { tree.fail(error) }
    }

    /// Returns the flow's type and case without its payload, which may be private.
    private static func name(of flow: some Codable & Sendable) -> String {
        let type = String(reflecting: type(of: flow)).drop { $0 != "." }.dropFirst()
        let name = CaseExample(flow)?.name
        return name.map { "\(type).\($0)" } ?? String(type)
    }
}

/// The end of a session by its root coordinator.
///
/// The type is a class, so that a session that has not ended stores only nil.
package final class Ending: Sendable {
    /// The ways in which a root coordinator ends.
    package enum Reason: String, Sendable {
        /// The root finished with an output.
        case finished
        /// The root was cancelled.
        case cancelled
    }

    /// How the root coordinator ended.
    package let reason: Reason
    /// The root's output as JSON, if the output can be encoded.
    package let result: [UInt8]?

    /// Creates an ending.
    package init(reason: Reason, result: [UInt8]?) {
        self.reason = reason
        self.result = result
    }
}
