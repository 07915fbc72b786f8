/// The items of a navigation bar for one controller.
@MainActor @preconcurrency
open class UINavigationItem: UIResponder {
    /// The ways in which a large title is shown.
    public enum LargeTitleDisplayMode: Int, Sendable {
        case automatic, always, never
    }

    /// The title in the middle.
    open var title: String?
    /// The text above the bar's title.
    open var prompt: String?
    /// The view in place of the title.
    open var titleView: UIView?
    /// True to hide the back button; the user can then swipe back only if the app has set the recogniser's delegate.
    open var hidesBackButton = false
    /// The way in which a large title is shown.
    open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic
    /// The title of the button that leads back to it.
    open var backButtonTitle: String?
    /// The button that leads back to it.
    open var backBarButtonItem: UIBarButtonItem?
    /// True where the items on the left stand beside the back button; else they take its place.
    open var leftItemsSupplementBackButton = false
    /// The items on the left.
    open var leftBarButtonItems: [UIBarButtonItem]?
    /// The items on the right, the outermost first.
    open var rightBarButtonItems: [UIBarButtonItem]?

    /// Makes the items of a bar.
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

    /// True if the bar has a back button.
    final var offersBack: Bool {
        !hidesBackButton && (leftItemsSupplementBackButton || leftBarButtonItems?.isEmpty != false)
    }

    /// All items that can be tapped, from left to right.
    final var allItems: [UIBarButtonItem] { (leftBarButtonItems ?? []) + (rightBarButtonItems ?? []).reversed() }
}

/// An item of a bar.
@MainActor @preconcurrency
open class UIBarItem: UIResponder {
    /// The text on it.
    open var title: String?
    /// The picture on it.
    open var image: UIImage?
    /// A number to know it by.
    open var tag = 0
    /// False where it cannot be tapped.
    open var isEnabled = true
    /// The name for tests.
    open var accessibilityIdentifier: String?
}

/// A button of a bar.
@MainActor @preconcurrency
open class UIBarButtonItem: UIBarItem {
    /// The ways in which it is drawn.
    public enum Style: Int, Sendable {
        case plain, done = 2
    }

    /// The items that the system has names and pictures for.
    public enum SystemItem: Int, Sendable {
        case done, cancel, edit, save, add, flexibleSpace, fixedSpace, compose, reply, action, organize, bookmarks
        case search, refresh, stop, camera, trash, play, pause, rewind, fastForward, undo, redo, close
    }

    /// The way in which it is drawn.
    open var style = Style.plain
    /// The action that a tap runs.
    open var primaryAction: UIAction?
    /// The menu that a tap opens.
    open var menu: UIMenu?
    /// The view in place of the button.
    open var customView: UIView?
    private var action: (() -> Void)?
    /// The object of that: who looks for coordinators finds it here.
    private weak var target: AnyObject?

    /// Makes an item that runs an action.
    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        super.init()
        (self.title, self.image) = (title ?? primaryAction?.title, image)
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    /// Makes one of the system's items that runs an action.
    public init(systemItem: SystemItem, primaryAction: UIAction? = nil, menu: UIMenu? = nil) {
        super.init()
        title = "\(systemItem)"
        (self.primaryAction, self.menu) = (primaryAction, menu)
    }

    /// Makes an item whose tap calls a method, given as `Type.method` in place of a selector.
    public convenience init<Target: AnyObject>(
        title: String?, style: Style, target: Target?, action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(title: title)
        self.style = style
        bind(target, action)
    }

    /// Makes one of the system's items whose tap calls a method, given as `Type.method` in place of a selector.
    public convenience init<Target: AnyObject>(
        barButtonSystemItem item: SystemItem, target: Target?,
        action: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.init(systemItem: item)
        bind(target, action)
    }

    /// Makes an item that is a view.
    public convenience init(customView: UIView) {
        self.init()
        self.customView = customView
    }

    /// Appends all that can be tapped by it: the controls of its view, or itself, and the actions of its menu.
    final func collectTappable(into found: inout [TappableAction]) {
        if let customView { return customView.collectTappable(into: &found) }
        if let title = tapTitle, primaryAction != nil || action != nil {
            found.append(
                TappableAction(title: title, isEnabled: isEnabled) { [self] in
                    primaryAction?.performWithSender(self, target: nil)
                    action?()
                })
        }
        for action in menu?.actions ?? [] where !action.attributes.contains(.hidden) {
            found.append(action.tappable(by: self))
        }
    }

    /// The text on it, or its name for tests where there is a picture alone.
    private var tapTitle: String? {
        if let title, !title.isEmpty { return title }
        return accessibilityIdentifier ?? title
    }

    private func bind<Target: AnyObject>(
        _ target: Target?, _ method: @escaping @MainActor (Target) -> @MainActor () -> Void
    ) {
        self.target = target
        action = { [weak target] in
            if let target { method(target)() }
        }
    }
}
