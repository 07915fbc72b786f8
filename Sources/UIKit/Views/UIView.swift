/// A view, which is data that is never drawn.
@MainActor @preconcurrency
open class UIView: UIResponder {
    /// The view's rectangle in its superview.
    open var frame: CGRect
    /// The background colour.
    open var backgroundColor: UIColor?
    /// The tint colour of the view's content.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, because it is the declared type on a phone.
    open var tintColor: UIColor!
    /// A Boolean value that indicates whether the view is opaque.
    open var isOpaque = true
    /// A Boolean value that indicates whether the view is hidden.
    // Unchecked because the property is only a Boolean value.
    @safe @exclusivity(unchecked) open var isHidden = false {
        didSet { noteVisibility() }
    }
    /// The opacity, from 0 to 1.
    open var alpha = 1.0 {
        didSet { noteVisibility() }
    }
    /// A number that identifies the view.
    open var tag = 0
    /// A Boolean value that indicates whether the view accepts taps.
    // Unchecked because the property is only a Boolean value.
    @safe @exclusivity(unchecked) open var isUserInteractionEnabled = true
    /// The identifier for tests.
    open var accessibilityIdentifier: String?
    /// The text that a screen reader reads.
    open var accessibilityLabel: String?
    /// The subviews, from the bottom to the top.
    public private(set) var subviews: [UIView] = []
    /// The superview.
    public private(set) weak var superview: UIView?
    private(set) final var recognizers: [UIGestureRecognizer] = []
    /// A Boolean value that indicates whether this is a controller's view, or has contained a controller's view.
    @safe @exclusivity(unchecked) private final var holdsController = false

    /// Creates a view.
    public init(frame: CGRect) {
        self.frame = frame
    }

    /// Creates a view.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// The view's rectangle in its own coordinates.
    public final var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    /// The window that shows the view; nil while its controller is not visible.
    open var window: UIWindow? {
        var root = self
        while let superview = root.superview { root = superview }
        if let window = root as? UIWindow { return window }
        guard root.holdsController, let application = UIKitSession.ofGlobals?.application else { return nil }
        return application.windowsOnDisplay.first { $0.rootViewController?.shows(root) == true }
    }

    /// The layer, which is never drawn.
    open private(set) lazy var layer = CALayer()

    /// Adds a subview above all other subviews.
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
        guard view.holdsController else { return }
        holdController()
        noteVisibility()
    }

    /// Removes the view from its superview.
    open func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        noteVisibility()
    }

    /// The gesture recognisers; nil if there are none.
    public final var gestureRecognizers: [UIGestureRecognizer]? { recognizers.isEmpty ? nil : recognizers }

    /// Attaches a gesture recogniser to the view.
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        recognizers.append(gestureRecognizer)
        gestureRecognizer.view = self
    }

    /// Detaches a gesture recogniser from the view.
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view === self else { return }
        recognizers.removeAll { $0 === gestureRecognizer }
        gestureRecognizer.view = nil
    }

    final func holdController() {
        var view: UIView? = self
        while let holder = view, !holder.holdsController {
            holder.holdsController = true
            view = holder.superview
        }
    }

    /// Makes the session check the containers, if a controller's view may have been shown or hidden.
    private func noteVisibility() {
        if holdsController { UIKitSession.current?.setNeedsReconciling() }
    }

    /// Returns `true`, because there is no keyboard to hide.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool { true }

    /// Does nothing, because nothing is laid out.
    open func layoutIfNeeded() {}

    /// Does nothing, because nothing is laid out.
    open func setNeedsLayout() {}

    /// Does nothing, because nothing is animated.
    public static func setAnimationsEnabled(_ enabled: Bool) {}

    /// Runs changes immediately.
    public static func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) { actionsWithoutAnimation() }

    /// Runs the changes and the completion of an animation immediately.
    public static func animate(
        withDuration duration: TimeInterval, animations: () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        UIKitSession.complete { completion?(true) }
    }

    /// Runs the changes and the completion of a transition immediately.
    public static func transition(
        with view: UIView, duration: TimeInterval, options: AnimationOptions = [], animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(withDuration: duration, animations: { animations?() }, completion: completion)
    }

    /// The options of an animation, which have no effect.
    public struct AnimationOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates options.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// One view dissolves into the other.
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        /// One view flips to the other.
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
    }
}

/// The bar of a navigation controller.
@MainActor @preconcurrency
open class UINavigationBar: UIView {
    /// The look, which has no effect.
    open var standardAppearance = UINavigationBarAppearance()
    /// The look of a compact bar, which has no effect.
    open var compactAppearance: UINavigationBarAppearance?
    /// The look at the edge of the content, which has no effect.
    open var scrollEdgeAppearance: UINavigationBarAppearance?

    /// A Boolean value that indicates whether titles are large.
    open var prefersLargeTitles = false
    /// A Boolean value that indicates whether the bar is translucent.
    open var isTranslucent = true
    /// The colour of the bar.
    open var barTintColor: UIColor?
}

/// A bar of tabs.
@MainActor @preconcurrency
open class UITabBar: UIView {
    /// The look, which has no effect.
    open var standardAppearance = UITabBarAppearance()
    /// The look at the edge of the content, which has no effect.
    open var scrollEdgeAppearance: UITabBarAppearance?

    /// The colour of tabs that are not selected.
    open var unselectedItemTintColor: UIColor?
    /// A Boolean value that indicates whether the bar is translucent.
    open var isTranslucent = true
    /// The colour of the bar.
    open var barTintColor: UIColor?
}

/// A bar of buttons.
@MainActor @preconcurrency
open class UIToolbar: UIView {
    /// The look, which has no effect.
    open var standardAppearance = UIToolbarAppearance()
    /// The look at the edge of the content, which has no effect.
    open var scrollEdgeAppearance: UIToolbarAppearance?
}
