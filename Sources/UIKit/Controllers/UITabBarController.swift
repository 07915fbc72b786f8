/// A container of controllers of which the user selects one.
@MainActor @preconcurrency
open class UITabBarController: UIViewController {
    /// The object that is asked and told of the user's selections.
    open weak var delegate: (any UITabBarControllerDelegate)?
    /// The bar at the bottom.
    public private(set) lazy var tabBar = UITabBar()
    /// The place of the selected controller.
    // Unchecked, for it is only a number.
    @safe @exclusivity(unchecked) open var selectedIndex = 0 {
        didSet {
            guard selectedIndex != oldValue else { return }
            // Before there are tabs, the one that will be selected can be told.
            guard children.isEmpty || children.indices.contains(selectedIndex) else {
                let complaint = "selectedIndex \(selectedIndex) is out of bounds: there are \(children.count) tabs"
                selectedIndex = oldValue
                return UIKitSession.current?.warn(complaint) ?? ()
            }
            UIKitSession.current?.setNeedsReconciling()
        }
    }

    /// Makes a tab bar without tabs.
    public override init(nibName: String?, bundle: Bundle?) {
        super.init(nibName: nibName, bundle: bundle)
    }

    /// Fails: there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The controllers, from left to right.
    open var viewControllers: [UIViewController]? {
        get { children.isEmpty ? nil : children }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The controller that is shown.
    open var selectedViewController: UIViewController? {
        get { visibleChildren.first }
        set {
            guard let index = children.firstIndex(where: { $0 === newValue }) else {
                UIKitSession.current?.warn("a tab bar can only select a view controller of its own")
                return
            }
            selectedIndex = index
        }
    }

    /// Swaps the controllers for others; the one that is selected stays so where it can.
    open func setViewControllers(_ controllers: [UIViewController]?, animated: Bool) {
        let selected = selectedViewController
        let wanted = controllers ?? []
        for child in children where !wanted.contains(where: { $0 === child }) {
            child.willMove(toParent: nil)
            child.begin(.fromParent(animated: animated))
        }
        for child in wanted where child.parent !== self {
            child.willMove(toParent: self)
            child.enter(self)
            child.begin(.toParent(animated: animated))
        }
        children = wanted
        selectedIndex =
            wanted.firstIndex { $0 === selected } ?? (wanted.indices.contains(selectedIndex) ? selectedIndex : 0)
        UIKitSession.current?.setNeedsReconciling()
    }

    /// Elsewhere than at the base of the window there are no tabs: the selected controller stands for all.
    override func appendShown(to stack: inout [UIViewController]) {
        guard let selectedViewController else { return stack.append(self) }
        selectedViewController.appendShown(to: &stack)
    }

    override var visiblePlaces: Range<Int> {
        let index = selectedIndex
        return children.indices.contains(index) ? index..<index + 1 : 0..<0
    }

    /// Warns where a phone has a way back from it: the base has tabs, or screens that lie below others.
    final func warnOfBack(in session: UIKitSession) {
        guard let place = placeInBar, let navigation = place.container as? UINavigationController,
            place.controller.backRefusal == nil, navigation.viewControllers.first !== place.controller,
            !navigation.isNavigationBarHidden
        else { return }
        session.warn("\(type(of: self)) is pushed above others, and the user cannot go back from its tabs here")
    }

    override func lose(_ child: UIViewController) {
        let selected = selectedViewController
        super.lose(child)
        selectedIndex = children.firstIndex { $0 === selected } ?? min(selectedIndex, max(children.count - 1, 0))
    }

    override var tabsOfBase: UITabBarController? { children.isEmpty ? nil : self }
}

/// The delegate of a tab bar, asked and told of what the user taps; not of what the app selects.
@MainActor @preconcurrency
public protocol UITabBarControllerDelegate: AnyObject {
    /// Is asked before the user's tap selects a controller.
    ///
    /// - Returns: Whether it does.
    func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool

    /// Is told that the user has tapped a tab, be it the one that was selected.
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
    /// Allows it.
    public func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool { true }

    /// Does nothing.
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}

/// The item of a tab bar for one controller.
@MainActor @preconcurrency
open class UITabBarItem: UIBarItem {
    /// The text on its badge.
    open var badgeValue: String?
    /// The picture of the selected tab.
    open var selectedImage: UIImage?

    /// Makes an item.
    public init(title: String?, image: UIImage?, tag: Int) {
        super.init()
        (self.title, self.image, self.tag) = (title, image, tag)
    }

    /// Makes an item with a picture for the selected tab.
    public init(title: String?, image: UIImage?, selectedImage: UIImage?) {
        super.init()
        (self.title, self.image) = (title, image)
        self.selectedImage = selectedImage
    }

    /// Makes one of the system's items.
    public init(tabBarSystemItem item: SystemItem, tag: Int) {
        super.init()
        (self.title, self.tag) = ("\(item)", tag)
    }

    /// The items that the system has names and pictures for.
    public enum SystemItem: Int, Sendable {
        case more, favorites, featured, topRated, recents, contacts, history, bookmarks, search, downloads, mostRecent
        case mostViewed
    }
}
