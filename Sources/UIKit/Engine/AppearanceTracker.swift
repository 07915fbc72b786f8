import Usher

/// The visible controllers, and the calls that notify controllers of their appearance.
@MainActor
final class AppearanceTracker {
    /// The visible controllers, from the outermost to the innermost, and from the bottom to the top.
    private let visible = ShownControllers()

    private var appeared: [UIViewController] { visible.controllers }

    /// Loads the views of the controllers to be shown, and returns what the windows show after all views were loaded.
    ///
    /// Loading a view can change what the windows show.
    func load(in session: UIKitSession) -> DisplayedControllers {
        var display = session.application.display(collecting: visible)
        // Visit only controllers that were not visible before, because the views of all other controllers are loaded.
        var next = visible.kept
        while next < visible.count {
            let controller = visible[next]
            next += 1
            guard !controller.isViewLoaded else { continue }
            controller.loadViewIfNeeded()
            guard session.isBehindApp || display.dependsOnContents else { continue }
            display = session.application.display(collecting: visible)
            next = visible.kept
        }
        return display
    }

    /// Notifies the controllers, in UIKit's order, that the collected controllers are shown.
    func show(in session: UIKitSession) {
        let moves = session.moves.take()
        let isAnimated = moves.isAnimated
        let (kept, left) = (visible.kept, visible.takeLeft())
        visible.update()
        let shown = visible.controllers
        let transition = AppearanceTransition(from: left, to: shown, above: kept, isAnimated: isAnimated)
        shown.each { $0.beginShowing(animated: isAnimated) }
        transition.begin()
        shown.each { $0.willShow() }
        moves.leaveContainers()
        transition.end()
        shown.each { $0.didShow() }
        moves.finish(in: session)
    }

    func forgetAll() { visible.replaceAll(by: []) }

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

extension UIViewController {
    /// A Boolean value that indicates whether a container of this controller is visible.
    fileprivate final var isInVisible: Bool {
        readContainer { $0.visibility == .visible || $0.isInVisible } ?? false
    }

    fileprivate final var isInVisibleTabs: Bool {
        readContainer { $0.visibility == .visible && $0 is UITabBarController } ?? false
    }
}

/// A change of the visible controllers; each controller stores its own part, so no lists are needed.
@MainActor
private struct AppearanceTransition {
    /// The controllers that were visible before and are not kept.
    private let old: [UIViewController]
    private let new: [UIViewController]
    /// The number of controllers at the beginning of the new list that were also visible before, at the same places.
    private let kept: Int
    private let isAnimated: Bool

    init(from old: [UIViewController], to new: [UIViewController], above kept: Int, isAnimated: Bool) {
        (self.old, self.new, self.kept, self.isAnimated) = (old, new, kept, isAnimated)
        forEachOld { $0.visibility = .leaving }
        forEachNew { controller in
            if controller.visibility == .hidden { controller.part = .appearing }
            controller.visibility = .visible
        }
        forEachOld { controller in
            guard controller.visibility == .leaving else { return }
            controller.part = controller.isInVisible ? .replaced : .covered
            controller.visibility = .hidden
        }
    }

    /// A Boolean value that indicates whether another tab was selected; appearing controllers are then notified first.
    private var isOfTabs: Bool {
        var (replaces, isOfTabs) = (false, false)
        forEachOld { if $0.part == .replaced { replaces = true } }
        guard replaces else { return false }
        forEachNew { if $0.part == .appearing && $0.isInVisibleTabs { isOfTabs = true } }
        return isOfTabs
    }

    func begin() {
        let isOfTabs = isOfTabs
        if isOfTabs { tellAppearing() }
        forEachOld { if $0.part == .replaced { $0.viewWillDisappear(isAnimated) } }
        forEachOld { if $0.part == .covered { $0.viewWillDisappear(isAnimated) } }
        if !isOfTabs { tellAppearing() }
        forEachNew { if $0.part == .appearing { $0.viewIsAppearing(isAnimated) } }
    }

    func end() {
        forEachOld { if $0.part == .replaced { $0.viewDidDisappear(isAnimated) } }
        forEachNew { if $0.part == .appearing { $0.viewDidAppear(isAnimated) } }
        forEachOld { if $0.part == .covered { $0.viewDidDisappear(isAnimated) } }
        forEachOld { $0.part = .none }
        forEachNew { $0.part = .none }
    }

    private func tellAppearing() {
        forEachNew { if $0.part == .appearing { $0.viewWillAppear(isAnimated) } }
    }

    private func forEachOld(_ body: (UIViewController) -> Void) { old.each(body) }

    private func forEachNew(_ body: (UIViewController) -> Void) { new.each(in: kept..<new.count, body) }
}
