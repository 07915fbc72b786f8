/// The look of a bar, which has no effect.
@MainActor @preconcurrency
open class UIBarAppearance: NSObject {
    /// The background colour.
    open var backgroundColor: UIColor?
    /// The background image.
    open var backgroundImage: UIImage?
    /// The colour of the bar's shadow.
    open var shadowColor: UIColor?
    /// The image of the bar's shadow.
    open var shadowImage: UIImage?

    /// Creates an appearance.
    public override init() {
        super.init()
    }

    /// Does nothing.
    open func configureWithDefaultBackground() {}

    /// Does nothing.
    open func configureWithOpaqueBackground() {}

    /// Does nothing.
    open func configureWithTransparentBackground() {}
}

/// The look of a navigation bar, which has no effect.
@MainActor @preconcurrency
open class UINavigationBarAppearance: UIBarAppearance {
    /// The attributes of the title.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    /// The attributes of a large title.
    open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]
}

/// The look of a tab bar, which has no effect.
@MainActor @preconcurrency
open class UITabBarAppearance: UIBarAppearance {}

/// The look of a toolbar, which has no effect.
@MainActor @preconcurrency
open class UIToolbarAppearance: UIBarAppearance {}

extension NSAttributedString.Key {
    /// The font of the text.
    public static let font = NSAttributedString.Key(rawValue: "NSFont")
    /// The colour of the text.
    public static let foregroundColor = NSAttributedString.Key(rawValue: "NSColor")
}
