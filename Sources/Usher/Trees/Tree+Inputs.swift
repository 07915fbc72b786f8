import UsherJSON

extension Tree {
    /// The screen that the user can see all of, the only one that can speak.
    var visible: ScreenInstance? { window.visible.screens.last }

    /// Does what an input asks for.
    ///
    /// - Returns: Whether it counts; false for what was known already, or comes too late.
    /// - Throws: `Rejection`, before anything has changed.
    func perform(_ content: InputContent) throws(Rejection) -> Bool {
        switch content {
        case .action(let action): return try perform(action)
        case .result(let id, let outcome): return arrive(id, outcome)
        case .timer(let id): return fire(id)
        case .refused(let id, let reason): return refuse(id, reason: reason)
        case .message(let message):
            try receive(message)
            return true
        }
    }

    /// Does what the user did.
    ///
    /// - Returns: Whether it counts; false for a fact that was known already.
    /// - Throws: `Rejection`, before anything has changed.
    private func perform(_ action: InputAction) throws(Rejection) -> Bool {
        switch action {
        case .event(let screen, let event): try send(event, from: screen)
        case .back: try goBack()
        case .popped(let screen): return try popped(screen)
        case .dismissed(let screen): return try dismissed(screen)
        case .select(let tab): try selected(tab)
        case .open(let steps):
            let link = Link(steps: steps, secrets: secrets.expect())
            run { try open(link) }
        }
        return true
    }

    private func send(_ event: JSONValue, from screen: Int?) throws(Rejection) {
        guard let visible else { throw Rejection(.stale, "no screen is shown, so none can send an event") }
        if let screen, screen != visible.id {
            throw Rejection(
                .stale, "screen \(screen) \(whereabouts(of: screen)); the visible screen is \(visible.id)")
        }
        try visible.receive(event, in: self)
    }

    private func goBack() throws(Rejection) {
        let stack = window.visible
        switch window.back {
        case .pop: run { pop(to: stack.screens.count - 2, on: stack) }
        case .dismiss: run { dismiss(from: window.modals.count - 1) }
        case .refused(let reason): throw Rejection(.invalid, reason)
        case .impossible(let reason): throw Rejection(.invalid, "there is nothing to go back to: \(reason)")
        }
    }

    private func popped(_ screen: Int) throws(Rejection) -> Bool {
        guard let (stack, index) = window.find(screen) else { return try acknowledgeGone(screen) }
        guard stack === window.visible else {
            throw Rejection(.stale, "screen \(screen) \(whereabouts(of: screen)), so it cannot have been popped")
        }
        guard index > 0 else { throw Rejection(.invalid, Self.unpoppable(screen, stack)) }
        try checkBack(from: stack.screens[index...])
        run { pop(to: index - 1, on: stack) }
        return true
    }

    private func dismissed(_ screen: Int) throws(Rejection) -> Bool {
        guard let (stack, index) = window.find(screen) else { return try acknowledgeGone(screen) }
        guard index == 0, let modal = window.modalIndex(of: stack) else {
            throw Rejection(.invalid, "screen \(screen) begins no modal, so it cannot have been dismissed")
        }
        guard stack.rootShown == .sheet else {
            throw Rejection(
                .invalid, "screen \(screen) is no sheet and cannot be pulled down; send it an event instead")
        }
        if let fixed = window.modals[modal...].first(where: { $0.rootShown != .sheet })?.screens.first {
            throw Rejection(
                .invalid, "screen \(screen) is under screen \(fixed.id), which is no sheet and cannot be pulled down")
        }
        try checkBack(from: window.modals[modal...].flatMap(\.screens))
        run { dismiss(from: modal) }
        return true
    }

    private func selected(_ tab: String) throws(Rejection) {
        guard window.modals.isEmpty else { throw Rejection(.stale, "a modal covers the tabs, so none can be selected") }
        guard let tabBar = window.tabBar else { throw Rejection(.invalid, "there are no tabs to select") }
        guard tabBar.tab(named: tab) != nil else {
            let names = tabBar.tabs.map(\.name).joined(separator: ", ")
            throw Rejection(.invalid, "there is no tab \"\(tab)\"; there are: \(names)")
        }
        run {
            guard tab == tabBar.selectedTab.name else { return select(tab) }
            try owner(of: tabBar)?.didReselect(tab)
        }
    }

    /// Asks the screens that would leave whether they let the user go, the topmost first.
    private func checkBack(from leaving: some Sequence<ScreenInstance>) throws(Rejection) {
        if let reason = leaving.reversed().lazy.compactMap(\.backRefusal).first(where: { _ in true }) {
            throw Rejection(.invalid, reason)
        }
    }

    /// A fact about a screen that is gone is known already; one that never was is nonsense.
    private func acknowledgeGone(_ screen: Int) throws(Rejection) -> Bool {
        guard hasExisted(screen) else { throw Rejection(.stale, "screen \(screen) was never shown in this session") }
        return false
    }

    private func whereabouts(of screen: Int) -> String {
        guard let (stack, _) = window.find(screen) else {
            return hasExisted(screen) ? "is gone" : "was never shown in this session"
        }
        return window.isDisplayed(stack) ? "is covered" : "is in a hidden tab"
    }

    private func hasExisted(_ screen: Int) -> Bool {
        screen >= 1 && screen < identifiers.screen
    }

    private static func unpoppable(_ screen: Int, _ stack: Navigation) -> String {
        stack.presenter == nil
            ? "screen \(screen) is the root and cannot be popped; send it an event instead"
            : "screen \(screen) begins a modal and cannot be popped; report it as dismissed"
    }
}
