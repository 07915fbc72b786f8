import Usher

/// One of the engine's stacks, with the controllers that it shows.
// Exclusivity is unchecked, because no access runs code of the app.
@MainActor
final class ScreenStack {
    /// The shown controllers, from the bottom to the top.
    @safe @exclusivity(unchecked) private(set) var records: [ScreenRecord] = []
    private let shown = ShownControllers()
    /// The engine's id of the top screen after the app's last change.
    // Unsafe, because the engine reads the id outside of the actor, but on the session's thread.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private(set) var topScreen: Int?
    /// A Boolean value that indicates whether the navigation has other screens than those in `records`, such as tabs.
    @safe @exclusivity(unchecked) private var isReplacing = false

    /// Shows the controllers that represent a controller; screens that are already shown stay unchanged.
    func show(_ controller: UIViewController, on coordinator: AnyCoordinator, in session: UIKitSession) {
        shown.collect(controller)
        guard !shown.isSame else { return }
        let kept = shown.kept
        shown.update()
        if kept < records.count { removeAll(above: kept, from: coordinator) }
        shown.controllers.each(in: kept..<shown.controllers.count) { controller in
            let record = ScreenRecord.show(controller, on: coordinator, replacing: isReplacing, in: session)
            topScreen = record.screenID
            records.append(consume record)
            isReplacing = false
        }
    }

    private func removeAll(above kept: Int, from coordinator: AnyCoordinator) {
        if kept > 0 {
            let top = records[kept - 1]
            top.popToSelf(coordinator)
            topScreen = top.screenID
        } else {
            isReplacing = true
            topScreen = nil
        }
        while records.count > kept { records.removeLast() }
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

    /// Forgets the screens, because tabs or other screens have replaced them; the next shown screen replaces those.
    func forgetAll() {
        records = []
        shown.replaceAll(by: [])
        isReplacing = true
    }

    /// Removes and returns the controllers whose screens the user has left, from the top.
    func takeLeft() -> [UIViewController] {
        guard hasLeft else { return [] }
        let left = records.filter { !$0.isShown }
        records.removeAll { !$0.isShown }
        shown.replaceAll(by: records.map(\.controller))
        return left.reversed().map(\.controller)
    }

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

/// The coordinator of a modal's or a tab's stack.
// Exclusivity is unchecked, because no access runs code of the app.
final class StackCoordinator: Coordinator<Never> {
    private let ownName: String
    @safe @exclusivity(unchecked) private var stack: ScreenStack?
    /// Never dangling while the coordinator is in a tree, because the root retains the session.
    @safe @exclusivity(unchecked) private unowned var session: UIKitSession?
    /// The controller that the coordinator shows when it starts.
    @safe @exclusivity(unchecked) private var first: UIViewController?

    override var instanceName: String? { ownName }

    init(named name: String) {
        ownName = name
    }

    @MainActor
    func prepare(_ stack: ScreenStack, _ controller: UIViewController, in session: UIKitSession) {
        self.stack = stack
        self.session = session
        first = controller
    }

    override func start() {
        // Safe because the engine calls a coordinator only on the actor's thread, which handles the session's input.
        nonisolated(unsafe) let me = self
        guard let stack, let session, let first = take(&self.first, leaving: nil) else { return }
        MainActor.assumeIsolated { stack.show(first, on: unsafe me, in: session) }
    }

    override func didReturn(to screen: Int) throws {
        // The app itself may have gone back to this screen.
        guard screen != stack?.topScreen, let session else { return }
        try MainActor.assumeIsolated { try session.followUser() }
    }
}
