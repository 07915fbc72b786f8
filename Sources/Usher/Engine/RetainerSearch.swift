import UsherReflection

/// The search for the retainers of a tree's newest leaks: it takes the tree apart, so a scratch tree's only.
struct RetainerSearch {
    private let tree: Tree
    private let graph = ObjectGraphSearch { type in
        // The engine's own references are no leaks: they are cut when a coordinator ends. An actor may be in use.
        type == AnyCoordinator.self || type is ScreenInstance.Type || type is any Actor.Type
            || String(reflecting: type).hasPrefix("Usher.Coordinator<")
    }

    init(_ tree: Tree) {
        self.tree = tree
    }

    /// The retainer of each leak, in their order.
    func retainers() -> [String?] {
        let leaks = tree.ledger.survivors
        // All are looked for by reflection before anything is taken away: taking one retainer away can free several.
        var retainers = leaks.map { leak in property(retaining: leak) }
        let searches = [
            closure(retaining:), task(retaining:), capture(retaining:), coordinator(retaining:), suspicion(of:),
        ]
        for find in searches {
            for index in leaks.indices where retainers[index] == nil { retainers[index] = find(leaks[index]) }
        }
        return retainers
    }

    /// A stored property on the way from what lives, from itself, or from another leak.
    private func property(retaining leak: LeakCandidate) -> String? { path(to: leak, throughClosures: false) }

    /// The path to a leak that may also lead through values that closures have captured.
    private func capture(retaining leak: LeakCandidate) -> String? { path(to: leak, throughClosures: true) }

    private func path(to leak: LeakCandidate, throughClosures: Bool) -> String? {
        guard let object = leak.object else { return nil }
        let others = tree.ledger.survivors.compactMap(\.object).filter { $0 !== object }
        for holder in living + [object] + others {
            if let path = graph.path(from: holder, to: object, throughClosures: throughClosures) { return path }
        }
        return nil
    }

    private var living: [AnyObject] {
        tree.hierarchy.nodes.map(\.coordinator) + tree.window.screens.compactMap(\.kept)
    }

    /// A closure that the engine was given: each is let go of until the leak dies.
    private func closure(retaining leak: LeakCandidate) -> String? {
        for instance in tree.window.screens {
            instance.dropHandler()
            if !leak.isAlive { return "the closure of the screen \"\(instance.name)\", given at \(instance.origin)" }
        }
        for node in tree.hierarchy.nodes {
            let origin = node.coordinator.dropCompletion()
            if !leak.isAlive, let origin {
                return "the closure for the end of \(type(of: node.coordinator)), given at \(origin)"
            }
        }
        return closure(ofWorkRetaining: leak)
    }

    /// The closure of pending work, or the effect itself.
    private func closure(ofWorkRetaining leak: LeakCandidate) -> String? {
        for work in tree.pendingWork.items {
            work.dropCompletion()
            if !leak.isAlive { return "the closure of \(work.description), given at \(work.origin)" }
            work.dropEffect()
            if !leak.isAlive { return "\(work.description), begun at \(work.origin)" }
        }
        return nil
    }

    /// A task of an app's: each is ended until the leak dies.
    private func task(retaining leak: LeakCandidate) -> String? {
        for case let keeper as any TaskKeeping in tree.hierarchy.nodes.map(\.coordinator) {
            for task in keeper.takeTasks() {
                task.end()
                if !leak.isAlive { return "the task that was begun at \(task.origin)" }
            }
        }
        return nil
    }

    /// A coordinator that holds it in a way that reflection cannot see: each is let go of until the leak dies.
    private func coordinator(retaining leak: LeakCandidate) -> String? {
        for node in tree.hierarchy.nodes {
            let description = closure(in: node.coordinator) ?? "\(type(of: node.coordinator))"
            tree.hierarchy.release(node, in: tree)
            if !leak.isAlive { return description }
        }
        return nil
    }

    /// The likely retainer, when nothing in the tree is one.
    private func suspicion(of leak: LeakCandidate) -> String? {
        guard let object = leak.object else { return "another leak of this input" }
        if let closure = closure(in: object) { return "\(closure), which may have captured it" }
        if ([object] + living).contains(where: graph.reachesLimit) {
            return "something that was not found among the first \(ObjectGraphSearch.limit) values of a holder"
        }
        return "something outside of the tree: a global, a static property or a task"
    }

    private func closure(in object: AnyObject) -> String? {
        let paths = graph.closures(in: object)
        return paths.isEmpty ? nil : "the closure in \(paths.joined(separator: " or "))"
    }
}

extension Tree {
    /// The retainers of the last input's leaks, in their order.
    ///
    /// The tree is taken apart for it: to be asked of a scratch tree alone, replayed from the session's inputs.
    ///
    /// - Returns: A stored property's path, a closure by its file and line, or what else is likely.
    package func findHolders() -> [String?] {
        var holders: [String?] = []
        surrounded { holders = RetainerSearch(self).retainers() }
        return holders
    }
}

/// A coordinator that runs an app which has tasks of its own.
package protocol TaskKeeping: AnyCoordinator {
    /// The tasks that have not come to their ends, to be ended: asked of a scratch tree alone.
    func takeTasks() -> [KeptTask]
}

/// A task of an app's own.
package struct KeptTask {
    /// The place where it was begun.
    let origin: String
    /// Has it come to its end.
    let end: () -> Void

    /// Makes one of its place, and what ends it.
    package init(origin: String, end: @escaping () -> Void) {
        self.origin = origin
        self.end = end
    }
}

/// The place in an author's code where a closure was given to the engine.
struct SourceLocation: CustomStringConvertible {
    private let file: StaticString
    // Narrow: each screen and each coordinator has one.
    private let line: UInt32

    init(_ file: StaticString, _ line: UInt) {
        self.file = file
        self.line = UInt32(truncatingIfNeeded: line)
    }

    /// Such as `Shop/CartCoordinator.swift:42`.
    var description: String { "\(file):\(line)" }
}
