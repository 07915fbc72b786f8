import Usher

/// A container of pages that the user turns.
@MainActor @preconcurrency
open class UIPageViewController: UIViewController {
    /// The animations of a page turn.
    public enum TransitionStyle: Int, Sendable {
        case pageCurl, scroll
    }

    /// The axes along which pages are arranged.
    public enum NavigationOrientation: Int, Sendable {
        case horizontal, vertical
    }

    /// The directions in which pages are turned.
    public enum NavigationDirection: Int, Sendable {
        case forward, reverse
    }

    /// The keys of options for the initializer.
    public struct OptionsKey: Hashable, RawRepresentable, Sendable {
        /// The name of the option.
        public let rawValue: String

        /// Creates a key.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The object that provides the pages next to a page.
    open weak var dataSource: (any UIPageViewControllerDataSource)?
    /// The object that is notified when the user turns a page.
    open weak var delegate: (any UIPageViewControllerDelegate)?
    /// The animation of a page turn.
    public let transitionStyle: TransitionStyle

    /// Creates a container of pages.
    public init(
        transitionStyle: TransitionStyle, navigationOrientation: NavigationOrientation,
        options: [OptionsKey: Any]? = nil
    ) {
        self.transitionStyle = transitionStyle
        super.init(nibName: nil, bundle: nil)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The visible page.
    open var viewControllers: [UIViewController]? { children }

    /// Turns to a page.
    open func setViewControllers(
        _ controllers: [UIViewController]?, direction: NavigationDirection, animated: Bool,
        completion: ((Bool) -> Void)? = nil
    ) {
        turn(to: controllers ?? [], animated: animated)
        UIKitSession.complete { completion?(true) }
    }

    /// Turns a page as the user does, forward or back.
    ///
    /// - Throws: `Refusal` if there is no page in this direction.
    public final func turn(_ direction: NavigationDirection) throws {
        guard let current = children.first,
            let page = direction == .forward
                ? dataSource?.pageViewController(self, viewControllerAfter: current)
                : dataSource?.pageViewController(self, viewControllerBefore: current)
        else { throw Refusal("there is no page to turn to") }
        delegate?.pageViewController(self, willTransitionTo: [page])
        turn(to: [page], animated: true)
        UIKitSession.complete { [self] in
            delegate?.pageViewController(
                self, didFinishAnimating: true, previousViewControllers: [current], transitionCompleted: true)
        }
    }

    private func turn(to pages: [UIViewController], animated: Bool) {
        for child in children where !pages.contains(where: { $0 === child }) {
            child.willMove(toParent: nil)
            child.begin(.fromParent(animated: animated))
        }
        for page in pages where page.parent !== self {
            page.willMove(toParent: self)
            page.enter(self)
            page.begin(.toParent(animated: animated))
        }
        children = pages
        UIKitSession.current?.setNeedsReconciling()
    }
}

/// The source of pages.
@MainActor @preconcurrency
public protocol UIPageViewControllerDataSource: AnyObject {
    /// Returns the page before a page.
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerBefore viewController: UIViewController
    ) -> UIViewController?

    /// Returns the page after a page.
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerAfter viewController: UIViewController
    ) -> UIViewController?
}

/// An object that is notified when the user turns a page.
@MainActor @preconcurrency
public protocol UIPageViewControllerDelegate: AnyObject {
    /// Called when the user starts to turn to other pages.
    func pageViewController(
        _ pageViewController: UIPageViewController, willTransitionTo pendingViewControllers: [UIViewController])

    /// Called when the user has turned a page.
    func pageViewController(
        _ pageViewController: UIPageViewController, didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController], transitionCompleted completed: Bool)
}

extension UIPageViewControllerDelegate {
    /// Does nothing.
    public func pageViewController(
        _ pageViewController: UIPageViewController, willTransitionTo pendingViewControllers: [UIViewController]
    ) {}

    /// Does nothing.
    public func pageViewController(
        _ pageViewController: UIPageViewController, didFinishAnimating finished: Bool,
        previousViewControllers: [UIViewController], transitionCompleted completed: Bool
    ) {}
}
