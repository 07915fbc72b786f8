import UsherReflection

/// Finds out who holds the leaks of a tree's last input, by taking the tree apart: only for a scratch tree.
final class HolderInspection {
    private let tree: Tree
    private let search = HolderSearch { type in
        // What the engine itself holds is no leak; it is taken away when a coordinator ends. An actor may be in use.
        type == AnyCoordinator.self || type is ScreenInstance.Type || type is any Actor.Type
            || String(reflecting: type).hasPrefix("Usher.Coordinator<")
    }

    init(_ tree: Tree) {
        self.tree = tree
    }

    /// Who holds each leak, in their order.
    func holders() -> [String?] {
        let leaks = tree.lingering
        // All are looked for by reflection before anything is taken away: taking one holder away can free several.
        var holders = leaks.map { leak in property(holding: leak) }
        for index in leaks.indices where holders[index] == nil { holders[index] = closure(holding: leaks[index]) }
        for index in leaks.indices where holders[index] == nil { holders[index] = coordinator(holding: leaks[index]) }
        for index in leaks.indices where holders[index] == nil { holders[index] = suspicion(of: leaks[index]) }
        return holders
    }

    /// A stored property on the way from what lives, from itself, or from another leak.
    private func property(holding leak: Departed) -> String? {
        guard let object = leak.object else { return nil }
        let others = tree.lingering.compactMap(\.object).filter { $0 !== object }
        for holder in living + [object] + others {
            if let path = search.path(from: holder, to: object) { return path }
        }
        return nil
    }

    private var living: [AnyObject] {
        let coordinators = tree.root?.node.map { tree.nodesDeepestFirst(from: $0).map(\.coordinator) } ?? []
        return coordinators + tree.window.screens.compactMap(\.kept)
    }

    /// A closure that the engine was given: each is let go of until the leak dies.
    private func closure(holding leak: Departed) -> String? {
        for instance in tree.window.screens {
            instance.dropHandler()
            if !leak.isAlive { return "the closure of the screen \"\(instance.name)\", given at \(instance.origin)" }
        }
        for node in tree.root?.node.map(tree.nodesDeepestFirst) ?? [] {
            let origin = node.coordinator.dropCompletion()
            if !leak.isAlive, let origin {
                return "the closure for the end of \(type(of: node.coordinator)), given at \(origin)"
            }
        }
        return closure(ofWorkHolding: leak)
    }

    /// The closure of pending work, or the effect itself.
    private func closure(ofWorkHolding leak: Departed) -> String? {
        for work in tree.pendingWork {
            work.dropCompletion()
            if !leak.isAlive { return "the closure of \(work.description), given at \(work.origin)" }
            work.dropEffect()
            if !leak.isAlive { return "\(work.description), begun at \(work.origin)" }
        }
        return nil
    }

    /// A coordinator that holds it in a way that reflection cannot see: each is let go of until the leak dies.
    private func coordinator(holding leak: Departed) -> String? {
        guard let top = tree.root?.node else { return nil }
        for node in tree.nodesDeepestFirst(from: top) {
            let description = suspicion(in: node.coordinator)
            release(node)
            if !leak.isAlive { return description }
        }
        return nil
    }

    private func release(_ node: Node) {
        let parent = node.parent
        tree.dismantle(node)
        parent?.remove(node.coordinator)
        if parent == nil { tree.root = nil }
        _ = tree.takeSuspects()
        tree.departed.removeAll()
    }

    /// What is left when nothing in the tree holds it.
    private func suspicion(of leak: Departed) -> String? {
        guard let object = leak.object else { return "another leak of this input" }
        if let closure = closure(in: object) { return "\(closure), which may have captured it" }
        return "something outside of the tree: a global, a static property or a task"
    }

    private func closure(in object: AnyObject) -> String? {
        let paths = search.closures(in: object)
        return paths.isEmpty ? nil : "the closure in \(paths.joined(separator: " or "))"
    }

    private func suspicion(in coordinator: AnyCoordinator) -> String {
        closure(in: coordinator) ?? "\(type(of: coordinator))"
    }
}

extension Tree {
    /// Who holds each leak of the last input, in their order.
    ///
    /// The tree is taken apart for it: to be asked of a scratch tree alone, replayed from the session's inputs.
    ///
    /// - Returns: A stored property's path, a closure by its file and line, or what else is likely.
    public func findHolders() -> [String?] {
        HolderInspection(self).holders()
    }
}
