/// The items of a navigation bar for one controller.
@MainActor @preconcurrency
open class UINavigationItem: UIResponder {
    /// The display modes of a large title.
    public enum LargeTitleDisplayMode: Int, Sendable {
        case automatic, always, never
    }

    /// The display modes of the button that leads back to the controller.
    public enum BackButtonDisplayMode: Int, Sendable {
        case `default`, generic, minimal
    }

    /// The title in the middle.
    open var title: String?
    /// The look of the bar, which has no effect.
    open var standardAppearance: UINavigationBarAppearance?
    /// The look of a compact bar, which has no effect.
    open var compactAppearance: UINavigationBarAppearance?
    /// The look of the bar at the edge of the content, which has no effect.
    open var scrollEdgeAppearance: UINavigationBarAppearance?
    /// The text above the title.
    open var prompt: String?
    /// A view that replaces the title.
    open var titleView: UIView?
    /// A Boolean value that indicates whether the back button is hidden.
    ///
    /// If the back button is hidden, the user can swipe back only if the app has set the recogniser's delegate.
    open var hidesBackButton = false
    /// The display mode of a large title.
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic
    /// The title of the button that leads back to the controller.
    open var backButtonTitle: String?
    /// The display mode of the button that leads back to the controller.
    open var backButtonDisplayMode = BackButtonDisplayMode.default
    /// The button that leads back to the controller.
    open var backBarButtonItem: UIBarButtonItem?
    /// A Boolean value that indicates whether the left items are next to the back button instead of replacing it.
    open var leftItemsSupplementBackButton = false
    /// The items on the left.
    open var leftBarButtonItems: [UIBarButtonItem]?
    /// The items on the right, the outermost first.
    open var rightBarButtonItems: [UIBarButtonItem]?

    /// Creates the items of a bar.
    public init(title: String) {
        self.title = title.isEmpty ? nil : title
    }

    /// The first item on the left.
    open var leftBarButtonItem: UIBarButtonItem? {
        get { leftBarButtonItems?.first }
        set { leftBarButtonItems = newValue.map { [$0] } }
    }

    /// The outermost item on the right.
    open var rightBarButtonItem: UIBarButtonItem? {
        get { rightBarButtonItems?.first }
        set { rightBarButtonItems = newValue.map { [$0] } }
    }

    /// Sets the first item on the left.
    open func setLeftBarButton(_ item: UIBarButtonItem?, animated: Bool) { leftBarButtonItem = item }

    /// Sets the outermost item on the right.
    open func setRightBarButton(_ item: UIBarButtonItem?, animated: Bool) { rightBarButtonItem = item }

    /// Hides or shows the back button.
    open func setHidesBackButton(_ hides: Bool, animated: Bool) { hidesBackButton = hides }

    final var offersBack: Bool {
        !hidesBackButton && (leftItemsSupplementBackButton || leftBarButtonItems?.isEmpty != false)
    }

    /// All items that can be tapped, from left to right.
    final var allItems: [UIBarButtonItem] { (leftBarButtonItems ?? []) + (rightBarButtonItems ?? []).reversed() }
}

/// An item of a bar.
@MainActor @preconcurrency
open class UIBarItem: UIResponder {
    /// The item's text.
    open var title: String?
    /// The item's image.
    open var image: UIImage?
    /// A number that identifies the item.
    open var tag = 0
    /// A Boolean value that indicates whether the item can be tapped.
    open var isEnabled = true
    /// The identifier for tests.
    open var accessibilityIdentifier: String?
}

/// A button of a bar.
@MainActor @preconcurrency
open class UIBarButtonItem: UIBarItem {
    /// The styles of a button.
    public enum Style: Int, Sendable {
        case plain, done = 2
    }

    /// The items whose name and image the system provides.
    public enum SystemItem: Int, Sendable {
        case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks
        case search, refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo, close
    }

    /// The style.
    open var style = Style.plain
    /// The action that a tap runs.
    open var primaryAction: UIAction?
    /// The menu that a tap opens.
    open var menu: UIMenu?
    /// A view that replaces the button.
    open var customView: UIView?
    /// The object whose method a tap calls; without a target, a tap calls no method.
    open weak var target: AnyObject?
    /// The method of the target that a tap calls.
    open var action: Selector?

    /// Creates an item that runs an action.
    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        super.init()
        (self.title, self.image) = (title ?? primaryAction?.title, image)
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    /// Creates a system item that runs an action.
    public init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        super.init()
        title = "\(systemItem)"
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    /// Creates an item that calls a method.
    public convenience init(title: String?, style: Style, target: Any?, action: Selector?) {
        self.init(title: title)
        self.style = style
        (self.target, self.action) = (target as AnyObject?, action)
    }

    /// Creates an item with an image that calls a method.
    public convenience init(image: UIImage?, style: Style, target: Any?, action: Selector?) {
        self.init(image: image)
        self.style = style
        (self.target, self.action) = (target as AnyObject?, action)
    }

    /// Creates a system item that calls a method.
    public convenience init(barButtonSystemItem systemItem: SystemItem, target: Any?, action: Selector?) {
        self.init(systemItem: systemItem)
        (self.target, self.action) = (target as AnyObject?, action)
    }

    /// Creates an item that calls a method, given as `Type.method` instead of a selector.
    public convenience init<Target: AnyObject>(
        title: String?, style: Style, target: Target?, action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(title: title)
        self.style = style
        bind(target, action)
    }

    /// Creates a system item that calls a method, given as `Type.method` instead of a selector.
    public convenience init<Target: AnyObject>(
        barButtonSystemItem item: SystemItem, target: Target?,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(systemItem: item)
        bind(target, action)
    }

    /// Creates an item with a view.
    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }

    /// Appends what can be tapped: the controls of the item's view, or the item itself and its menu's actions.
    final func collectTappable(into found: inout [TappableAction]) {
        if let customView { return customView.collectTappable(into: &found) }
        if let title = tapTitle, primaryAction != nil || action != nil {
            found.append(
                TappableAction(title: title, isEnabled: isEnabled) { [self] in
                    primaryAction?.performWithSender(self, target: nil)
                    if let target, let action { action.perform(on: target, self) }
                })
        }
        for action in menu?.actions ?? [] where !action.attributes.contains(.hidden) {
            found.append(action.tappable(by: self))
        }
    }

    /// The title, or the accessibility identifier of an item that has only an image.
    private var tapTitle: String? {
        if let title, !title.isEmpty { return title }
        return accessibilityIdentifier ?? title
    }

    private func bind<Target: AnyObject>(
        _ target: Target?, _ method: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.target = target
        action = Selector("method") { (target: Target) in { method(target)() } }
    }
}
