import Usher

/// A stack of the engine's, and the controllers that it shows.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class ScreenStack {
    /// Bottom to top.
    @safe @exclusivity(unchecked) private(set) var records: [ScreenRecord] = []
    /// The controllers of the records.
    @safe @exclusivity(unchecked) private var controllers: [UIViewController] = []
    /// The engine's id of the screen that the app's last change has left on top.
    // Unsafe, because the engine asks from outside of the actor, on the session's thread.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private(set) var topScreen: Int?
    /// Set while other screens than those of the records are on the navigation, such as tabs.
    @safe @exclusivity(unchecked) private var isReplacing = false

    /// Shows the controllers that stand for one, and leaves alone what is the same.
    ///
    /// - Parameter coordinator: The coordinator whose navigation this is.
    func show(_ controller: UIViewController, on coordinator: AnyCoordinator, in session: UIKitSession) {
        let (kept, added) = compare(with: controller)
        show(added, above: kept, on: coordinator, in: session)
    }

    /// Shows controllers, bottom to top, above the lowest ones that are shown already.
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

    /// A function of its own, so that the controllers' list is not shared when it changes.
    private func compare(with controller: UIViewController) -> (kept: Int, added: [UIViewController]) {
        let stack = controller.shownStack(after: controllers)
        return (stack.kept, stack.added)
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
        (records, controllers) = ([], [])
        isReplacing = true
    }

    /// Takes out what the user has gone back from, top first.
    func takeLeft() -> [UIViewController] {
        guard hasLeft else { return [] }
        let left = records.filter { !$0.isShown }
        records.removeAll { !$0.isShown }
        controllers = records.map(\.controller)
        return left.reversed().map(\.controller)
    }

    /// Has the engine show the newest contents.
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
        // Because the engine calls a coordinator on the thread that handles its session's input, which is the actor's.
        nonisolated(unsafe) let me = self
        guard let stack, let session else { return }
        let controllers = first
        first = []
        MainActor.assumeIsolated { stack.show(controllers, above: 0, on: unsafe me, in: session) }
    }

    override func didReturn(to screen: Int) throws {
        // The app itself may have led back there.
        guard screen != stack?.topScreen, let session else { return }
        try MainActor.assumeIsolated { try session.followUser() }
    }
}
