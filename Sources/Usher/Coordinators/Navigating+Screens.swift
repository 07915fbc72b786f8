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
        _ screen: S, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "push", Origin(file, line), handler) { $0.tree.navigation(of: $0) }
    }

    /// Shows a screen together with the view model that its events go to.
    ///
    /// The engine keeps the view model as long as the screen, and its leak verdict covers both. It reaches the
    /// coordinator through a weak reference, usually a protocol's.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - viewModel: What its events go to.
    ///   - handler: What an event does; it is given the view model, and captures nothing.
    /// - Returns: A weak hold on the screen, for the view model to update it.
    @discardableResult
    public func push<S: Screen, ViewModel: AnyObject>(
        _ screen: S, keeping viewModel: ViewModel, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "push", Origin(file, line), handler) {
            $0.tree.navigation(of: $0)
        }
    }

    /// Shows a screen that sends no events.
    @discardableResult
    public func push<S: Screen>(_ screen: S) -> Handle<S> where S.Event == Never {
        push(screen) { (_: Self, _) in }
    }

    /// Swaps all screens of this coordinator's navigation for one.
    ///
    /// - Parameters:
    ///   - screen: The new root of the navigation.
    ///   - handler: What its events do, as for `push`.
    /// - Returns: A weak hold on the new screen.
    @discardableResult
    public func replace<S: Screen>(
        with screen: S, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "replace", Origin(file, line), handler) { node in
            node.tree.emptyNavigation(of: node)
        }
    }

    /// Swaps all screens of this coordinator's navigation for one that sends no events.
    @discardableResult
    public func replace<S: Screen>(with screen: S) -> Handle<S> where S.Event == Never {
        replace(with: screen) { (_: Self, _) in }
    }

    /// Puts a screen on the navigation that a closure chooses.
    ///
    /// - Parameter viewModel: What its events go to; nil for this coordinator.
    func show<S: Screen, Receiver: AnyObject>(
        _ screen: S, keeping viewModel: Receiver?, as operation: String, _ origin: Origin,
        _ handler: @escaping (Receiver, S.Event) throws -> Void, on navigation: (Node) -> Navigation
    ) -> Handle<S> {
        guard let node = node(for: operation) else { return Handle() }
        return Handle(
            node.tree.show(by: node, on: navigation(node), origin) { placement in
                HandledScreen(screen, keeping: viewModel, at: placement, handler)
            })
    }
}
