extension Navigating where Self: AnyCoordinator {
    /// Makes the base of the window a tab bar, each tab with a coordinator and a navigation of its own.
    ///
    /// All tabs are started at once, in the order of their cases. The tab bar belongs to this coordinator and goes when
    /// it ends. What the base showed before leaves, with the modals of other coordinators that have no screen left under
    /// them.
    ///
    /// ```swift
    /// enum Tab: String, CaseIterable { case home, chat }
    ///
    /// tabs(Tab.self, selected: .home) { me, tab in
    ///     switch tab {
    ///     case .home: HomeCoordinator(user: me.user)
    ///     case .chat: ChatCoordinator()
    ///     }
    /// } completion: { me, tab, outcome in
    ///     if tab == .home { me.cancel() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The tabs; their raw values are their names on the wire.
    ///   - selected: The tab that is shown first.
    ///   - formerNames: The tabs by the names that earlier builds gave them: a session that was recorded with one of these,
    ///     or a client that sends one, selects the tab.
    ///   - file: The file that the closures stand in, for the report of a leak.
    ///   - line: Their line there.
    ///   - child: Makes the coordinator of a tab; it is given this coordinator.
    ///   - completion: What the end of a tab's coordinator does, as for `start`; where there is none, `childDidFinish`
    ///     hears of it. The tab stays, and is empty.
    public func tabs<Tab: RawRepresentable & CaseIterable>(
        _ type: Tab.Type, selected: Tab, formerNames: [String: Tab] = [:], file: StaticString = #fileID,
        line: UInt = #line, _ child: (Self, Tab) -> AnyCoordinator,
        completion: ((Self, Tab, Outcome<Any>) throws -> Void)? = nil
    ) where Tab.RawValue == String {
        let tabs = type.allCases.map { (name: $0.rawValue, value: $0) }
        startTabs(
            tabs, formerNames.mapValues(\.rawValue), selected: selected.rawValue, SourceLocation(file, line), child,
            completion)
    }

    /// Makes the base of the window a tab bar whose tabs are known by name only.
    ///
    /// For tabs that come from somewhere else than the source; in all else as `tabs(_:selected:_:completion:)`.
    ///
    /// ```swift
    /// tabs(named: workspaces.map(\.title), selected: workspaces[0].title) { me, name in
    ///     WorkspaceCoordinator(me.workspace(named: name))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - names: The tabs' names on the wire, each another.
    ///   - selected: The tab that is shown first.
    ///   - formerNames: The tabs' names by the names that earlier builds gave them, such as `["account": "profile"]`.
    ///   - file: The file that the closures stand in, for the report of a leak.
    ///   - line: Their line there.
    ///   - child: Makes the coordinator of a tab; it is given this coordinator.
    ///   - completion: What the end of a tab's coordinator does; where there is none, `childDidFinish` hears of it.
    public func tabs(
        named names: [String], selected: String, formerNames: [String: String] = [:], file: StaticString = #fileID,
        line: UInt = #line, _ child: (Self, String) -> AnyCoordinator,
        completion: ((Self, String, Outcome<Any>) throws -> Void)? = nil
    ) {
        let tabs = names.map { (name: $0, value: $0) }
        startTabs(tabs, formerNames, selected: selected, SourceLocation(file, line), child, completion)
    }

    /// Selects a tab of this coordinator's tab bar.
    ///
    /// - Parameter tab: One of its tabs.
    public func select<Tab: RawRepresentable>(_ tab: Tab) where Tab.RawValue == String {
        select(named: tab.rawValue)
    }

    /// Selects a tab of this coordinator's tab bar by its name.
    ///
    /// - Parameter tab: The name of one of its tabs.
    public func select(named tab: String) {
        guard let node = node(for: "select") else { return }
        guard let tabBar = node.tree.window.tabBar, tabBar.owner == node.id else {
            return node.tree.warnings.add("\(Self.self): select without a tab bar of its own did nothing")
        }
        guard tabBar.tab(named: tab) != nil else {
            return node.tree.warnings.add("\(Self.self): there is no tab \"\(tab)\", select did nothing")
        }
        node.tree.window.select(tab)
    }

    private func startTabs<Tab>(
        _ tabs: [(name: String, value: Tab)], _ formerNames: [String: String], selected: String,
        _ origin: SourceLocation, _ child: (Self, Tab) -> AnyCoordinator,
        _ completion: ((Self, Tab, Outcome<Any>) throws -> Void)?
    ) {
        guard let node = node(for: "tabs"),
            let tabBar = makeTabBar(tabs.map(\.name), formerNames, selected: selected, for: node)
        else { return }
        // A child may end this coordinator, or swap the tabs for something else, while it starts.
        for (tab, place) in zip(tabs, tabBar.tabs) where node.tree.window.tabBar === tabBar {
            let child = child(self, tab.value)
            start(child, as: "tabs") { _, _ in
                if let completion {
                    child.completeErased(at: origin) { parent, outcome in
                        guard let me = parent as? Self else { return }
                        try completion(me, tab.value, outcome)
                    }
                }
                return place.navigation
            }
        }
    }

    /// Makes the tab bar, or warns of why there can be none.
    private func makeTabBar(
        _ names: [String], _ formerNames: [String: String], selected: String, for node: Node
    ) -> TabBar? {
        let tree = node.tree
        func warn(_ problem: String) { tree.warnings.add("\(Self.self): \(problem)") }
        guard !names.isEmpty else {
            warn("tabs of which there are none did nothing")
            return nil
        }
        // A second one of a name could never be selected.
        guard Set(names).count == names.count else {
            warn("tabs of which two have the same name did nothing")
            return nil
        }
        guard tree.window.ownNavigation(of: node) === tree.window.base else {
            warn("tabs can only be the base of the window, it did nothing")
            return nil
        }
        if !names.contains(selected) { warn("there is no tab \"\(selected)\", the first is selected") }
        let isThere = { (former: (key: String, value: String)) in names.contains(former.value) }
        for former in formerNames.sorted(by: { $0.key < $1.key }) where !isThere(former) {
            warn("there is no tab \"\(former.value)\", its former name \"\(former.key)\" does nothing")
        }
        let tabBar = tree.window.makeTabBar(
            for: node, names: names, formerNames: formerNames.filter(isThere), selected: selected)
        return stays(at: node, for: "tabs") ? tabBar : nil
    }
}
