import Usher

/// One of the engine's stacks, with the controllers that it shows.
///
/// The state is accessed without exclusivity checks, because no code of the app runs during a change.
@MainActor
final class ScreenStack {
    /// The coordinator that owns the navigation.
    ///
    /// Never dangling: the reconciler retains both objects, or the coordinator retains this one.
    private unowned let coordinator: AnyCoordinator
    private unowned let session: UIKitSession
    /// The shown controllers, from the bottom to the top.
    @safe @exclusivity(unchecked) private(set) var records: [ScreenRecord] = []
    /// The engine's id of the top screen after the app's last change.
    // Unsafe, because the engine reads it outside of the actor, but on the session's thread.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private(set) var topScreen: Int?
    /// A Boolean value that indicates whether the navigation has other screens than those in `records`, such as tabs.
    @safe @exclusivity(unchecked) private var isReplacing = false

    init(_ coordinator: AnyCoordinator, _ session: UIKitSession) {
        self.coordinator = coordinator
        self.session = session
    }

    /// Shows the controllers that represent a controller.
    ///
    /// - Parameter wanted: A list whose memory is reused.
    func show(_ controller: UIViewController, by wanted: inout [UIViewController]) {
        if !wanted.isEmpty { wanted.removeAll(keepingCapacity: true) }
        controller.appendShown(to: &wanted)
        show(wanted)
    }

    /// Shows some controllers, from the bottom to the top, and leaves those unchanged that are already shown.
    func show(_ wanted: [UIViewController]) {
        var kept = 0
        while kept < min(wanted.count, records.count), wanted[kept] === records[kept].controller { kept += 1 }
        guard kept < max(wanted.count, records.count) else { return }
        if kept < records.count {
            if kept > 0 { records[kept - 1].popToSelf(coordinator) } else { isReplacing = true }
            while records.count > kept { records.removeLast() }
        }
        for controller in wanted[kept...] {
            records.append(.show(controller, on: coordinator, replacing: isReplacing, in: session))
            isReplacing = false
        }
        topScreen = records.last?.screenID
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

    /// Forgets the screens, because something else replaces them; the next screen will replace that.
    func forgetAll() {
        records = []
        isReplacing = true
    }

    /// Removes and returns the controllers whose screens the user has left, from the top.
    func takeLeft() -> [UIViewController] {
        guard hasLeft else { return [] }
        let left = records.filter { !$0.isShown }
        records.removeAll { !$0.isShown }
        return left.reversed().map(\.controller)
    }

    /// Updates the engine's screens with the newest contents.
    func refresh(rootRefusal: String?) {
        for index in records.indices {
            let record = records[index]
            let refusal: ContainerRefusal? =
                index == 0 ? rootRefusal.map { .dismissal($0) } : record.controller.backRefusal.map { .back($0) }
            record.refresh(refusal: refusal)
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
        guard let stack else { return }
        let controllers = first
        first = []
        MainActor.assumeIsolated { stack.show(controllers) }
    }

    override func didReturn(to screen: Int) throws {
        // The app itself may have gone back to this screen.
        guard let session, screen != stack?.topScreen else { return }
        try MainActor.assumeIsolated { try session.followUser() }
    }
}
