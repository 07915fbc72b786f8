import Usher

/// A stack of the engine's, and the controllers that it shows.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class ScreenStack {
    /// The coordinator whose navigation it is.
    ///
    /// Never dangling: the reconciler keeps both, or the coordinator keeps this.
    private unowned let coordinator: AnyCoordinator
    private unowned let session: UIKitSession
    /// Bottom to top.
    @safe @exclusivity(unchecked) private(set) var records: [ScreenRecord] = []
    /// The engine's id of the screen that the app's last change has left on top.
    // Unsafe, because the engine asks from outside of the actor, on the session's thread.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private(set) var topScreen: Int?
    /// Set while other screens than those of the records are on the navigation, such as tabs.
    @safe @exclusivity(unchecked) private var isReplacing = false

    init(_ coordinator: AnyCoordinator, _ session: UIKitSession) {
        self.coordinator = coordinator
        self.session = session
    }

    /// Shows the controllers that stand for one.
    ///
    /// - Parameter wanted: The memory for a list of these.
    func show(_ controller: UIViewController, by wanted: inout [UIViewController]) {
        if !wanted.isEmpty { wanted.removeAll(keepingCapacity: true) }
        controller.appendShown(to: &wanted)
        show(wanted)
    }

    /// Shows these controllers, bottom to top, and leaves alone what is the same.
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

    /// True where nothing of it is shown.
    var isEmpty: Bool {
        for place in records.indices where records[place].isShown { return false }
        return true
    }

    /// True where the user has gone back from something that has not been taken out.
    var hasLeft: Bool {
        for place in records.indices where !records[place].isShown { return true }
        return false
    }

    /// Forgets what has been swapped for something else; the next screen is swapped for that.
    func forgetAll() {
        records = []
        isReplacing = true
    }

    /// Takes out what the user has gone back from, top first.
    func takeLeft() -> [UIViewController] {
        guard hasLeft else { return [] }
        let left = records.filter { !$0.isShown }
        records.removeAll { !$0.isShown }
        return left.reversed().map(\.controller)
    }

    /// Has the engine show the newest contents.
    func refresh(rootRefusal: String?) {
        for index in records.indices {
            let record = records[index]
            let refusal: ContainerRefusal? =
                index == 0 ? rootRefusal.map { .dismissal($0) } : record.controller.backRefusal.map { .back($0) }
            record.refresh(refusal: refusal)
        }
    }
}

/// Shows a modal's or a tab's stack.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
final class StackCoordinator: Coordinator<Never> {
    private let ownName: String
    @safe @exclusivity(unchecked) private var stack: ScreenStack?
    /// Never dangling while it is in a tree: the root holds it.
    @safe @exclusivity(unchecked) private unowned var session: UIKitSession?
    @safe @exclusivity(unchecked) private var first: [UIViewController] = []

    override var instanceName: String? { ownName }

    init(named name: String) {
        ownName = name
    }

    /// Gives it what it shows as soon as it is started.
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
        // The app itself may have led back there.
        guard let session, screen != stack?.topScreen else { return }
        try MainActor.assumeIsolated { try session.followUser() }
    }
}
