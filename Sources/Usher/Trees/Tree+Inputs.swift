import UsherJSON

extension Tree {
    /// The screen that the user can see all of, the only one that can speak.
    var visible: ScreenInstance? { base.screens.last }

    /// Whether back would do anything now.
    var canGoBack: Bool { base.screens.count > 1 }

    /// Does what the user did.
    ///
    /// - Returns: Whether it counts; false for a fact that was known already.
    /// - Throws: `Rejection`, before anything has changed.
    func perform(_ action: InputAction) throws(Rejection) -> Bool {
        switch action {
        case .event(let screen, let event): try send(event, from: screen)
        case .back: try goBack()
        case .popped(let screen): return try popped(screen)
        case .dismissed(let screen): return try dismissed(screen)
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
        guard canGoBack else {
            throw Rejection(.invalid, "there is nothing to go back to: the visible screen is the root")
        }
        run { pop(to: base.screens.count - 2, on: base) }
    }

    private func popped(_ screen: Int) throws(Rejection) -> Bool {
        guard let index = base.index(ofScreen: screen) else { return try acknowledgeGone(screen) }
        guard index > 0 else {
            throw Rejection(.invalid, "screen \(screen) is the root and cannot be popped; send it an event instead")
        }
        run { pop(to: index - 1, on: base) }
        return true
    }

    private func dismissed(_ screen: Int) throws(Rejection) -> Bool {
        guard base.index(ofScreen: screen) != nil else { return try acknowledgeGone(screen) }
        throw Rejection(.invalid, "screen \(screen) begins no modal, so it cannot be dismissed; report it as popped")
    }

    /// A fact about a screen that is gone is known already; one that never was is nonsense.
    private func acknowledgeGone(_ screen: Int) throws(Rejection) -> Bool {
        guard hasExisted(screen) else { throw Rejection(.stale, "screen \(screen) was never shown in this session") }
        return false
    }

    private func whereabouts(of screen: Int) -> String {
        if base.index(ofScreen: screen) != nil { return "is covered" }
        return hasExisted(screen) ? "is gone" : "was never shown in this session"
    }

    private func hasExisted(_ screen: Int) -> Bool {
        screen >= 1 && screen < identifiers.screen
    }
}
