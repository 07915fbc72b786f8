import UsherJSON

extension Tree {
    /// Performs an input.
    ///
    /// - Returns: Whether the input was accepted; false if the input is a fact that the tree already knows, or the
    ///   result of work that is no longer pending.
    /// - Throws: `Rejection`, before anything has changed.
    func perform(_ content: InputContent) throws(Rejection) -> Bool {
        switch content {
        case .action(.event(let screen, let event)): try speaker(screen).receive(event, in: self)
        case .action(.back(let screen)): try goBack(from: screen)
        case .action(.popped(let screen)): return try popped(screen)
        case .action(.dismissed(let screen)): return try dismissed(screen)
        case .action(.select(let tab)): try selected(tab)
        case .action(.open(let steps)): open(steps)
        case .result(let id, let outcome): return keepNotice(if: arrive(id, outcome))
        case .timer(let id): return keepNotice(if: fire(id))
        case .refused(let id, let reason): return keepNotice(if: refuse(id, reason: reason))
        case .message(let message):
            try receive(message)
            return keepNotice(if: true)
        }
        return true
    }

    /// Checks that an input refers to a screen or tab on display.
    ///
    /// The session makes this check before it checks limits.
    ///
    /// - Returns: False if the input is a fact that the tree already knows.
    /// - Throws: `Rejection` if the input's screen is covered, gone or never existed, or if the tabs are covered.
    package func isNews(_ content: InputContent) throws(Rejection) -> Bool {
        switch content {
        case .action(.event(let screen, _)): _ = try speaker(screen)
        case .action(.back(let screen?)): try checkIsVisible(screen)
        case .action(.popped(let screen)): return try find(popped: screen) != nil
        case .action(.dismissed(let screen)): return try find(screen) != nil
        case .action(.select): try checkTabsAreFree()
        case .action(.back), .action(.open), .result, .timer, .refused, .message: break
        }
        return true
    }

    /// Returns the visible screen, the only screen that can send events; throws if the event names another screen.
    private func speaker(_ screen: Int?) throws(Rejection) -> ScreenInstance {
        guard let visible else { throw Rejection(.stale, "no screen is shown, so no screen can send an event") }
        if let screen { try checkIsVisible(screen) }
        return visible
    }

    /// Throws if a screen is not the visible screen, because the user cannot have acted on it.
    private func checkIsVisible(_ screen: Int) throws(Rejection) {
        if screen == visible?.id { return }
        let sight = visible.map { "the visible screen is \($0.id)" } ?? "no screen is shown"
        throw Rejection(.stale, "screen \(screen) \(whereabouts(of: screen)); \(sight)")
    }

    private func open(_ steps: [JSONValue]) {
        let first = Link(steps: steps, secrets: secrets.expect())
        run { try link.open(first, in: self) }
    }

    private func goBack(from screen: Int?) throws(Rejection) {
        if let screen { try checkIsVisible(screen) }
        let stack = window.visible
        switch window.back {
        case .pop: run { window.pop(to: stack.screens.count - 2, on: stack, in: self) }
        case .dismiss: run { window.dismiss(from: window.modals.count - 1, in: self) }
        case .refused(let reason): throw Rejection(.invalid, reason)
        case .impossible(let reason): throw Rejection(.invalid, "there is nothing to go back to: \(reason)")
        }
    }

    private func popped(_ screen: Int) throws(Rejection) -> Bool {
        guard let (stack, index) = try find(popped: screen) else { return false }
        guard index > 0 else { throw Rejection(.invalid, Self.unpoppable(screen, stack)) }
        try check(stack.screens[index...].map(\.backRefusal))
        run { window.pop(to: index - 1, on: stack, in: self) }
        return true
    }

    private func dismissed(_ screen: Int) throws(Rejection) -> Bool {
        guard let (stack, index) = try find(screen) else { return false }
        guard index == 0, let modal = window.modalIndex(of: stack) else {
            throw Rejection(
                .invalid, "screen \(screen) is not the first screen of a modal, so it cannot have been dismissed")
        }
        guard stack.isClosedByUser else {
            throw Rejection(
                .invalid, "screen \(screen) is not a sheet, so the user cannot pull it down; send it an event instead")
        }
        if let fixed = window.modals[modal...].first(where: { !$0.isClosedByUser })?.screens.first {
            throw Rejection(
                .invalid,
                "screen \(screen) is under screen \(fixed.id), which is not a sheet, so the user cannot pull it down")
        }
        try check(window.modals[modal...].flatMap(\.screens).map(\.dismissalRefusal))
        run { window.dismiss(from: modal, in: self) }
        return true
    }

    private func checkTabsAreFree() throws(Rejection) {
        guard window.modals.isEmpty else { throw Rejection(.stale, "a modal covers the tabs, so none can be selected") }
    }

    private func selected(_ tab: String) throws(Rejection) {
        try checkTabsAreFree()
        guard let tabBar = window.tabBar,
            let owner = hierarchy.nodes.first(where: { $0.id == tabBar.owner })?.coordinator
        else { throw Rejection(.invalid, "there are no tabs to select") }
        guard let tab = tabBar.presentName(of: tab) else {
            let names = tabBar.tabs.map(\.name).joined(separator: ", ")
            throw Rejection(.invalid, "there is no tab \"\(tab)\"; there are: \(names)")
        }
        run { try select(tab, of: tabBar, for: owner) }
    }

    private func select(_ tab: String, of tabBar: TabBar, for owner: AnyCoordinator) throws {
        guard tab != tabBar.selectedTab.name else { return try owner.didReselect(tab) }
        // The owner may have replaced the tabs in `shouldSelect`.
        guard try owner.shouldSelect(tab), window.tabBar === tabBar else { return }
        window.select(tab)
        try owner.didSelect(tab)
    }

    /// Throws the topmost refusal, if there is one; `refusals` has the refusals of the leaving screens, bottom to top.
    private func check(_ refusals: [String?]) throws(Rejection) {
        if let reason = refusals.compactMap(\.self).last { throw Rejection(.invalid, reason) }
    }

    /// Returns the place of a screen that the user has removed; nil if the tree has removed the screen, too.
    ///
    /// Throws if the screen never existed.
    private func find(_ screen: Int) throws(Rejection) -> (navigation: Navigation, index: Int)? {
        if let place = window.find(screen) { return place }
        guard hasExisted(screen) else { throw Rejection(.stale, "screen \(screen) was never shown in this session") }
        return nil
    }

    /// Returns the place of a popped screen; nil if the tree has removed the screen, too; throws if the screen was
    /// covered.
    private func find(popped screen: Int) throws(Rejection) -> (navigation: Navigation, index: Int)? {
        guard let place = try find(screen) else { return nil }
        guard place.navigation === window.visible else {
            throw Rejection(.stale, "screen \(screen) \(whereabouts(of: screen)), so it cannot have been popped")
        }
        return place
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
            : "screen \(screen) is the first screen of a modal and cannot be popped; report it as dismissed"
    }

    /// Calls the closure of an effect with its result; returns whether the effect was pending.
    private func arrive(_ id: EffectID, _ outcome: EffectOutcome) -> Bool {
        guard let work = pendingWork.take(id, where: { !$0.isTimer }) else { return false }
        run(with: work.screen) {
            defer { work.forget() }
            guard case .effect(let completion) = work.completion else { return }
            if case .failure(let failure) = outcome { warn(of: failure, for: work) }
            try completion(work.node.coordinator, outcome, secrets)
        }
        return true
    }

    /// Adds a warning for a failure that only a change of the app can fix.
    private func warn(of failure: EffectFailure, for work: PendingWork) {
        if failure == .missingServices {
            warnings.add(
                """
                \(work.node.path): \(work.description) was not run, because the app does not provide the type of services \
                that this effect needs; return these services from `App.services()`
                """)
        } else if failure.code == EffectFailure.refusalCode {
            warnOfRefusal(of: work, failure.message)
        }
    }

    private func warnOfRefusal(of work: PendingWork, _ reason: String) {
        let what = work.isTimer ? work.description : "the result of \(work.description)"
        warnings.add("\(work.node.path): \(what) was refused: \(reason)")
    }

    private func fire(_ id: EffectID) -> Bool {
        guard let work = pendingWork.take(id, where: \.isTimer) else { return false }
        run(with: work.screen) {
            defer { work.forget() }
            guard case .timer(let completion) = work.completion else { return }
            try completion(work.node.coordinator)
        }
        return true
    }

    /// Ends work whose closure has failed, without calling the closure again; returns whether the work was pending.
    private func refuse(_ id: EffectID, reason: String) -> Bool {
        guard let work = pendingWork.take(id) else { return false }
        run {
            warnOfRefusal(of: work, reason)
            work.forget()
        }
        return true
    }

    private func receive(_ message: JSONValue) throws(Rejection) {
        guard let root = hierarchy.root else {
            throw Rejection(.invalid, "the session has ended, so it accepts no messages")
        }
        guard let receiver = root as? any MessageReceiver else {
            throw Rejection(
                .invalid, "\(type(of: root)) accepts no messages; only a MessageReceiver does")
        }
        try receive(message, as: receiver)
    }

    private func receive<Receiver: MessageReceiver>(
        _ json: JSONValue, as receiver: Receiver
    ) throws(Rejection) {
        let message: Receiver.Message
        do throws(JSONError) {
            let source = SecretSource(part: .message, range: json.range, input: nil, translation: nil)
            message = try secrets.decode(Receiver.Message.self, json, from: source)
        } catch {
            throw Rejection(.invalid, "the message: \(error)")
        }
        run { try receiver.receive(message) }
    }
}
