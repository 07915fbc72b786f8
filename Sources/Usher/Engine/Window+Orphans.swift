extension Window {
    /// Closes the modals that are orphaned when the caller, a coordinator, removes screens from a stack.
    ///
    /// A modal is orphaned if the coordinator that presented it has no screen left below it, so that no coordinator
    /// could close the modal. Modals of the caller, and of coordinators above the caller, stay, because these
    /// coordinators may be about to show another screen.
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

    /// Returns whether a coordinator and its descendants lose screens, and have no screens left outside of their own
    /// modals.
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
