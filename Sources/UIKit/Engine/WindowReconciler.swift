import Usher

/// Makes the engine show what the app's windows show.
///
/// Compares the controllers with the engine's screens, by identity only, and only after either has changed.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class WindowReconciler {
    /// A controller that is presented, with the stack that shows it.
    private final class Modal {
        let controller: UIViewController
        let coordinator: StackCoordinator
        let stack = ScreenStack()

        init(_ controller: UIViewController) {
            self.controller = controller
            coordinator = StackCoordinator(named: PlainScreenNames.name(of: type(of: controller)))
        }
    }

    @safe @exclusivity(unchecked) private var base: ScreenStack?
    @safe @exclusivity(unchecked) private var tabs: TabStacks?
    /// Bottom to top.
    @safe @exclusivity(unchecked) private var modals: [Modal] = []
    @safe @exclusivity(unchecked) private var shown: BackReference<UIWindow>?
    /// Fills a window whose root was taken out.
    private lazy var emptiness = EmptyWindowController()
    /// Set while the engine is told of changes: what it tells of them is known.
    @safe @exclusivity(unchecked) private(set) var isReconciling = false

    /// Shows the base of the window by a stack.
    func attach(_ base: ScreenStack) { self.base = base }

    /// Makes the engine show the root of the lowest window on display, and all that is presented.
    ///
    /// - Parameters:
    ///   - display: What the windows show.
    ///   - session: The session of the windows.
    func reconcile(_ display: DisplayedControllers, in session: UIKitSession) {
        guard let controller = display.window?.rootViewController ?? empty else { return }
        isReconciling = true
        defer { isReconciling = false }
        note(display.window)
        let presented = display.presented
        // From the top: what covers goes before what it covers.
        var kept = 0
        while kept < min(modals.count, presented.count), modals[kept].controller === presented[kept] { kept += 1 }
        close(above: kept)
        showBase(controller, in: session)
        modals.each { $0.stack.show($0.controller, on: $0.coordinator, in: session) }
        for controller in presented[kept...] { present(controller, in: session) }
    }

    private func note(_ window: UIWindow?) {
        guard shown?.object !== window else { return }
        shown?.object?.isOnDisplay = false
        window?.isOnDisplay = true
        shown = window?.backReference
    }

    /// Has the engine show the newest contents of all that is on display.
    func refresh() {
        if let tabs { tabs.refresh() } else { base?.refresh(rootRefusal: nil) }
        modals.each { $0.stack.refresh(rootRefusal: $0.controller.dismissalRefusal) }
    }

    /// Lets go of all that it shows, at the end of the session.
    func forgetAll() {
        _ = (take(&base, leaving: nil), take(&tabs, leaving: nil), take(&modals, leaving: []))
    }

    /// All showings, from the bottom to the top, those of hidden tabs too.
    var records: [ScreenRecord] {
        let stacks = tabs?.stacks ?? [base].compactMap(\.self)
        return (stacks + modals.map(\.stack)).flatMap(\.records)
    }

    /// True where the user has gone back from something, or closed it, and the app's controllers have not been told.
    var isBehindUser: Bool {
        if let base, base.hasLeft { return true }
        if let tabs, tabs.hasLeft { return true }
        for modal in modals where modal.stack.isEmpty || modal.stack.hasLeft { return true }
        return false
    }

    /// Tells the app's controllers what the user has gone back from, or closed.
    ///
    /// - Throws: `Refusal` if only a swipe could have led back, and the swipe is not allowed.
    func followUser(in session: UIKitSession) throws {
        for stack in [base].compactMap(\.self) + (tabs?.stacks ?? []) + modals.map(\.stack) where !stack.isEmpty {
            for controller in stack.takeLeft() {
                try controller.checkLeaving()
                controller.leaveByUser()
            }
        }
        if let index = modals.firstIndex(where: \.stack.isEmpty) {
            let closed = modals[index...].map(\.controller)
            modals.removeSubrange(index...)
            // From the top: one that stays keeps all below it.
            for controller in closed.reversed() {
                controller.closeByUser(in: session)
                guard controller.move.isDismissal else { return }
            }
        }
    }

    /// The controller that fills a window which has lost its root, or stands for one that is gone; nil before any was shown.
    private var empty: UIViewController? {
        base?.records.isEmpty != false && tabs == nil ? nil : emptiness
    }

    private func showBase(_ controller: UIViewController, in session: UIKitSession) {
        let tabBar = controller.tabsOfBase
        if let tabBar, let tabs, tabs.isOf(tabBar) { return tabs.reconcile(in: session) }
        guard let root = session.root, let base else { return }
        guard let tabBar else {
            if tabs != nil { base.forgetAll() }
            tabs = nil
            return base.show(controller, on: root, in: session)
        }
        base.forgetAll()
        tabBar.warnOfBack(in: session)
        let tabs = TabStacks(tabBar, on: root, in: session)
        self.tabs = tabs
        tabs.reconcile(in: session)
    }

    private func present(_ controller: UIViewController, in session: UIKitSession) {
        guard let root = session.root else { return }
        let modal = Modal(controller)
        modal.coordinator.prepare(modal.stack, controller.shownStack, in: session)
        modals.append(modal)
        root.present(modal.coordinator, as: controller.engineStyle)
    }

    private func close(above count: Int) {
        guard count < modals.count else { return }
        let leaving = modals[count...]
        modals.removeSubrange(count...)
        for modal in leaving.reversed() { modal.coordinator.cancel() }
    }
}

extension WindowReconciler {
    /// Asks the tab bar's delegate.
    func shouldSelect(_ tab: String, in session: UIKitSession) throws -> Bool {
        guard let tabs else { return true }
        guard tabs.canTap(tab) else { return false }
        guard tabs.asksDelegate else { return true }
        var isAllowed = true
        try session.enter { isAllowed = tabs.shouldSelect(tab) }
        return isAllowed
    }

    /// Follows the user to another tab.
    func didSelect(_ tab: String, in session: UIKitSession) throws {
        try session.enter { tabs?.didSelect(tab, in: session) }
    }

    /// Does what a tab bar does at a second tap.
    func didReselect(_ tab: String, in session: UIKitSession) throws {
        try session.enter { tabs?.didReselect(tab) }
    }
}

/// The controller of a window without one; the reconciler keeps it, so that it is no leak.
private final class EmptyWindowController: UIViewController {
    override var staysInMemory: Bool { true }
}
