import Usher

/// One of the engine's stacks, with the controllers that it shows.
///
/// The state is accessed without exclusivity checks, because no code of the app runs during a change.
@MainActor
final class ScreenStack {
    /// The shown controllers, from the bottom to the top.
    @safe @exclusivity(unchecked) private(set) var records: [ScreenRecord] = []
    /// The controllers of the records.
    @safe @exclusivity(unchecked) private var controllers: [UIViewController] = []
    /// The engine's id of the top screen after the app's last change.
    // Unsafe, because the engine reads it outside of the actor, but on the session's thread.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private(set) var topScreen: Int?
    /// A Boolean value that indicates whether the navigation has other screens than those in `records`, such as tabs.
    @safe @exclusivity(unchecked) private var isReplacing = false

    /// Shows the controllers that represent a controller, and leaves those unchanged that are already shown.
    ///
    /// - Parameter coordinator: The coordinator that owns the navigation.
    func show(_ controller: UIViewController, on coordinator: AnyCoordinator, in session: UIKitSession) {
        let (kept, added) = compare(with: controller)
        show(added, above: kept, on: coordinator, in: session)
    }

    /// Shows controllers, from the bottom to the top, above the lowest ones that are already shown.
    func show(
        _ added: [UIViewController], above kept: Int, on coordinator: AnyCoordinator, in session: UIKitSession
    ) {
        guard kept < records.count || !added.isEmpty else { return }
        if kept < records.count {
            if kept > 0 { records[kept - 1].popToSelf(coordinator) } else { isReplacing = true }
            while records.count > kept {
                records.removeLast()
                controllers.removeLast()
            }
        }
        added.each { controller in
            records.append(.show(controller, on: coordinator, replacing: isReplacing, in: session))
            controllers.append(controller)
            isReplacing = false
        }
        topScreen = records.last?.screenID
    }

    /// Compares in a separate function, so that the list of controllers is not copied when it changes.
    private func compare(with controller: UIViewController) -> (kept: Int, added: [UIViewController]) {
        let stack = controller.shownStack(after: controllers)
        return (stack.kept, stack.added)
    }

    /// A Boolean value that indicates whether no screen of the stack is shown.
    var isEmpty: Bool {
        for place in records.indices where records[place].isShown { return false }
        return true
    }

    /// A Boolean value that indicates whether the user has left a screen that is still in `records`.
    var hasLeft: Bool {
        for place in records.indices where !records[place].isShown { return true }
        return false
    }

    /// Forgets the screens, because something else replaces them; the next screen will replace the replacement.
    func forgetAll() {
        (records, controllers) = ([], [])
        isReplacing = true
    }

    /// Removes and returns the controllers whose screens the user has left, from the top.
    func takeLeft() -> [UIViewController] {
        guard hasLeft else { return [] }
        let left = records.filter { !$0.isShown }
        records.removeAll { !$0.isShown }
        controllers = records.map(\.controller)
        return left.reversed().map(\.controller)
    }

    /// Updates the engine's screens with the newest contents.
    func refresh(rootRefusal: String?) {
        var isRoot = true
        records.each { record in
            let refusal: ContainerRefusal? =
                isRoot ? rootRefusal.map { .dismissal($0) } : record.controller.backRefusal.map { .back($0) }
            record.refresh(refusal: refusal)
            isRoot = false
        }
    }
}

/// A coordinator of the stack of a modal or a tab.
///
/// The state is accessed without exclusivity checks, because no code of the app runs during a change.
final class StackCoordinator: Coordinator<Never> {
    private let ownName: String
    @safe @exclusivity(unchecked) private var stack: ScreenStack?
    /// Never dangling while the coordinator is in a tree, because the root retains the session.
    @safe @exclusivity(unchecked) private unowned var session: UIKitSession?
    @safe @exclusivity(unchecked) private var first: [UIViewController] = []

    override var instanceName: String? { ownName }

    init(named name: String) {
        ownName = name
    }

    /// Sets the controllers that the coordinator shows when it starts.
    @MainActor
    func prepare(_ stack: ScreenStack, _ controllers: [UIViewController], in session: UIKitSession) {
        self.stack = stack
        self.session = session
        first = controllers
    }

    override func start() {
        // Safe because the engine calls a coordinator only on the actor's thread, which handles the session's input.
        nonisolated(unsafe) let me = self
        guard let stack, let session else { return }
        let controllers = first
        first = []
        MainActor.assumeIsolated { stack.show(controllers, above: 0, on: unsafe me, in: session) }
    }

    override func didReturn(to screen: Int) throws {
        // The app itself may have gone back to this screen.
        guard screen != stack?.topScreen, let session else { return }
        try MainActor.assumeIsolated { try session.followUser() }
    }
}
