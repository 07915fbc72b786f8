/// A container of controllers, one of which the user selects.
@MainActor @preconcurrency
open class UITabBarController: UIViewController {
    /// The object that is called for the user's selections.
    open weak var delegate: (any UITabBarControllerDelegate)?
    /// The bar at the bottom.
    public private(set) lazy var tabBar = UITabBar()
    /// The index of the selected controller.
    // Unchecked because the property is only a number.
    @safe @exclusivity(unchecked) open var selectedIndex = 0 {
        didSet {
            guard selectedIndex != oldValue else { return }
            // The selected index can be set before there are tabs.
            guard children.isEmpty || children.indices.contains(selectedIndex) else {
                let complaint = "selectedIndex \(selectedIndex) is out of bounds: there are \(children.count) tabs"
                selectedIndex = oldValue
                return UIKitSession.current?.warn(complaint) ?? ()
            }
            UIKitSession.current?.setNeedsReconciling()
        }
    }

    /// Creates a tab bar without tabs.
    public override init(nibName: String?, bundle: Bundle?) {
        super.init(nibName: nibName, bundle: bundle)
    }

    /// Returns nil, because there are no archives of controllers.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The controllers, from left to right.
    open var viewControllers: [UIViewController]? {
        get { children.isEmpty ? nil : children }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The visible controller.
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

    /// Replaces the controllers; the selected controller stays selected if the new list contains it.
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

    /// Shows tabs only at the base of the window; elsewhere, shows the selected controller without tabs.
    override func appendShown(to stack: ShownControllers) {
        guard let selectedViewController else { return stack.append(self) }
        selectedViewController.appendShown(to: stack)
    }

    override var visiblePlaces: Range<Int> {
        let index = selectedIndex
        return children.indices.contains(index) ? index..<index + 1 : 0..<0
    }

    /// Warns if the user could go back from the tab bar on a phone, because here no screen can be below a tab bar.
    final func warnOfBack(in session: UIKitSession) {
        guard let place = placeInBar, let navigation = place.container as? UINavigationController,
            place.controller.backRefusal == nil, navigation.viewControllers.first !== place.controller,
            !navigation.isNavigationBarHidden
        else { return }
        session.warn(
            "\(type(of: self)) is pushed above another controller, but on this server the user cannot go back from a tab bar"
        )
    }

    override func lose(_ child: UIViewController) {
        let selected = selectedViewController
        super.lose(child)
        selectedIndex = children.firstIndex { $0 === selected } ?? min(selectedIndex, max(children.count - 1, 0))
    }

    override var tabsOfBase: UITabBarController? { children.isEmpty ? nil : self }
}

/// The delegate of a tab bar, which is called for the user's taps, but not for the app's selections.
@MainActor @preconcurrency
public protocol UITabBarControllerDelegate: AnyObject {
    /// Returns a Boolean value that indicates whether the user's tap may select a controller.
    func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool

    /// Called when the user has tapped a tab, even the selected tab.
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
    /// Returns `true`.
    public func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool { true }

    /// Does nothing.
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}

/// The item of a tab bar for one controller.
@MainActor @preconcurrency
open class UITabBarItem: UIBarItem {
    /// The badge's text.
    open var badgeValue: String?
    /// The image of the selected tab.
    open var selectedImage: UIImage?

    /// Creates an item.
    public init(title: String?, image: UIImage?, tag: Int) {
        super.init()
        (self.title, self.image, self.tag) = (title, image, tag)
    }

    /// Creates an item with an image for the selected tab.
    public init(title: String?, image: UIImage?, selectedImage: UIImage?) {
        super.init()
        (self.title, self.image) = (title, image)
        self.selectedImage = selectedImage
    }

    /// Creates a system item.
    public init(tabBarSystemItem item: SystemItem, tag: Int) {
        super.init()
        (self.title, self.tag) = ("\(item)", tag)
    }

    /// The items whose name and image the system provides.
    public enum SystemItem: Int, Sendable {
        case more, favorites, featured, topRated, recents, contacts, history, bookmarks, search, downloads, mostRecent
        case mostViewed
    }
}
