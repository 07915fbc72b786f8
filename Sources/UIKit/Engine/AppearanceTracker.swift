import Usher

/// The controllers whose views are on display, and the calls that tell them so.
///
/// Its state is accessed without checks for exclusivity: no code of the app runs in the midst of a change.
@MainActor
final class AppearanceTracker {
    /// From the outermost to the innermost, from the bottom to the top.
    @safe @exclusivity(unchecked) private var appeared: [UIViewController] = []

    /// Loads the views that are to be shown.
    ///
    /// - Returns: What is shown; a controller may have brought others while it was loaded.
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

    /// Tells the controllers of a transition, in UIKit's order.
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

    /// Lets go of all controllers, at the end of the session.
    func forgetAll() { _ = take(&appeared, leaving: []) }

    /// A swipe back that the user has begun and let go of: nothing changes, but all are told.
    ///
    /// - Throws: `Refusal` where no such swipe can begin.
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

    /// The user has turned a page.
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
    /// True if nothing lies over this controller: no other window, and nothing presented.
    fileprivate final var isOnTop: Bool { outermost === UIKitSession.current?.application.topmost }
}

/// One change of what is visible, and the order of the calls in it.
///
/// The controllers know their parts in it, which saves the lists of them.
@MainActor
private struct AppearanceTransition {
    private let old: ArraySlice<UIViewController>
    private let new: ArraySlice<UIViewController>
    /// Set where the user sees it.
    private let isAnimated: Bool

    init(from allOld: [UIViewController], to allNew: [UIViewController], isAnimated: Bool) {
        // Most containers below stay.
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
            // One whose outermost container is still visible has been replaced within it.
            controller.part = controller.outermost.visibility == .visible ? .replaced : .covered
            controller.visibility = .hidden
        }
    }

    /// True where another tab is selected, for then what comes is told first.
    private var isOfTabs: Bool {
        var (replaces, isOfTabs) = (false, false)
        for controller in old where controller.part == .replaced { replaces = true }
        for controller in new where replaces && controller.part == .appearing {
            if let tabBar = controller.parent as? UITabBarController, tabBar.visibility == .visible { isOfTabs = true }
        }
        return isOfTabs
    }

    /// Tells all that is about to change.
    func begin() {
        let isOfTabs = isOfTabs
        if isOfTabs { tellAppearing() }
        for controller in old where controller.part == .replaced { controller.viewWillDisappear(isAnimated) }
        for controller in old where controller.part == .covered { controller.viewWillDisappear(isAnimated) }
        if !isOfTabs { tellAppearing() }
        for controller in new where controller.part == .appearing { controller.viewIsAppearing(isAnimated) }
    }

    /// Tells all that has changed.
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
