extension Navigating where Self: AnyCoordinator {
    /// Shows a screen on top of this coordinator's navigation.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - handler: What its events do; it is given the coordinator, and captures nothing. What it throws refuses the
    ///     event and leaves the session as it was.
    /// - Returns: A weak hold on the screen, for `update` and `pop(to:)`.
    @discardableResult
    public func push<S: Screen>(
        _ screen: S, _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        guard let node = node(for: "push") else { return Handle(nil) }
        return Handle(node.tree.push(screen, by: self, on: node, handler: untyped(handler)))
    }

    /// Shows a screen that sends no events.
    @discardableResult
    public func push<S: Screen>(_ screen: S) -> Handle<S> where S.Event == Never {
        push(screen) { _, _ in }
    }

    /// Swaps all screens of this coordinator's navigation for one.
    ///
    /// - Parameters:
    ///   - screen: The new root of the navigation.
    ///   - handler: What its events do, as for `push`.
    /// - Returns: A weak hold on the new screen.
    @discardableResult
    public func replace<S: Screen>(
        with screen: S, _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        guard let node = node(for: "replace") else { return Handle(nil) }
        node.tree.replaceAll(on: node.navigation)
        return push(screen, handler)
    }

    /// Swaps all screens of this coordinator's navigation for one that sends no events.
    @discardableResult
    public func replace<S: Screen>(with screen: S) -> Handle<S> where S.Event == Never {
        replace(with: screen) { _, _ in }
    }

    /// Takes the top screen off this coordinator's navigation, whoever pushed it.
    ///
    /// The root of a navigation stays.
    public func pop() {
        guard let node = node(for: "pop") else { return }
        node.tree.pop(to: node.navigation.screens.count - 2, on: node.navigation)
    }

    /// Takes all screens but the root off this coordinator's navigation.
    public func popToRoot() {
        guard let node = node(for: "popToRoot") else { return }
        node.tree.pop(to: 0, on: node.navigation)
    }

    /// Takes all screens above one off this coordinator's navigation.
    ///
    /// - Parameter handle: The screen to show. One that is not on this navigation changes nothing, with a warning.
    public func pop<S: Screen>(to handle: Handle<S>) {
        guard let node = node(for: "pop(to:)") else { return }
        guard let shown = handle.shown, let index = node.navigation.index(of: shown) else {
            return node.tree.warnings.add("\(Self.self): pop(to:) a screen that is not on its navigation did nothing")
        }
        node.tree.pop(to: index, on: node.navigation)
    }

    /// The tree holds handlers without the coordinator's type; the owner that it passes is always a `Self`.
    private func untyped<Event>(
        _ handler: @escaping (Self, Event) throws -> Void
    ) -> (AnyCoordinator, Event) throws -> Void {
        { owner, event in
            guard let me = owner as? Self else { return }
            try handler(me, event)
        }
    }
}
