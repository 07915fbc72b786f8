/// The verbs of every coordinator.
///
/// A protocol only so that closures are given the coordinator's own type as `Self`; `AnyCoordinator` alone adopts it.
public protocol Navigating: AnyObject {}

extension Navigating where Self: AnyCoordinator {
    /// Shows a screen on top of this coordinator's navigation.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - handler: What its events do; it is given the coordinator, and captures nothing. What it throws refuses the
    ///     event and leaves the session as it was.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A weak hold on the screen, for `update` and `pop(to:)`.
    @discardableResult
    public func push<S: Screen>(
        _ screen: S, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "push", SourceLocation(file, line), handler) { $0.navigation(of: $1) }
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
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A weak hold on the screen, for the view model to update it.
    @discardableResult
    public func push<S: Screen, ViewModel: AnyObject>(
        _ screen: S, keeping viewModel: ViewModel, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "push", SourceLocation(file, line), handler) { $0.navigation(of: $1) }
    }

    /// Shows a screen that sends no events.
    @discardableResult
    public func push<S: Screen>(_ screen: S) -> Handle<S> where S.Event == Never {
        push(screen) { (_: Self, _) in }
    }

    /// Swaps all screens of this coordinator's navigation for one.
    ///
    /// Modals of other coordinators that have no screen left under them are closed.
    ///
    /// - Parameters:
    ///   - screen: The new root of the navigation.
    ///   - handler: What its events do, as for `push`.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A weak hold on the new screen.
    @discardableResult
    public func replace<S: Screen>(
        with screen: S, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "replace", SourceLocation(file, line), handler) { $0.emptyNavigation(of: $1) }
    }

    /// Swaps all screens of this coordinator's navigation for one, together with the view model that its events go to.
    ///
    /// - Parameters:
    ///   - screen: The new root of the navigation.
    ///   - viewModel: What its events go to, as for `push(_:keeping:)`.
    ///   - handler: What an event does; it is given the view model.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A weak hold on the new screen.
    @discardableResult
    public func replace<S: Screen, ViewModel: AnyObject>(
        with screen: S, keeping viewModel: ViewModel, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "replace", SourceLocation(file, line), handler) {
            $0.emptyNavigation(of: $1)
        }
    }

    /// Swaps all screens of this coordinator's navigation for one that sends no events.
    @discardableResult
    public func replace<S: Screen>(with screen: S) -> Handle<S> where S.Event == Never {
        replace(with: screen) { (_: Self, _) in }
    }

    /// Shows a screen in a modal over everything, without a coordinator of its own.
    ///
    /// - Parameters:
    ///   - screen: The screen with its first state.
    ///   - style: How the modal lies over what was there.
    ///   - handler: What its events do, as for `push`.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A weak hold on the screen, for `update` and `dismiss(_:)`.
    @discardableResult
    public func present<S: Screen>(
        _ screen: S, as style: PresentationStyle, file: StaticString = #fileID, line: UInt = #line,
        _ handler: @escaping (Self, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: nil, as: "present", SourceLocation(file, line), handler) { _, node in
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
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    /// - Returns: A weak hold on the screen.
    @discardableResult
    public func present<S: Screen, ViewModel: AnyObject>(
        _ screen: S, as style: PresentationStyle, keeping viewModel: ViewModel, file: StaticString = #fileID,
        line: UInt = #line, _ handler: @escaping (ViewModel, S.Event) throws -> Void
    ) -> Handle<S> {
        show(screen, keeping: viewModel, as: "present", SourceLocation(file, line), handler) { _, node in
            Navigation(.modal(style, presenter: node.id))
        }
    }

    /// Shows a screen that sends no events in a modal over everything.
    @discardableResult
    public func present<S: Screen>(_ screen: S, as style: PresentationStyle) -> Handle<S> where S.Event == Never {
        present(screen, as: style) { (_: Self, _) in }
    }
}

extension Navigating where Self: AnyCoordinator {
    /// Takes the top screen off this coordinator's navigation, whoever pushed it.
    ///
    /// The root of a navigation stays.
    public func pop() {
        pop(as: "pop") { $0.screens.count - 2 }
    }

    /// Takes all screens but the root off this coordinator's navigation.
    ///
    /// Modals of other coordinators that have no screen left under them are closed.
    public func popToRoot() {
        pop(as: "popToRoot") { _ in 0 }
    }

    /// Takes all screens above one off this coordinator's navigation.
    ///
    /// - Parameter handle: The screen to show. One that is not on this navigation changes nothing, with a warning.
    public func pop<S: Screen>(to handle: Handle<S>) {
        pop(as: "pop(to:)") { navigation in
            if let shown = handle.shown, let index = navigation.index(of: shown) { return index }
            node?.tree.warnings.add("\(Self.self): pop(to:) a screen that is not on its navigation did nothing")
            return nil
        }
    }

    /// Makes everything below the top screen of this coordinator's navigation unreachable by back.
    ///
    /// The screens below stay where they are; links and coordinators still reach them.
    public func barrier() {
        guard let node = node(for: "barrier") else { return }
        node.tree.window.navigation(of: node).raiseBarrier()
    }

    /// Closes the topmost modal that this coordinator presented, or else the one that it is in; with all above it.
    public func dismiss() {
        // Looked for first: a link that leads here closes what lies over this coordinator before it does anything.
        let modal = node?.closestModal
        guard let node = node(for: "dismiss") else { return }
        guard let modal else { return node.tree.warnings.add("\(Self.self): dismiss without a modal did nothing") }
        let window = node.tree.window
        if let index = window.modalIndex(of: modal) { window.dismiss(from: index, in: node.tree) }
    }

    /// Closes the modal that a screen is in, with all above it.
    ///
    /// - Parameter handle: A screen in the modal. One that has left changes nothing.
    public func dismiss<S: Screen>(_ handle: Handle<S>) {
        guard let node = node(for: "dismiss"), let id = handle.id, let place = node.tree.window.find(id),
            let index = node.tree.window.modalIndex(of: place.navigation)
        else { return }
        node.tree.window.dismiss(from: index, in: node.tree)
    }
}

extension Navigating where Self: AnyCoordinator {
    /// Puts a screen on the navigation that a closure chooses.
    ///
    /// - Parameter viewModel: What its events go to; nil for this coordinator.
    func show<S: Screen, Receiver: AnyObject>(
        _ screen: S, keeping viewModel: Receiver?, as operation: String, _ origin: SourceLocation,
        _ handler: @escaping (Receiver, S.Event) throws -> Void, on navigation: (Window, Node) -> Navigation
    ) -> Handle<S> {
        guard let node = node(for: operation) else { return Handle() }
        let tree = node.tree
        let window = tree.window
        let navigation = navigation(window, node)
        guard stays(at: node, for: operation) else { return Handle() }
        guard let placement = window.placement(by: node, on: navigation, origin, in: tree) else { return Handle() }
        let instance = HandledScreen(screen, keeping: viewModel, at: placement, handler)
        window.show(instance, by: node, on: navigation)
        return Handle(instance)
    }

    private func pop(as operation: String, to index: (Navigation) -> Int?) {
        guard let node = node(for: operation) else { return }
        let navigation = node.tree.window.navigation(of: node)
        guard let index = index(navigation) else { return }
        node.tree.window.pop(to: index, on: navigation, by: node, in: node.tree)
    }
}

/// The styles of a modal: how it lies over what was there, and who closes it.
///
/// The coordinators close any modal, with `dismiss`. A client shows a style that it does not know as it likes, but who
/// closes it stays the same.
public enum PresentationStyle: Sendable {
    /// A sheet: the user can pull it down.
    case sheet
    /// A sheet as large as a form: the user can pull it down.
    case formSheet
    /// A popover: the user can close it by a tap beside it.
    case popover
    /// Full screen: only an event closes it.
    case fullScreen
    /// Full screen, where what it covers shows through: only an event closes it.
    case overFullScreen
    /// An alert: any event that it takes closes it, before the event's handler runs.
    case alert
    /// An action sheet: any event that it takes closes it, as an alert's does; the user can also close it by a tap beside
    /// it.
    case actionSheet
}

extension PresentationStyle {
    /// True where the user can close it by himself: by back from its first screen, or by a gesture.
    var isClosedByUser: Bool {
        switch self {
        case .sheet, .formSheet, .popover, .actionSheet: true
        case .fullScreen, .overFullScreen, .alert: false
        }
    }

    /// True where any event that it takes closes it.
    var isClosedByEvents: Bool {
        switch self {
        case .alert, .actionSheet: true
        case .sheet, .formSheet, .popover, .fullScreen, .overFullScreen: false
        }
    }
}
