import UsherJSON

/// The live coordinators of a tree, from the root down: how they start, how they end, and the cancel rule.
///
/// Its state is accessed without checks for exclusivity: no author's code runs in the midst of a change.
final class Hierarchy {
    @safe @exclusivity(unchecked) private(set) var root: AnyCoordinator?
    @safe @exclusivity(unchecked) private(set) var counts = CoordinatorCounts()
    /// The end of the root, once it has ended.
    @safe @exclusivity(unchecked) private(set) var ending: Ending?
    /// The digests of all live coordinators, combined without an order.
    @safe @exclusivity(unchecked) private(set) var digest: UInt64 = 0
    /// Coordinators that lost a screen, a child or work in this input: the cancel rule may hold for them.
    @safe @exclusivity(unchecked) private var cancelCandidates = SmallArray<AnyCoordinator>()

    init(root: consuming AnyCoordinator, after counts: CoordinatorCounts) {
        // Moved, not copied: a root that ends in its own `start` must be dead when it is judged.
        self.root = consume root
        self.counts = counts
    }

    /// All live coordinators' places, deepest first.
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

    /// Starts a child of a live coordinator.
    func start(_ child: AnyCoordinator, under parent: Node, on navigation: Navigation, in tree: Tree) {
        guard !tree.isBroken else { return }
        if let excess = excessOfStarting(in: tree) { return tree.fail(excess) }
        enter(child, under: parent, on: navigation, in: tree)
    }

    /// Ends a coordinator, once: its descendants and all their screens leave, then its parent is told.
    func end(_ coordinator: AnyCoordinator) {
        guard let node = coordinator.stayingNode else { return }
        let tree = node.tree
        tree.noteAction()
        do { try close(coordinator, node, in: tree) } catch { tree.fail(error) }
    }

    /// Ends a coordinator towards a flow.
    func end(_ coordinator: AnyCoordinator, next: any Codable & Sendable) {
        guard let node = coordinator.node else { return }
        let tree = node.tree
        tree.noteAction()
        // Before the links go.
        let ancestors = ancestors(of: node)
        do {
            try close(coordinator, node, in: tree)
            try route(next, from: coordinator, to: ancestors)
        } catch {
            tree.fail(error)
        }
    }

    /// Cancels every coordinator that has nothing left, deepest first, until none is left to cancel.
    func settle(in tree: Tree) {
        tree.window.dismissEmptyModals(in: tree)
        while !tree.isBroken, !cancelCandidates.isEmpty {
            if let deserted = nextDeserted() { end(deserted) }
            tree.window.dismissEmptyModals(in: tree)
        }
        if !cancelCandidates.isEmpty { _ = takeCancelCandidates() }
    }

    /// Lets go of screens that are in no stack any more.
    func letGo(of instances: SmallArray<ScreenInstance>, in tree: Tree) {
        instances.visit { instance in
            let node = instance.owner?.node
            if let node {
                node.didLoseScreen()
                if !node.isLeaving { cancelCandidates.append(node.coordinator) }
            }
            if let kept = instance.kept { tree.ledger.expect(kept, path: node?.path ?? "") }
            tree.pendingWork.discard(goingWith: instance, in: tree)
            instance.leave(tree.warnings)
        }
    }

    /// Notes that a coordinator waits for some work no more: it may have waited for nothing else.
    func didEndWork(of node: Node) {
        cancelCandidates.append(node.coordinator)
    }

    func countLeaks(_ found: Int) {
        counts.leaked += found
    }

    /// Takes over the count of a tree that was dropped.
    func setLeakCount(_ count: Int) {
        counts.leaked = count
    }

    func forgetRoot() {
        root = nil
    }

    /// Takes the root and all below it out of the tree, because another root takes its place.
    func dismantleRoot(in tree: Tree) {
        if let top = root?.node { dismantle(top, in: tree) }
    }

    /// Puts another root in the place of one that was dismantled.
    func begin(_ root: consuming AnyCoordinator) { self.root = consume root }

    /// Takes every coordinator and every screen out of the tree.
    func empty(in tree: Tree) {
        if let top = root?.node { dismantle(top, in: tree) }
        root = nil
        _ = takeCancelCandidates()
    }

    /// Takes a coordinator out of a tree that is taken apart: nobody is told, and nothing is judged.
    func release(_ node: Node, in tree: Tree) {
        let parent = node.parent
        dismantle(node, in: tree)
        parent?.remove(node.coordinator)
        if parent == nil { root = nil }
        _ = takeCancelCandidates()
        tree.ledger.forgetCandidates()
    }

    /// Takes a coordinator into the tree and starts it.
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
        // Work that begins in `start` does not go with the screen whose event has led here.
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

    /// Takes a subtree out of the tree, deepest first.
    private func dismantle(_ top: Node, in tree: Tree) {
        let subtree = nodesDeepestFirst(from: top)
        subtree.visit { $0.beginLeaving() }
        tree.window.removeAll(of: subtree, in: tree)
        tree.pendingWork.discard { $0.node.isLeaving }
        subtree.visit { node in
            tree.ledger.expect(node.coordinator, path: node.path)
            digest ^= node.digest
            counts.finished += 1
        }
        subtree.visit { $0.coordinator.leave(tree.warnings) }
    }

    /// Empties the list of candidates.
    ///
    /// It may be all that holds one of them, whose `deinit` may act on this tree: nothing is let go of in place.
    private func takeCancelCandidates() -> SmallArray<AnyCoordinator> {
        var taken = SmallArray<AnyCoordinator>()
        swap(&taken, &cancelCandidates)
        return taken
    }

    private func nextDeserted() -> AnyCoordinator? {
        let deserted = takeCancelCandidates().filter { $0.node?.isDeserted == true }
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
    /// The parent, its parent, and so on to the root.
    private func ancestors(of node: Node) -> [AnyCoordinator] {
        Array(
            sequence(state: node.parent) { parent in
                defer { parent = parent?.parent }
                return parent?.coordinator
            })
    }

    /// Looks for a coordinator that takes a flow, from the parent of the one that finished upwards.
    ///
    /// A coordinator that does not take it finishes too.
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
            .failed, "no coordinator takes the flow \(Self.name(of: flow)); the session is as it was before")
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

    /// Ends a coordinator that did not take a flow.
    private func leave(_ coordinator: AnyCoordinator) {
        guard let node = coordinator.node else { return }
        let tree = node.tree
        coordinator.leaveTowardsFlow()
        do { try close(coordinator, node, in: tree) } catch { tree.fail(error) }
    }

    /// The flow's type and case, without its payload: that may be private.
    private static func name(of flow: some Codable & Sendable) -> String {
        let type = String(reflecting: type(of: flow)).drop { $0 != "." }.dropFirst()
        let name = CaseExample(flow)?.name
        return name.map { "\(type).\($0)" } ?? String(type)
    }
}

/// The end of a session by itself.
///
/// An object, for each session has the place for one, and has it once.
package final class Ending: Sendable {
    /// The ways in which a root coordinator ends.
    package enum Reason: String, Sendable {
        /// It finished with an output.
        case finished
        /// It gave up.
        case cancelled
    }

    /// The way in which the root coordinator ended.
    package let reason: Reason
    /// Its output as JSON, where the output encodes.
    package let result: [UInt8]?

    /// Makes an ending.
    ///
    /// - Parameters:
    ///   - reason: The way in which the root coordinator ended.
    ///   - result: Its output as JSON.
    package init(reason: Reason, result: [UInt8]?) {
        self.reason = reason
        self.result = result
    }
}
