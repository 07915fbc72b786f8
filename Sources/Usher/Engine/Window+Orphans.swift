extension Window {
    /// Closes the modals that a coordinator orphans by taking screens off a stack: those of coordinators that have no
    /// screen left under them, so that nobody would be left there to close them.
    ///
    /// Modals of the caller, and of the coordinators above it, stay: they may be about to show something else.
    ///
    /// - Parameters:
    ///   - leaving: The screens that are about to leave.
    ///   - caller: The coordinator that takes them off.
    func dismissOrphans(of leaving: SmallArray<ScreenInstance>, takenOffBy caller: Node) {
        guard !modals.isEmpty, !leaving.isEmpty else { return }
        let tree = caller.tree
        let nodes = tree.hierarchy.nodes
        let orphan = modals.firstIndex { modal in
            var node = nodes.first { $0.id == modal.presenter }
            while let current = node, !caller.isPart(of: current) {
                if losesAll(of: current, with: leaving, in: tree) { return true }
                node = current.parent
            }
            return false
        }
        if let orphan { dismiss(from: orphan, in: tree) }
    }

    /// True of a coordinator that, with its descendants, loses screens and has none left but in modals of its own.
    private func losesAll(of top: Node, with leaving: SmallArray<ScreenInstance>, in tree: Tree) -> Bool {
        let subtree = tree.hierarchy.nodesDeepestFirst(from: top)
        var loses = false
        for stack in all where !subtree.contains(where: { $0.id == stack.presenter }) {
            for screen in stack.screens where screen.owner?.node?.isPart(of: top) == true {
                guard leaving.contains(where: { $0 === screen }) else { return false }
                loses = true
            }
        }
        return loses
    }
}
