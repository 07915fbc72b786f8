extension Navigating where Self: AnyCoordinator {
    /// Makes the base of the window a tab bar, each tab with a coordinator and a navigation of its own.
    ///
    /// All tabs are started at once, in the order of their cases. The tab bar belongs to this coordinator and goes when
    /// it ends. What the base showed before leaves.
    ///
    /// ```swift
    /// enum Tab: String, CaseIterable { case home, chat }
    ///
    /// tabs(Tab.self, selected: .home) { tab in
    ///     switch tab {
    ///     case .home: HomeCoordinator()
    ///     case .chat: ChatCoordinator()
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The tabs; their raw values are their names on the wire.
    ///   - selected: The tab that is shown first.
    ///   - child: Makes the coordinator of a tab.
    public func tabs<Tab: RawRepresentable & CaseIterable>(
        _ type: Tab.Type, selected: Tab, _ child: (Tab) -> AnyCoordinator
    ) where Tab.RawValue == String {
        guard let node = node(for: "tabs") else { return }
        let tree = node.tree
        guard !type.allCases.isEmpty else {
            return tree.warnings.add("\(Self.self): tabs of which there are none did nothing")
        }
        guard tree.ownNavigation(of: node) === tree.window.base else {
            return tree.warnings.add("\(Self.self): tabs can only be the base of the window, it did nothing")
        }
        let tabBar = tree.makeTabBar(
            for: node, names: type.allCases.map(\.rawValue), selected: selected.rawValue)
        // A child may end this coordinator, or swap the tabs for something else, while it starts.
        for (tab, place) in zip(type.allCases, tabBar.tabs) where tree.window.tabBar === tabBar {
            start(child(tab), as: "tabs") { _ in place.navigation }
        }
    }

    /// Selects a tab of this coordinator's tab bar.
    ///
    /// - Parameter tab: One of its tabs.
    public func select<Tab: RawRepresentable>(_ tab: Tab) where Tab.RawValue == String {
        guard let node = node(for: "select") else { return }
        guard let tabBar = node.tree.window.tabBar, tabBar.owner == node.id else {
            return node.tree.warnings.add("\(Self.self): select without a tab bar of its own did nothing")
        }
        guard tabBar.tab(named: tab.rawValue) != nil else {
            return node.tree.warnings.add("\(Self.self): there is no tab \"\(tab.rawValue)\", select did nothing")
        }
        node.tree.select(tab.rawValue)
    }
}
