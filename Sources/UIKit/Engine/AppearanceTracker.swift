import Usher

/// The visible controllers, and the calls that notify them of their appearance.
///
/// The state is accessed without exclusivity checks, because no code of the app runs during a change.
@MainActor
final class AppearanceTracker {
    /// The visible controllers, from the outermost to the innermost, and from the bottom to the top.
    @safe @exclusivity(unchecked) private var appeared: [UIViewController] = []

    /// Loads the views that are about to be shown.
    ///
    /// - Returns: The controllers to show; loading a view may have changed them.
    func load(in session: UIKitSession) -> DisplayedControllers {
        var display = session.application.display
        var next = 0
        while next < display.visible.count {
            let controller = display.visible[next]
            next += 1
            guard !controller.isViewLoaded else { continue }
            controller.loadViewIfNeeded()
            guard session.isBehindApp || display.dependsOnContents else { continue }
            display = session.application.display
            next = 0
        }
        return display
    }

    /// Notifies the controllers of a transition, in UIKit's order.
    ///
    /// - Parameters:
    ///   - visible: The controllers that are visible from now on.
    ///   - session: The session.
    func show(_ visible: [UIViewController], in session: UIKitSession) {
        let moves = session.moves.take()
        let isAnimated = moves.isAnimated
        let transition = AppearanceTransition(from: appeared, to: visible, isAnimated: isAnimated)
        appeared = visible
        var navigations: [UINavigationController] = []
        for case let navigation as UINavigationController in visible where navigation.showsAnother {
            navigation.beginShowing(animated: isAnimated)
            navigations.append(navigation)
        }
        transition.begin()
        for place in navigations.indices { navigations[place].willShow() }
        moves.leaveContainers()
        transition.end()
        for place in navigations.indices { navigations[place].didShow() }
        moves.finish(in: session)
    }

    /// Releases all controllers at the end of the session.
    func forgetAll() { _ = take(&appeared, leaving: []) }

    /// Handles a swipe back that the user has started and cancelled: nothing changes, but the controllers are notified.
    ///
    /// - Throws: `Refusal` if no swipe back can start.
    func cancelPop() throws {
        let innermost = appeared.last { $0 is UINavigationController && $0.isOnTop } as? UINavigationController
        guard let navigation = innermost, navigation.viewControllers.count > 1 else {
            throw Refusal("there is no screen below, so no swipe back can begin")
        }
        let current = navigation.viewControllers[navigation.viewControllers.count - 1]
        let below = navigation.viewControllers[navigation.viewControllers.count - 2]
        if let refusal = current.swipeRefusal {
            throw Refusal("no swipe back can begin on \(type(of: current)): \(refusal)")
        }
        below.loadViewIfNeeded()
        navigation.beginInteractivePop(from: current, to: below)
        current.move = .fromParent(animated: true)
        current.viewWillDisappear(true)
        current.move = .none
        below.viewWillAppear(true)
        below.viewIsAppearing(true)
        navigation.delegate?.navigationController(navigation, willShow: below, animated: true)
        below.viewWillDisappear(true)
        below.viewDidDisappear(true)
        current.viewWillAppear(true)
        current.viewIsAppearing(true)
        current.viewDidAppear(true)
        navigation.cancelInteractivePop()
    }

    /// Handles that the user has turned a page.
    func turnPage(_ direction: UIPageViewController.NavigationDirection) throws {
        guard
            let pages = appeared.last(where: { $0 is UIPageViewController && $0.isOnTop }) as? UIPageViewController
        else {
            throw Refusal("there are no pages to turn")
        }
        try pages.turn(direction)
    }
}

extension UIViewController {
    /// A Boolean value that indicates whether no other window and no presented controller is above this controller.
    fileprivate final var isOnTop: Bool { outermost === UIKitSession.current?.application.topmost }
}

/// A change of the visible controllers, with the order of the calls.
///
/// Each controller stores its own part, so no lists are needed.
@MainActor
private struct AppearanceTransition {
    private let old: ArraySlice<UIViewController>
    private let new: ArraySlice<UIViewController>
    /// A Boolean value that indicates whether the user sees the change.
    private let isAnimated: Bool

    init(from allOld: [UIViewController], to allNew: [UIViewController], isAnimated: Bool) {
        // Usually most of the lower containers stay.
        var kept = 0
        while kept < min(allOld.count, allNew.count), allOld[kept] === allNew[kept] { kept += 1 }
        let (old, new) = (allOld[kept...], allNew[kept...])
        (self.old, self.new, self.isAnimated) = (old, new, isAnimated)
        for controller in old { controller.visibility = .leaving }
        for controller in new {
            if controller.visibility == .hidden { controller.part = .appearing }
            controller.visibility = .visible
        }
        for controller in old where controller.visibility == .leaving {
            // If its outermost container is still visible, the controller was replaced within it.
            controller.part = controller.outermost.visibility == .visible ? .replaced : .covered
            controller.visibility = .hidden
        }
    }

    /// A Boolean value that indicates whether another tab was selected; appearing controllers are then notified first.
    private var isOfTabs: Bool {
        var (replaces, isOfTabs) = (false, false)
        for controller in old where controller.part == .replaced { replaces = true }
        for controller in new where replaces && controller.part == .appearing {
            if let tabBar = controller.parent as? UITabBarController, tabBar.visibility == .visible { isOfTabs = true }
        }
        return isOfTabs
    }

    /// Notifies all controllers before the change.
    func begin() {
        let isOfTabs = isOfTabs
        if isOfTabs { tellAppearing() }
        for controller in old where controller.part == .replaced { controller.viewWillDisappear(isAnimated) }
        for controller in old where controller.part == .covered { controller.viewWillDisappear(isAnimated) }
        if !isOfTabs { tellAppearing() }
        for controller in new where controller.part == .appearing { controller.viewIsAppearing(isAnimated) }
    }

    /// Notifies all controllers after the change.
    func end() {
        for controller in old where controller.part == .replaced { controller.viewDidDisappear(isAnimated) }
        for controller in new where controller.part == .appearing { controller.viewDidAppear(isAnimated) }
        for controller in old where controller.part == .covered { controller.viewDidDisappear(isAnimated) }
        for controller in old { controller.part = .none }
        for controller in new { controller.part = .none }
    }

    private func tellAppearing() {
        for controller in new where controller.part == .appearing { controller.viewWillAppear(isAnimated) }
    }
}
