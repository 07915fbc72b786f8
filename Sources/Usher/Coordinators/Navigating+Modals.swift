extension Navigating where Self: AnyCoordinator {
    /// Shows a screen in a modal over everything, without a coordinator of its own.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - style: How the modal lies over what was there.
    ///   - handler: What its events do, as for `push`.
    /// - Returns: A weak hold on the screen, for `update` and `dismiss(_:)`.
    @discardableResult
    public func present<S: Screen>(
        _ screen: S, as style: PresentationStyle, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "present", Origin(file, line), handler) { node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Shows a screen in a modal together with the view model that its events go to.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - style: How the modal lies over what was there.
    ///   - viewModel: What its events go to, as for `push(_:keeping:)`.
    ///   - handler: What an event does; it is given the view model.
    /// - Returns: A weak hold on the screen.
    @discardableResult
    public func present<S: Screen, ViewModel: AnyObject>(
        _ screen: S, as style: PresentationStyle, keeping viewModel: ViewModel, file: StaticString = #fileID,
        line: UInt = #line, _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "present", Origin(file, line), handler) { node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Starts a child in a modal with a navigation of its own.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - style: How the modal lies over what was there.
    ///   - completion: What its end does, as for `start`. By then the modal is gone.
    public func present<Output>(
        _ child: Coordinator<Output>, as style: PresentationStyle, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Self, Outcome<Output>) throws -> Void
    ) {
        start(child, as: "present", completion, Origin(file, line)) { node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Starts a child in a modal; `childDidFinish` hears of its end.
    ///
    /// - Parameters:
    ///   - child: A coordinator that has not been started.
    ///   - style: How the modal lies over what was there.
    public func present(_ child: AnyCoordinator, as style: PresentationStyle) {
        start(child, as: "present") { node in Navigation(.modal(style, presenter: node.id)) }
    }

    /// Closes the topmost modal that this coordinator presented, or else the one that it is in; with all above it.
    public func dismiss() {
        guard let node = node(for: "dismiss") else { return }
        let modals = node.tree.window.modals
        let index = modals.lastIndex { $0.presenter == node.id } ?? modals.firstIndex { $0 === node.navigation }
        guard let index else { return node.tree.warnings.add("\(Self.self): dismiss without a modal did nothing") }
        node.tree.dismiss(from: index)
    }

    /// Closes the modal that a screen is in, with all above it.
    ///
    /// - Parameter handle: A screen in the modal. One that has left changes nothing.
    public func dismiss<S: Screen>(_ handle: Handle<S>) {
        guard let node = node(for: "dismiss"), let id = handle.id, let place = node.tree.window.find(id),
            let index = node.tree.window.modalIndex(of: place.navigation)
        else { return }
        node.tree.dismiss(from: index)
    }
}
