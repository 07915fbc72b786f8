/// The operations of every coordinator.
///
/// The operations are in a protocol, so that closures receive the coordinator's own type as `Self`. Only
/// `AnyCoordinator` adopts the protocol. The parameters `file` and `line` are the place of the closure, for leak
/// reports.
public protocol Navigating: AnyObject {}

extension Navigating where Self: AnyCoordinator {
    /// Shows a screen on top of this coordinator's navigation.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - handler: Called with this coordinator for each event of the screen; should capture nothing. If it throws an
    ///     error, the event is refused, and the session is unchanged.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A weak handle of the screen: for example, for `update` and `pop(to:)`.
    @discardableResult
    public func push<S: Screen>(
        _ screen: S, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "push", SourceLocation(file, line), handler) { $0.navigation(of: $1) }
    }

    /// Shows a screen together with the view model that receives its events.
    ///
    /// The engine retains the view model as long as the screen is shown, and then checks that the view model is
    /// deallocated. The view model must refer to the coordinator weakly, usually through a protocol.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - viewModel: The view model.
    ///   - handler: Called with the view model for each event; should capture nothing.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A weak handle of the screen. The view model uses it to update the screen.
    @discardableResult
    public func push<S: Screen, ViewModel: AnyObject>(
        _ screen: S, keeping viewModel: ViewModel, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "push", SourceLocation(file, line), handler) { $0.navigation(of: $1) }
    }

    /// Shows a screen without events.
    @discardableResult
    public func push<S: Screen>(_ screen: S) -> Handle<S> where S.Event == Never {
        push(screen) { (_: Self, _) in }
    }

    /// Replaces all screens of this coordinator's navigation by another screen.
    ///
    /// If a coordinator that presented a modal then has no screen left below the modal, the modal closes.
    ///
    /// - Parameters:
    ///   - screen: The new root of the navigation.
    ///   - handler: Called for each event of the screen, as for `push`.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A weak handle of the new screen.
    @discardableResult
    public func replace<S: Screen>(
        with screen: S, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "replace", SourceLocation(file, line), handler) { $0.emptyNavigation(of: $1) }
    }

    /// Replaces all screens of this coordinator's navigation by another screen and the view model that receives its
    /// events.
    ///
    /// - Parameters:
    ///   - screen: The new root of the navigation.
    ///   - viewModel: The view model, as for `push(_:keeping:)`.
    ///   - handler: Called with the view model for each event.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A weak handle of the new screen.
    @discardableResult
    public func replace<S: Screen, ViewModel: AnyObject>(
        with screen: S, keeping viewModel: ViewModel, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "replace", SourceLocation(file, line), handler) {
            $0.emptyNavigation(of: $1)
        }
    }

    /// Replaces all screens of this coordinator's navigation by a screen without events.
    @discardableResult
    public func replace<S: Screen>(with screen: S) -> Handle<S> where S.Event == Never {
        replace(with: screen) { (_: Self, _) in }
    }

    /// Shows a screen in a modal over everything; the modal has no coordinator of its own.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - style: The style of the modal.
    ///   - handler: Called for each event of the screen, as for `push`.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A weak handle of the screen, for `update` and `dismiss(_:)`.
    @discardableResult
    public func present<S: Screen>(
        _ screen: S, as style: PresentationStyle, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "present", SourceLocation(file, line), handler) { _, node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Shows a screen in a modal together with the view model that receives its events.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - style: The style of the modal.
    ///   - viewModel: The view model, as for `push(_:keeping:)`.
    ///   - handler: Called with the view model for each event.
    ///   - file: The file of the closure, for leak reports.
    ///   - line: The line of the closure.
    /// - Returns: A weak handle of the screen.
    @discardableResult
    public func present<S: Screen, ViewModel: AnyObject>(
        _ screen: S, as style: PresentationStyle, keeping viewModel: ViewModel, file: StaticString = #fileID,
        line: UInt = #line, _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "present", SourceLocation(file, line), handler) { _, node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Shows a screen without events in a modal over everything.
    @discardableResult
    public func present<S: Screen>(_ screen: S, as style: PresentationStyle) -> Handle<S> where S.Event == Never {
        present(screen, as: style) { (_: Self, _) in }
    }
}

extension Navigating where Self: AnyCoordinator {
    /// Removes the top screen of this coordinator's navigation, even if another coordinator pushed it; the root stays.
    public func pop() {
        pop(as: "pop") { $0.screens.count - 2 }
    }

    /// Removes all screens except the root from this coordinator's navigation.
    ///
    /// If a coordinator that presented a modal then has no screen left below the modal, the modal closes.
    public func popToRoot() {
        pop(as: "popToRoot") { _ in 0 }
    }

    /// Removes all screens above a given screen from this coordinator's navigation.
    ///
    /// - Parameter handle: The screen to show. If it is not on this navigation, nothing changes, and the state has a
    ///   warning.
    public func pop<S: Screen>(to handle: Handle<S>) {
        pop(as: "pop(to:)") { navigation in
            if let shown = handle.shown, let index = navigation.index(of: shown) { return index }
            node?.tree.warnings.add(
                "\(Self.self): `pop(to:)` did nothing, because the screen is not in the coordinator's navigation")
            return nil
        }
    }

    /// Prevents the user from going back below the top screen of this coordinator's navigation.
    ///
    /// The screens below stay, and links and coordinators can still reach them.
    public func barrier() {
        guard let node = node(for: "barrier") else { return }
        node.tree.window.navigation(of: node).raiseBarrier()
    }

    /// Closes the topmost modal that this coordinator presented, or else its own modal, and all modals above it.
    public func dismiss() {
        // Find the modal first, because `node(for:)` closes the modals over this coordinator if a link is being
        // followed.
        let modal = node?.closestModal
        guard let node = node(for: "dismiss") else { return }
        guard let modal else {
            return node.tree.warnings.add("\(Self.self): `dismiss` did nothing, because there is no modal")
        }
        let window = node.tree.window
        if let index = window.modalIndex(of: modal) { window.dismiss(from: index, in: node.tree) }
    }

    /// Closes the modal that contains a screen, and all modals above it.
    ///
    /// - Parameter handle: A screen in the modal. If the screen has left, nothing changes.
    public func dismiss<S: Screen>(_ handle: Handle<S>) {
        guard let node = node(for: "dismiss"), let id = handle.id, let place = node.tree.window.find(id),
            let index = node.tree.window.modalIndex(of: place.navigation)
        else { return }
        node.tree.window.dismiss(from: index, in: node.tree)
    }
}

extension Navigating where Self: AnyCoordinator {
    /// Puts a screen on the navigation that a closure returns; if `viewModel` is nil, this coordinator gets the events.
    func show<S: Screen, Receiver: AnyObject>(
        _ screen: S, keeping viewModel: Receiver?, as operation: String, _ origin: SourceLocation,
        _ handler: @escaping (Receiver, S.Event) throws -> Void, on navigation: (Window, Node) -> Navigation
    ) -> Handle<S> {
        guard let node = node(for: operation) else { return Handle() }
        return Handle(
            node.tree.show(
                screen, keeping: viewModel, by: self, at: node, as: operation, origin, handler, on: navigation))
    }

    private func pop(as operation: String, to index: (Navigation) -> Int?) {
        guard let node = node(for: operation) else { return }
        node.tree.pop(by: node, to: index)
    }
}

// These are methods of the tree, because then references to the tree's parts need not be counted.
extension Tree {
    /// Puts a coordinator's screen on the navigation that a closure returns; returns nil if the screen was not shown.
    fileprivate func show<S: Screen, Receiver: AnyObject>(
        _ screen: S, keeping viewModel: Receiver?, by coordinator: AnyCoordinator, at node: Node,
        as operation: String, _ origin: SourceLocation, _ handler: @escaping (Receiver, S.Event) throws -> Void,
        on navigation: (Window, Node) -> Navigation
    ) -> TypedScreenInstance<S>? {
        let navigation = navigation(window, node)
        guard coordinator.stays(at: node, for: operation),
            let placement = window.placement(on: navigation, origin, in: self)
        else { return nil }
        let instance = HandledScreen(screen, keeping: viewModel, at: placement, by: coordinator, for: audience, handler)
        window.show(instance, by: node, on: navigation)
        return instance
    }

    fileprivate func pop(by node: Node, to index: (Navigation) -> Int?) {
        let navigation = window.navigation(of: node)
        guard let index = index(navigation) else { return }
        window.pop(to: index, on: navigation, by: node, in: self)
    }
}

/// The styles of a modal.
///
/// A style decides how the modal covers the screens below, and how it is closed. Coordinators can close any modal with
/// `dismiss`. If a client does not know a style, the client may draw the modal in any way, but the ways to close the
/// modal stay the same.
public enum PresentationStyle: Sendable {
    /// A sheet, which the user can pull down.
    case sheet
    /// A sheet in the size of a form, which the user can pull down.
    case formSheet
    /// A popover, which the user can close by a tap outside of it.
    case popover
    /// A full screen, which only an event closes.
    case fullScreen
    /// A full screen through which the covered screens are visible, and which only an event closes.
    case overFullScreen
    /// An alert. Each event closes the alert, before the event's handler runs.
    case alert
    /// An action sheet. Each event closes the action sheet, before the event's handler runs. A tap outside of it also
    /// closes it.
    case actionSheet
}

extension PresentationStyle {
    /// Whether the user can close the modal: by back from its first screen, or by a gesture.
    var isClosedByUser: Bool {
        switch self {
        case .sheet, .formSheet, .popover, .actionSheet: true
        case .fullScreen, .overFullScreen, .alert: false
        }
    }

    var isClosedByEvents: Bool {
        switch self {
        case .alert, .actionSheet: true
        case .sheet, .formSheet, .popover, .fullScreen, .overFullScreen: false
        }
    }
}
