import Usher

/// A container of pages that the user turns.
@MainActor @preconcurrency
open class UIPageViewController: UIViewController {
    /// The ways in which a page is turned.
    public enum TransitionStyle: Int, Sendable {
        case pageCurl, scroll
    }

    /// The directions in which pages lie beside each other.
    public enum NavigationOrientation: Int, Sendable {
        case horizontal, vertical
    }

    /// The directions in which pages are turned.
    public enum NavigationDirection: Int, Sendable {
        case forward, reverse
    }

    /// The keys of the options that it is made with.
    public struct OptionsKey: Hashable, RawRepresentable, Sendable {
        /// The name of the option.
        public let rawValue: String

        /// Makes a key.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The object that knows the pages beside a page.
    open weak var dataSource: (any UIPageViewControllerDataSource)?
    /// The object that is told when the user turns a page.
    open weak var delegate: (any UIPageViewControllerDelegate)?
    /// The way in which a page is turned.
    public let transitionStyle: TransitionStyle

    /// Makes a container of pages.
    public init(
        transitionStyle: TransitionStyle, navigationOrientation: NavigationOrientation,
        options: [OptionsKey: Any]? = nil
    ) {
        self.transitionStyle = transitionStyle
        super.init(nibName: nil, bundle: nil)
    }

    /// Fails: there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The page that is shown.
    open var viewControllers: [UIViewController]? { children }

    /// Turns to a page.
    open func setViewControllers(
        _ controllers: [UIViewController]?, direction: NavigationDirection, animated: Bool,
        completion: ((Bool) -> Void)? = nil
    ) {
        turn(to: controllers ?? [], animated: animated)
        UIKitSession.complete { completion?(true) }
    }

    /// The user turns a page: `forward` or back.
    ///
    /// - Throws: `Refusal` where there is none.
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
    /// The page before a page.
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerBefore viewController: UIViewController
    ) -> UIViewController?

    /// The page after a page.
    func pageViewController(
        _ pageViewController: UIPageViewController, viewControllerAfter viewController: UIViewController
    ) -> UIViewController?
}

/// The delegate of pages.
@MainActor @preconcurrency
public protocol UIPageViewControllerDelegate: AnyObject {
    /// Is told that the user begins to turn to pages.
    func pageViewController(
        _ pageViewController: UIPageViewController, willTransitionTo pendingViewControllers: [UIViewController])

    /// Is told that the user has turned a page.
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
