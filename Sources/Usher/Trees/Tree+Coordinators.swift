extension Tree {
    /// Starts a child of a live coordinator.
    func start(_ child: AnyCoordinator, under parent: AnyCoordinator, _ node: Node) {
        guard case .new = child.phase else {
            return warnings.add("\(type(of: parent)): \(type(of: child)) was started already, starting it did nothing")
        }
        guard !isBroken else { return }
        if let excess = excessOfStarting() { return fail(excess) }
        enter(child, under: node)
    }

    /// Takes a coordinator into the tree and starts it.
    func enter(_ coordinator: AnyCoordinator, under parent: Node?) {
        let id = identifiers.takeCoordinator()
        let node = Node(
            coordinator, tree: self, id: id, parent: parent, navigation: parent?.navigation ?? base,
            name: name(for: coordinator, id: id, under: parent))
        coordinator.enter(node)
        parent?.children.append(coordinator)
        census.created += 1
        startsInThisInput += 1
        do { try coordinator.start() } catch { fail(error) }
    }

    /// Ends a coordinator: its descendants and all their screens leave, then its parent is told.
    ///
    /// Once.
    func end(_ coordinator: AnyCoordinator) {
        guard let node = coordinator.node else { return }
        let parent = node.parent
        dismantle(node)
        do {
            guard let parent else { return ending = try coordinator.encodeOutcome() }
            parent.remove(coordinator)
            suspects.append(parent.coordinator)
            try coordinator.deliverOutcome(to: parent.coordinator)
        } catch {
            fail(error)
        }
    }

    /// Cancels every coordinator that has nothing left, deepest first, until none is left to cancel.
    func settle() {
        while !isBroken, let deserted = nextDeserted() { end(deserted) }
        suspects.removeAll()
    }

    private func nextDeserted() -> AnyCoordinator? {
        suspects.removeAll { $0.node?.isDeserted != true }
        return suspects.max { ($0.node?.depth ?? 0, $0.node?.id ?? 0) < ($1.node?.depth ?? 0, $1.node?.id ?? 0) }
    }

    /// Takes a subtree out of the tree, deepest first.
    func dismantle(_ top: Node) {
        let subtree = nodesDeepestFirst(from: top)
        let leaving = Set(subtree.map { ObjectIdentifier($0.coordinator) })
        removeScreens { instance in instance.owner.map { leaving.contains(ObjectIdentifier($0)) } ?? false }
        for node in subtree {
            departed.append(Departed(node.coordinator, path: node.path))
            census.finished += 1
        }
        for node in subtree { node.coordinator.leave(warnings) }
    }

    private func nodesDeepestFirst(from top: Node) -> [Node] {
        var nodes = [top]
        var next = 0
        while next < nodes.count {
            nodes += nodes[next].children.compactMap(\.node)
            next += 1
        }
        return nodes.reversed()
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
