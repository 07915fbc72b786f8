/// A view: data that nobody draws.
@MainActor @preconcurrency
open class UIView: UIResponder {
    /// Its place in the view that it is in.
    open var frame: CGRect
    /// The colour behind it.
    open var backgroundColor: UIColor?
    /// The colour of what can be tapped in it.
    open var tintColor: UIColor?
    /// True where nothing shows through it.
    open var isOpaque = true
    /// True where it is not shown.
    // Unchecked, for it is only true or false.
    @safe @exclusivity(unchecked) open var isHidden = false {
        didSet { noteVisibility() }
    }
    /// The degree to which it hides what is behind it.
    open var alpha = 1.0 {
        didSet { noteVisibility() }
    }
    /// A number to know it by.
    open var tag = 0
    /// False where taps go through it.
    // Unchecked, for it is only true or false.
    @safe @exclusivity(unchecked) open var isUserInteractionEnabled = true
    /// The name for tests.
    open var accessibilityIdentifier: String?
    /// The text that is read aloud for it.
    open var accessibilityLabel: String?
    /// The views in it.
    public private(set) var subviews: [UIView] = []
    /// The view that it is in.
    public private(set) weak var superview: UIView?
    /// A Boolean value indicating whether this is a controller's view, or has had one in it.
    ///
    /// Whether such a view is visible decides which screen a container shows.
    @safe @exclusivity(unchecked) private final var holdsController = false

    /// Makes a view.
    public init(frame: CGRect) {
        self.frame = frame
    }

    /// Makes a view.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// Its own part of the plane.
    public final var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    /// Puts a view into it, above the others.
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
        guard view.holdsController else { return }
        holdController()
        noteVisibility()
    }

    /// Takes it out of the view that it is in.
    open func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        noteVisibility()
    }

    /// Notes that this is a controller's view, or has one in it.
    final func holdController() {
        var view: UIView? = self
        while let holder = view, !holder.holdsController {
            holder.holdsController = true
            view = holder.superview
        }
    }

    /// Has the session look at the containers again, if a controller's view may have been shown or hidden.
    private func noteVisibility() {
        if holdsController { UIKitSession.current?.setNeedsReconciling() }
    }

    /// Ends what is being edited in it.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool { true }

    /// Nothing is laid out.
    open func layoutIfNeeded() {}

    /// Nothing is laid out.
    open func setNeedsLayout() {}

    /// Runs the changes and the end of an animation, at once.
    public static func animate(
        withDuration duration: TimeInterval, animations: () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        UIKitSession.complete { completion?(true) }
    }

    /// Runs the changes and the end of a transition.
    public static func transition(
        with view: UIView, duration: TimeInterval, options: AnimationOptions = [], animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(withDuration: duration, animations: { animations?() }, completion: completion)
    }

    /// The options of an animation, which nobody sees.
    public struct AnimationOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Makes options.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// One view dissolves into the other.
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        /// One view flips to the other.
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
    }
}

/// A bar of a navigation.
@MainActor @preconcurrency
open class UINavigationBar: UIView {
    /// True where titles are large.
    open var prefersLargeTitles = false
    /// True where something shows through it.
    open var isTranslucent = true
    /// The colour of the bar.
    open var barTintColor: UIColor?
}

/// A bar of tabs.
@MainActor @preconcurrency
open class UITabBar: UIView {
    /// The colour of tabs that are not selected.
    open var unselectedItemTintColor: UIColor?
    /// True where something shows through it.
    open var isTranslucent = true
    /// The colour of the bar.
    open var barTintColor: UIColor?
}

/// A bar of buttons.
@MainActor @preconcurrency
open class UIToolbar: UIView {}

/// A field for a text.
@MainActor @preconcurrency
open class UITextField: UIView {
    /// The text.
    open var text: String?
    /// The text that stands there as long as there is none.
    open var placeholder: String?
    /// True where nobody may read it.
    open var isSecureTextEntry = false
    /// The kind of keyboard.
    open var keyboardType = UIKeyboardType.default
}

/// The kinds of keyboards.
public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress
    case decimalPad, twitter, webSearch, asciiCapableNumberPad
}

/// A gesture recogniser.
///
/// Only the recogniser of the swipe back has an effect.
@MainActor @preconcurrency
open class UIGestureRecognizer: UIResponder {
    /// False where it does not listen.
    open var isEnabled = true
    /// The object that decides whether a gesture may begin; if it is nil, every gesture may.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
}

/// The delegate of a gesture recogniser.
@MainActor @preconcurrency
public protocol UIGestureRecognizerDelegate: AnyObject {
    /// Returns a Boolean value indicating whether the user's gesture may begin.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
}

extension UIGestureRecognizerDelegate {
    /// Returns true.
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
}
