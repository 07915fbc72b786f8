import UsherJSON

/// The window of a session: a base (one stack, or tabs), and a chain of modals over it, each with a stack.
///
/// A modal joins the chain with its first screen, and leaves the chain with its last screen. The state is accessed
/// without exclusivity checks, because no app code runs during a change.
final class Window {
    let base = Navigation(.base)
    /// The tabs; while there are tabs, `base` is empty.
    @safe @exclusivity(unchecked) private(set) var tabBar: TabBar?
    /// The modals, bottom to top; replaced as a whole, not in place, so that a running loop keeps its own array.
    @safe @exclusivity(unchecked) private(set) var modals = SmallArray<Navigation>()
    /// The changes of the last input.
    @safe @exclusivity(unchecked) private(set) var changes = ChangeLog()
    /// The number of screens in the stacks; an `Int32`, to fit into the padding after `changes`.
    @safe @exclusivity(unchecked) private(set) var screenCount: Int32 = 0

    /// The stack of the base that is on display.
    var visibleBase: Navigation { ofVisibleBase { $0 } }

    /// The topmost stack, which is completely visible.
    var visible: Navigation { ofVisible { $0 } }

    // The stack is passed to a closure, because returning it would retain it.
    @inline(__always)
    private func ofVisibleBase<Answer>(_ ask: (Navigation) -> Answer) -> Answer {
        if let tabBar { ask(tabBar.selectedNavigation) } else { ask(base) }
    }

    @inline(__always)
    private func ofVisible<Answer>(_ ask: (Navigation) -> Answer) -> Answer {
        if let modal = modals.last { ask(modal) } else { ofVisibleBase(ask) }
    }

    var top: ScreenInstance? { ofVisible { $0.screens.last } }

    /// The id of the topmost screen; unlike reading `top`, reading the id counts no reference.
    var topID: Int? { ofVisible { $0.screens.last?.id } }

    var back: BackStep { ofVisible(\.back) }

    /// Returns whether a stack is on display, possibly covered by modals.
    func isDisplayed(_ navigation: Navigation) -> Bool {
        navigation === visibleBase || modalIndex(of: navigation) != nil
    }

    /// All stacks, bottom to top, including those of hidden tabs.
    var all: SmallArray<Navigation> { modals.isEmpty ? baseStacks : baseStacks + modals }

    /// Appends the screens on display, bottom to top, each followed by a comma.
    func writeDisplayed(into writer: inout JSONWriter) {
        ofVisibleBase { writer.part($0.json) }
        if !modals.isEmpty { modals.visit { writer.part($0.json) } }
    }

    /// Calls a closure for each screen on display, bottom to top.
    @inline(__always)
    func forEachDisplayed(_ body: (ScreenInstance) -> Void) {
        ofVisibleBase { $0.screens.visit(body) }
        if !modals.isEmpty { modals.visit { $0.screens.visit(body) } }
    }

    /// Calls a closure for each stack, bottom to top, without creating an array, because every input calls this often.
    func forEachStack<Failure>(_ body: (Navigation) throws(Failure) -> Void) throws(Failure) {
        if let tabs = tabBar?.tabs {
            for index in tabs.indices { try body(tabs[index].navigation) }
        } else {
            try body(base)
        }
        if !modals.isEmpty { try modals.visit(body) }
    }

    /// The size of all screens' JSON in bytes.
    var byteCount: Int {
        var count = 0
        forEachStack { count += $0.json.count }
        return count
    }

    /// All screens, including those of hidden tabs.
    var screens: some Sequence<ScreenInstance> {
        all.lazy.flatMap(\.screens)
    }

    func find(_ screen: Int) -> (navigation: Navigation, index: Int)? {
        for navigation in all {
            if let index = navigation.index(ofScreen: screen) { return (navigation, index) }
        }
        return nil
    }

    func modalIndex(of navigation: Navigation) -> Int? {
        modals.firstIndex { $0 === navigation }
    }

    /// Returns the index of the first modal over a stack; a modal that has no screen yet counts as the topmost modal.
    func firstModal(over navigation: Navigation) -> Int {
        modalIndex(of: navigation).map { $0 + 1 } ?? (navigation.presenter == nil ? 0 : modals.count)
    }

    /// Returns the stack on which a coordinator shows screens: its own stack, or the selected tab's stack instead of
    /// the base.
    func navigation(of node: Node) -> Navigation {
        let navigation = ownNavigation(of: node)
        return navigation === base ? visibleBase : navigation
    }

    /// Returns the stack on which a coordinator was started; if the stack's tab bar is gone, returns the base.
    func ownNavigation(of node: Node) -> Navigation {
        let navigation = node.navigation
        guard navigation.place == .tab else { return navigation }
        return tabBar?.tabs.contains { $0.navigation === navigation } == true ? navigation : base
    }

    func forgetChanges(for others: ChangeLog = ChangeLog()) {
        changes = others
    }

    func writeChanges(into writer: inout JSONWriter) { changes.write(into: &writer) }

    func encode() throws(JSONError) {
        try forEachStack { stack throws(JSONError) in try stack.encode() }
    }

    /// Returns the place for another screen on a stack; nil if a limit is reached, or if the input has already failed.
    func placement(on navigation: Navigation, _ origin: SourceLocation, in tree: Tree) -> Placement? {
        guard !tree.isBroken else { return nil }
        guard Int(screenCount) < tree.limits.screens else {
            tree.fail(Rejection(.limit, "a session can show at most \(tree.limits.screens) screens; close some first"))
            return nil
        }
        let shown = navigation.screens.isEmpty ? navigation.rootShown : .push
        return Placement(id: tree.takeScreenID(), shown: shown, origin: origin)
    }

    /// Puts a screen on a stack; if the screen is the first of a modal, adds the modal.
    func show(_ instance: ScreenInstance, by node: Node, on navigation: Navigation) {
        if navigation.presenter != nil, modalIndex(of: navigation) == nil { modals = modals + SmallArray(navigation) }
        navigation.append(instance)
        screenCount += 1
        node.didShow()
        if isDisplayed(navigation) { changes.show(instance.id, on: navigation) }
    }

    /// Records that the app changed a screen's state.
    func didUpdate(_ instance: ScreenInstance) {
        guard let (navigation, index) = find(instance.id) else { return }
        navigation.markStale(at: index)
        if isDisplayed(navigation) { changes.update(instance.id) }
    }

    /// Removes all screens above an index of a stack.
    ///
    /// `caller` is nil for the user, who can remove only screens that no modal covers.
    func pop(to index: Int, on navigation: Navigation, by caller: Node? = nil, in tree: Tree) {
        guard index >= 0, index < navigation.screens.count - 1 else { return }
        if let caller, !modals.isEmpty {
            dismissOrphans(of: SmallArray(navigation.screens.dropFirst(index + 1)), takenOffBy: caller)
        }
        let leaving = navigation.removeAll(above: index)
        if isDisplayed(navigation) { changes.pop(leaving.ids) }
        letGo(of: leaving, in: tree)
    }

    /// Empties a coordinator's own stack for a replacement; if this stack is the base, removes the tabs, too.
    func emptyNavigation(of node: Node) -> Navigation {
        let navigation = ownNavigation(of: node)
        replaceAll(on: navigation, by: node)
        return navigation
    }

    /// Replaces the contents of the base by a tab bar.
    func makeTabBar(
        for node: Node, names: [String], formerNames: [String: String], selected: String
    ) -> TabBar {
        let tabBar = TabBar(owner: node.id, names: names, formerNames: formerNames, selected: selected)
        replaceAll(on: base, with: tabBar, by: node)
        return tabBar
    }

    /// Shows another tab; all stacks stay unchanged.
    func select(_ tab: String) {
        guard let tabBar, tabBar.selectedTab.name != tab else { return }
        tabBar.select(tab)
        changes.select(tab)
    }

    /// Closes a modal and all modals above it.
    func dismiss(from index: Int, in tree: Tree) {
        var leaving = SmallArray<ScreenInstance>()
        while modals.count > index, let top = popModal() { leaving += top.removeAll() }
        changes.dismiss(leaving.ids)
        letGo(of: leaving, in: tree)
    }

    /// Closes an alert or an action sheet that has sent an event.
    func dismissAlert(_ instance: ScreenInstance, in tree: Tree) {
        guard let top = modals.last, let style = top.style, style.isClosedByEvents, top.index(of: instance) != nil
        else { return }
        dismiss(from: modals.count - 1, in: tree)
    }

    /// Closes the modals whose last screen was removed and not replaced, and all modals above these modals.
    func dismissEmptyModals(in tree: Tree) {
        if let empty = modals.firstIndex(where: \.screens.isEmpty) { dismiss(from: empty, in: tree) }
    }

    /// Removes the screens of ending coordinators, the modals that they presented, and their tab bar.
    func removeAll(of leaving: SmallArray<Node>, in tree: Tree) {
        let leaves = { (instance: ScreenInstance) in instance.owner?.node?.isLeaving ?? false }
        let modal = modals.firstIndex { modal in
            leaving.contains { $0.id == modal.presenter } || losesAll(modal, in: tree)
        }
        if let modal { dismiss(from: modal, in: tree) }
        for navigation in all.reversed() {
            let isDisplayed = isDisplayed(navigation)
            let popped = navigation.removeTop(where: leaves)
            if isDisplayed { changes.pop(popped.ids) }
            letGo(of: popped, in: tree)
            if leaving.contains(where: { $0.screenCount > 0 }) {
                let removed = navigation.removeAll(where: leaves)
                if isDisplayed { changes.remove(removed.ids) }
                letGo(of: removed, in: tree)
            }
            navigation.promoteFirst()
        }
        if let tabBar, leaving.contains(where: { $0.id == tabBar.owner }) { remove(tabBar, in: tree) }
    }

    /// Empties a stack for a replacement; if the stack is the base, also replaces or removes the tabs.
    private func replaceAll(on navigation: Navigation, with tabBar: TabBar? = nil, by caller: Node) {
        if !modals.isEmpty {
            dismissOrphans(of: SmallArray(stacks(at: navigation).flatMap(\.screens)), takenOffBy: caller)
        }
        let stacks = stacks(at: navigation)
        var (leaving, displayed) = (SmallArray<ScreenInstance>(), SmallArray<Int>())
        for stack in stacks {
            let instances = stack.removeAll()
            leaving += instances
            if isDisplayed(stack) { displayed += instances.ids }
        }
        if navigation === base { self.tabBar = tabBar }
        if !displayed.isEmpty { changes.replace(displayed, on: navigation) }
        letGo(of: leaving, in: caller.tree)
    }

    /// Returns the stacks of all tabs if the stack is the base and there are tabs; otherwise, returns the stack itself.
    private func stacks(at navigation: Navigation) -> SmallArray<Navigation> {
        navigation === base ? baseStacks : SmallArray(navigation)
    }

    /// The stacks under all modals, including those of hidden tabs.
    private var baseStacks: SmallArray<Navigation> {
        tabBar.map { SmallArray($0.tabs.lazy.map(\.navigation)) } ?? SmallArray(base)
    }

    private func popModal() -> Navigation? {
        var rest = modals
        defer { modals = rest }
        return rest.popLast()
    }

    private func remove(_ tabBar: TabBar, in tree: Tree) {
        for tab in tabBar.tabs {
            let leaving = tab.navigation.removeAll()
            if isDisplayed(tab.navigation) { changes.remove(leaving.ids) }
            letGo(of: leaving, in: tree)
        }
        if self.tabBar === tabBar { self.tabBar = nil }
    }

    /// Returns whether a modal must close, because coordinators end.
    ///
    /// An empty modal stays as long as a coordinator that does not end can show a first screen in it.
    private func losesAll(_ modal: Navigation, in tree: Tree) -> Bool {
        guard modal.screens.isEmpty else { return modal.screens.allSatisfy { $0.owner?.node?.isLeaving ?? false } }
        return !tree.hierarchy.nodes.contains { $0.navigation === modal && !$0.isLeaving }
    }

    /// Releases screens; called after the window has changed, because the released objects may act on the window.
    private func letGo(of instances: SmallArray<ScreenInstance>, in tree: Tree) {
        screenCount -= Int32(instances.count)
        tree.hierarchy.letGo(of: instances, in: tree)
    }
}

extension SmallArray<ScreenInstance> {
    fileprivate var ids: SmallArray<Int> {
        var ids = SmallArray<Int>()
        visit { ids.append($0.id) }
        return ids
    }
}
