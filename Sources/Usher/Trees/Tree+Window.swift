extension Tree {
    /// Empties a coordinator's stack for what comes instead; at the base, the tabs go too.
    func replaceAll(on navigation: Navigation) {
        let stacks = navigation === window.base ? window.baseStacks : Few(navigation)
        var displayed = Few<Int>()
        for stack in stacks {
            let ids = leave(stack.removeAll())
            if window.isDisplayed(stack) { displayed += ids }
        }
        if navigation === window.base { window.tabBar = nil }
        if !displayed.isEmpty { changeLog.replace(displayed, on: navigation) }
    }

    /// Empties a coordinator's own stack for what comes instead.
    func emptyNavigation(of node: Node) -> Navigation {
        let navigation = ownNavigation(of: node)
        replaceAll(on: navigation)
        return navigation
    }

    /// Makes the base a tab bar, in place of what it showed.
    func makeTabBar(for node: Node, names: [String], selected: String) -> TabBar {
        replaceAll(on: window.base)
        let tabBar = TabBar(owner: node.id, names: names, selected: selected)
        window.tabBar = tabBar
        return tabBar
    }

    /// Shows another tab; every stack stays as it is.
    func select(_ tab: String) {
        guard let tabBar = window.tabBar, tabBar.selectedTab.name != tab else { return }
        tabBar.select(tab)
        changeLog.select(tab)
    }

    /// The coordinator that the tabs belong to.
    func owner(of tabBar: TabBar) -> AnyCoordinator? {
        guard let top = root?.node else { return nil }
        return nodesDeepestFirst(from: top).first { $0.id == tabBar.owner }?.coordinator
    }

    /// Closes a modal and all above it.
    func dismiss(from index: Int) {
        var leaving = Few<ScreenInstance>()
        while window.modals.count > index, let top = window.popModal() { leaving += top.removeAll() }
        changeLog.dismiss(leave(leaving))
    }

    /// Closes an alert that has sent an event.
    func dismissAlert(_ instance: ScreenInstance) {
        guard let top = window.modals.last, top.rootShown == .alert, top.index(of: instance) != nil else { return }
        dismiss(from: window.modals.count - 1)
    }

    /// Takes out all that coordinators show which end: their screens, wherever they are, the modals that they
    /// presented, and their tab bar.
    func removeAll(of leaving: Few<Node>) {
        let leaves = { (instance: ScreenInstance) in instance.owner?.node?.isLeaving ?? false }
        let modal = window.modals.firstIndex { modal in
            leaving.contains { $0.id == modal.presenter } || losesAll(modal)
        }
        if let modal { dismiss(from: modal) }
        for navigation in window.all.reversed() {
            let popped = leave(navigation.removeTop(where: leaves))
            let areSomeLeft = leaving.contains { $0.screenCount > 0 }
            let removed = areSomeLeft ? leave(navigation.removeAll(where: leaves)) : []
            navigation.promoteFirst()
            guard window.isDisplayed(navigation) else { continue }
            changeLog.pop(popped)
            changeLog.remove(removed)
        }
        if let tabBar = window.tabBar, leaving.contains(where: { $0.id == tabBar.owner }) { removeTabBar(tabBar) }
    }

    /// Whether nothing of a modal would be left.
    ///
    /// One that is empty waits for its next first screen, as long as a coordinator other than those that end is on it.
    private func losesAll(_ modal: Navigation) -> Bool {
        guard modal.screens.isEmpty else { return modal.screens.allSatisfy { $0.owner?.node?.isLeaving ?? false } }
        let nodes = root?.node.map(nodesDeepestFirst) ?? []
        return !nodes.contains { $0.navigation === modal && !$0.isLeaving }
    }

    private func removeTabBar(_ tabBar: TabBar) {
        for tab in tabBar.tabs {
            let ids = leave(tab.navigation.removeAll())
            if window.isDisplayed(tab.navigation) { changeLog.remove(ids) }
        }
        window.tabBar = nil
    }

    /// Closes the modals whose last screen was taken out and not replaced, with all above them.
    func dismissEmptyModals() {
        if let empty = window.modals.firstIndex(where: \.screens.isEmpty) { dismiss(from: empty) }
    }
}
