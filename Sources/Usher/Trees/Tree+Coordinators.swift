extension Tree {
    /// Starts a child of a live coordinator.
    func start(_ child: AnyCoordinator, under parent: Node, on navigation: Navigation) {
        guard !isBroken else { return }
        if let excess = excessOfStarting() { return fail(excess) }
        enter(child, under: parent, on: navigation)
    }

    /// Takes a coordinator into the tree and starts it.
    func enter(_ coordinator: AnyCoordinator, under parent: Node?, on navigation: Navigation) {
        let id = identifiers.takeCoordinator()
        let node = Node(
            coordinator, tree: self, id: id, parent: parent, navigation: navigation,
            name: name(for: coordinator, id: id, under: parent))
        coordinator.enter(node)
        parent?.children.append(coordinator)
        coordinatorsDigest ^= node.digest
        census.created += 1
        startsInThisInput += 1
        // What begins in `start` does not go with the screen whose event has led here.
        let speaker = speaker
        self.speaker = nil
        do { try coordinator.start() } catch { fail(error) }
        self.speaker = speaker
    }

    /// Ends a coordinator: its descendants and all their screens leave, then its parent is told.
    ///
    /// Once.
    ///
    /// - Parameter next: The flow that it finishes towards.
    func end(_ coordinator: AnyCoordinator, next: (any Codable & Sendable)? = nil) {
        guard let node = coordinator.node else { return }
        linkHasActed = true
        // Before the links go.
        let ancestors = next == nil ? [] : ancestors(of: node)
        do {
            try close(coordinator, node)
            if let next { try route(next, from: coordinator, to: ancestors) }
        } catch {
            fail(error)
        }
    }

    /// Ends a coordinator that did not take a flow.
    func leave(_ coordinator: AnyCoordinator) {
        guard let node = coordinator.node else { return }
        coordinator.leaveTowardsFlow()
        do { try close(coordinator, node) } catch { fail(error) }
    }

    /// Cancels every coordinator that has nothing left, deepest first, until none is left to cancel.
    func settle() {
        dismissEmptyModals()
        while !isBroken, !suspects.isEmpty {
            if let deserted = nextDeserted() { end(deserted) }
            dismissEmptyModals()
        }
        _ = takeSuspects()
    }

    /// Empties the list of suspects.
    ///
    /// It may be all that holds one of them, whose `deinit` may act on this tree: nothing is let go of in place.
    func takeSuspects() -> Few<AnyCoordinator> {
        var taken = Few<AnyCoordinator>()
        swap(&taken, &suspects)
        return taken
    }

    /// Takes a subtree out of the tree, deepest first.
    func dismantle(_ top: Node) {
        let subtree = nodesDeepestFirst(from: top)
        for node in subtree { node.isLeaving = true }
        removeAll(of: subtree)
        discardWork { $0.node.isLeaving }
        for node in subtree {
            departed.append(Departed(node.coordinator, path: node.path))
            coordinatorsDigest ^= node.digest
            census.finished += 1
        }
        for node in subtree { node.coordinator.leave(warnings) }
    }

    func nodesDeepestFirst(from top: Node) -> Few<Node> {
        var nodes = Few(top)
        guard !top.children.isEmpty else { return nodes }
        var next = 0
        while next < nodes.count {
            nodes += nodes[next].children.compactMap(\.node)
            next += 1
        }
        return Few(nodes.reversed())
    }

    private func close(_ coordinator: AnyCoordinator, _ node: Node) throws {
        let parent = node.parent
        dismantle(node)
        guard let parent else { return ending = try coordinator.encodeOutcome() }
        parent.remove(coordinator)
        suspects.append(parent.coordinator)
        try coordinator.deliverOutcome(to: parent.coordinator)
    }

    /// The parent, its parent, and so on to the root.
    private func ancestors(of node: Node) -> [AnyCoordinator] {
        Array(
            sequence(state: node.parent) { parent in
                defer { parent = parent?.parent }
                return parent?.coordinator
            })
    }

    private func nextDeserted() -> AnyCoordinator? {
        let deserted = takeSuspects().filter { $0.node?.isDeserted == true }
        suspects += deserted
        return deserted.max { ($0.node?.depth ?? 0, $0.node?.id ?? 0) < ($1.node?.depth ?? 0, $1.node?.id ?? 0) }
    }

    private func name(for coordinator: AnyCoordinator, id: Int, under parent: Node?) -> String {
        let name = type(of: coordinator).name
        let isTaken = parent?.children.contains { $0.node?.name == name } ?? false
        return isTaken ? "\(name)#\(id)" : name
    }

    private func excessOfStarting() -> Rejection? {
        if census.live >= limits.coordinators {
            return Rejection(.limit, "a session can have at most \(limits.coordinators) live coordinators")
        }
        if startsInThisInput >= limits.startsPerInput {
            return Rejection(.limit, "one input can start at most \(limits.startsPerInput) coordinators")
        }
        return nil
    }
}
