import UsherReflection

/// Finds the retainers of a tree's newest leaks by taking the tree apart, so use it only on a scratch tree.
struct RetainerSearch {
    private let tree: Tree
    private let graph = ObjectGraphSearch { type in
        // Leave out the engine's own objects, because the engine cuts its references when a coordinator ends. Leave out
        // actors, because they may be running.
        type == AnyCoordinator.self || type is ScreenInstance.Type || type is any Actor.Type
            || String(reflecting: type).hasPrefix("Usher.Coordinator<")
    }

    init(_ tree: Tree) {
        self.tree = tree
    }

    /// Returns the retainer of each leak, in the order of the leaks.
    func retainers() -> [String?] {
        let leaks = tree.ledger.survivors
        // Search for all leaks by reflection before anything is released, because releasing one retainer can free
        // several leaks.
        var retainers = leaks.map { leak in property(retaining: leak) }
        let searches = [
            closure(retaining:), task(retaining:), capture(retaining:), coordinator(retaining:), suspicion(of:),
        ]
        for find in searches {
            for index in leaks.indices where retainers[index] == nil { retainers[index] = find(leaks[index]) }
        }
        return retainers
    }

    /// Returns the path of a stored property that leads to the leak, starting from a living object, the leak itself, or
    /// another leak.
    private func property(retaining leak: LeakCandidate) -> String? { path(to: leak, throughClosures: false) }

    /// Returns the path to a leak, which may lead through values that closures have captured.
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

    /// Releases the app's closures in the engine one by one, and returns the closure whose release frees the leak.
    private func closure(retaining leak: LeakCandidate) -> String? {
        for instance in tree.window.screens {
            instance.dropHandler()
            if !leak.isAlive { return "the closure of the screen \"\(instance.name)\", given at \(instance.origin)" }
        }
        for node in tree.hierarchy.nodes {
            let origin = node.coordinator.dropCompletion()
            if !leak.isAlive, let origin {
                return "the completion closure of \(type(of: node.coordinator)), given at \(origin)"
            }
        }
        return closure(ofWorkRetaining: leak)
    }

    /// Returns the closure of pending work, or the effect itself, if it retains the leak.
    private func closure(ofWorkRetaining leak: LeakCandidate) -> String? {
        for work in tree.pendingWork.items {
            work.dropCompletion()
            if !leak.isAlive { return "the closure of \(work.description), given at \(work.origin)" }
            work.dropEffect()
            if !leak.isAlive { return "\(work.description), begun at \(work.origin)" }
        }
        return nil
    }

    /// Ends the app's tasks one by one, and returns the task whose end frees the leak.
    private func task(retaining leak: LeakCandidate) -> String? {
        for case let keeper as any TaskKeeping in tree.hierarchy.nodes.map(\.coordinator) {
            for task in keeper.takeTasks() {
                task.end()
                if !leak.isAlive { return "the task that was begun at \(task.origin)" }
            }
        }
        return nil
    }

    /// Returns the coordinator whose release frees the leak; it has a reference that reflection cannot find.
    private func coordinator(retaining leak: LeakCandidate) -> String? {
        for node in tree.hierarchy.nodes {
            let description = closure(in: node.coordinator) ?? "\(type(of: node.coordinator))"
            tree.hierarchy.release(node, in: tree)
            if !leak.isAlive { return description }
        }
        return nil
    }

    /// Returns a likely retainer of a leak for which the search has found none.
    private func suspicion(of leak: LeakCandidate) -> String? {
        guard let object = leak.object else { return "another leak of this input" }
        if let closure = closure(in: object) { return "\(closure), which may have captured the leaked object" }
        if ([object] + living).contains(where: graph.reachesLimit) {
            return "an unknown object: the search ended after \(ObjectGraphSearch.limit) values of a holder"
        }
        return "something outside the tree: a global, a static property or a task"
    }

    private func closure(in object: AnyObject) -> String? {
        let paths = graph.closures(in: object)
        return paths.isEmpty ? nil : "the closure in \(paths.joined(separator: " or "))"
    }
}

extension Tree {
    /// Returns the retainers of the last input's leaks, in order: for each leak, the path of a stored property, a
    /// closure with its file and line, or a likely retainer.
    ///
    /// The call takes the tree apart, so call it only on a scratch tree that was replayed from the session's inputs.
    package func findHolders() -> [String?] {
        var holders: [String?] = []
        surrounded { holders = RetainerSearch(self).retainers() }
        return holders
    }
}

/// A coordinator that runs an app that starts tasks itself.
package protocol TaskKeeping: AnyCoordinator {
    /// Returns the tasks that have not ended, so that the caller can end them. Called only on a scratch tree.
    func takeTasks() -> [KeptTask]
}

/// A task that an app started itself.
package struct KeptTask {
    let origin: String
    let end: () -> Void

    package init(origin: String, end: @escaping () -> Void) {
        self.origin = origin
        self.end = end
    }
}

/// The place in an author's code where a closure was passed to the engine.
struct SourceLocation: CustomStringConvertible {
    private let file: StaticString
    // `UInt32` to save memory, because each screen and each coordinator has a location.
    private let line: UInt32

    init(_ file: StaticString, _ line: UInt) {
        self.file = file
        self.line = UInt32(truncatingIfNeeded: line)
    }

    /// The place, such as `Shop/CartCoordinator.swift:42`.
    var description: String { "\(file):\(line)" }
}
