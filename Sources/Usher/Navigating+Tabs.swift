extension Navigating where Self: AnyCoordinator {
    /// Replaces the base of the window by a tab bar, in which each tab has a coordinator and a navigation of its own.
    ///
    /// All tabs are started immediately, in the order of the cases. The tab bar belongs to this coordinator, and is
    /// removed when this coordinator ends. The previous screens of the base leave. If a coordinator that presented a
    /// modal then has no screen left below the modal, the modal closes.
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
    ///   - type: The tabs. Their raw values are their names on the wire.
    ///   - selected: The tab that is shown first.
    ///   - formerNames: The tabs, by their names in earlier builds. A recorded input or a client may still use a former
    ///     name to select a tab.
    ///   - child: Called with this coordinator and a tab. Creates the tab's coordinator.
    ///   - completion: Called when a tab's coordinator ends, as for `start`. If nil, the engine calls `childDidFinish`.
    ///     The tab stays, and is empty.
    ///   - file: The file of the closures, for leak reports.
    ///   - line: The line of the closures.
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

    /// Replaces the base of the window by a tab bar with tabs that are given only by their names.
    ///
    /// Use this method if the tabs are not known at compile time. If they are known, use
    /// `tabs(_:selected:_:completion:)`.
    ///
    /// ```swift
    /// tabs(named: workspaces.map(\.title), selected: workspaces[0].title) { me, name in
    ///     WorkspaceCoordinator(me.workspace(named: name))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - names: The tabs' names on the wire, all different.
    ///   - selected: The tab that is shown first.
    ///   - formerNames: The tabs' present names, by their names in earlier builds: for example, `["account":
    ///     "profile"]`.
    ///   - child: Called with this coordinator and a name. Creates the tab's coordinator.
    ///   - completion: Called when a tab's coordinator ends. If nil, the engine calls `childDidFinish`.
    ///   - file: The file of the closures, for leak reports.
    ///   - line: The line of the closures.
    public func tabs(
        named names: [String], selected: String, formerNames: [String: String] = [:], file: StaticString = #fileID,
        line: UInt = #line, _ child: (Self, String) -> AnyCoordinator,
        completion: ((Self, String, Outcome<Any>) throws -> Void)? = nil
    ) {
        let tabs = names.map { (name: $0, value: $0) }
        startTabs(tabs, formerNames, selected: selected, SourceLocation(file, line), child, completion)
    }

    /// Selects a tab of this coordinator's tab bar.
    public func select<Tab: RawRepresentable>(_ tab: Tab) where Tab.RawValue == String {
        select(named: tab.rawValue)
    }

    /// Selects a tab of this coordinator's tab bar by its name.
    public func select(named tab: String) {
        guard let node = node(for: "select") else { return }
        guard let tabBar = node.tree.window.tabBar, tabBar.owner == node.id else {
            return node.tree.warnings.add("\(Self.self): `select` did nothing, because the coordinator has no tab bar")
        }
        guard tabBar.tab(named: tab) != nil else {
            return node.tree.warnings.add("\(Self.self): there is no tab \"\(tab)\", so `select` did nothing")
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
        // A starting child may end this coordinator, or replace the tabs.
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

    /// Creates and returns the tab bar; if this is not possible, warns and returns nil.
    private func makeTabBar(
        _ names: [String], _ formerNames: [String: String], selected: String, for node: Node
    ) -> TabBar? {
        let tree = node.tree
        func warn(_ problem: String) { tree.warnings.add("\(Self.self): \(problem)") }
        guard !names.isEmpty else {
            warn("`tabs` needs at least one tab, so the call did nothing")
            return nil
        }
        // A second tab of the same name could never be selected.
        guard Set(names).count == names.count else {
            warn("two tabs have the same name, so `tabs` did nothing")
            return nil
        }
        guard tree.window.ownNavigation(of: node) === tree.window.base else {
            warn("only the base of the window can have tabs, so `tabs` did nothing")
            return nil
        }
        if !names.contains(selected) { warn("there is no tab \"\(selected)\", so the first one is selected") }
        let isThere = { (former: (key: String, value: String)) in names.contains(former.value) }
        for former in formerNames.sorted(by: { $0.key < $1.key }) where !isThere(former) {
            warn("there is no tab \"\(former.value)\", so its former name \"\(former.key)\" has no effect")
        }
        let tabBar = tree.window.makeTabBar(
            for: node, names: names, formerNames: formerNames.filter(isThere), selected: selected)
        return stays(at: node, for: "tabs") ? tabBar : nil
    }
}
