import Usher

/// Makes the engine show what the app's windows show.
///
/// Controllers and the engine's screens are compared by identity, and only after a change of either.
// Exclusivity is unchecked, because no access runs code of the app.
@MainActor
final class WindowReconciler {
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
    /// The modals, from the bottom to the top.
    @safe @exclusivity(unchecked) private var modals: [Modal] = []
    @safe @exclusivity(unchecked) private var shown: BackReference<UIWindow>?
    private lazy var emptiness = EmptyWindowController()
    /// A Boolean value that indicates whether the engine is being updated; calls from the engine must then be ignored.
    @safe @exclusivity(unchecked) private(set) var isReconciling = false

    func attach(_ base: ScreenStack) { self.base = base }

    /// Makes the engine show the root of the lowest window on display, and all presented controllers.
    func reconcile(_ display: DisplayedControllers, in session: UIKitSession) {
        guard let controller = display.root ?? empty else { return }
        isReconciling = true
        defer { isReconciling = false }
        note(display.window)
        let presented = display.presented
        // Go from the top, because a modal is closed before the modal that it covers.
        var kept = 0
        while kept < min(modals.count, presented.count), modals[kept].controller === presented[kept] { kept += 1 }
        close(above: kept)
        showBase(controller, in: session)
        modals.each { $0.stack.show($0.controller, on: $0.coordinator, in: session) }
        for controller in presented[kept...] { present(controller, in: session) }
    }

    private func note(_ window: UIWindow?) {
        let isNoted = shown?.read { $0 === window } ?? (window == nil)
        guard !isNoted else { return }
        shown?.object?.isOnDisplay = false
        window?.isOnDisplay = true
        shown = window?.backReference
    }

    func refresh() {
        if let tabs { tabs.refresh() } else { base?.refresh(rootRefusal: nil) }
        modals.each { $0.stack.refresh(rootRefusal: $0.controller.dismissalRefusal) }
    }

    func forgetAll() {
        _ = (take(&base, leaving: nil), take(&tabs, leaving: nil), take(&modals, leaving: []))
    }

    /// All shown controllers, from the bottom to the top, including the controllers of hidden tabs.
    var records: [ScreenRecord] {
        let stacks = tabs?.stacks ?? [base].compactMap(\.self)
        return (stacks + modals.map(\.stack)).flatMap(\.records)
    }

    /// A Boolean value that indicates whether the user has left a screen or closed a modal that the app still shows.
    var isBehindUser: Bool {
        if let base, base.hasLeft { return true }
        if let tabs, tabs.hasLeft { return true }
        for modal in modals where modal.stack.isEmpty || modal.stack.hasLeft { return true }
        return false
    }

    /// Updates the app's controllers after the user has left screens or closed modals.
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
            // Go from the top, because a modal that stays keeps all modals below it.
            for controller in closed.reversed() {
                controller.closeByUser(in: session)
                guard controller.move.isDismissal else { return }
            }
        }
    }

    /// The controller to show if a window has lost its root or was released; nil before anything was shown.
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
        modal.coordinator.prepare(modal.stack, controller, in: session)
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
    /// Sends the tap to the key window, and calls the tab bar's delegate.
    func shouldSelect(_ tab: String, in session: UIKitSession) throws -> Bool {
        guard let tabs else { return true }
        guard tabs.canTap(tab) else { return false }
        guard tabs.asksDelegate || session.application.watchesTouches else { return true }
        var isAllowed = true
        try session.handleTouch { isAllowed = tabs.shouldSelect(tab) }
        return isAllowed
    }

    func didSelect(_ tab: String, in session: UIKitSession) throws {
        try session.enter { tabs?.didSelect(tab, in: session) }
    }

    func didReselect(_ tab: String, in session: UIKitSession) throws {
        try session.handleTouch { tabs?.didReselect(tab) }
    }
}

/// The controller of a window without a root; no leak, because the reconciler retains it.
private final class EmptyWindowController: UIViewController {
    override var staysInMemory: Bool { true }
}
