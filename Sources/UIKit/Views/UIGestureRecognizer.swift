/// A gesture recogniser.
///
/// Clients send the taps of a `UITapGestureRecognizer`. Of all other recognisers, only the recogniser of the swipe back
/// has an effect.
@MainActor @preconcurrency
open class UIGestureRecognizer: UIResponder {
    /// The states of a recogniser.
    public enum State: Int, Sendable {
        case possible, began, changed, ended, cancelled, failed

        /// The gesture is complete.
        public static let recognized = State.ended
    }

    /// A Boolean value that indicates whether the recogniser reacts to gestures.
    open var isEnabled = true
    /// The object that decides whether a gesture may begin; without a delegate, every gesture may begin.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// The state, which is `ended` while the targets are called.
    open var state = State.possible
    /// A Boolean value that indicates whether the gesture keeps touches from views, which has no effect.
    open var cancelsTouchesInView = true
    /// The view that the recogniser is attached to.
    public internal(set) weak var view: UIView?
    private var targets: [TargetAction] = []

    /// Creates a recogniser without a target.
    public override init() {
        super.init()
    }

    /// Creates a recogniser that calls a method of a target.
    public init(target: Any?, action: Selector?) {
        super.init()
        if let pair = TargetAction(target, action) { targets.append(pair) }
    }

    /// Adds a method that the recogniser calls while the target exists.
    open func addTarget(_ target: Any, action: Selector) {
        if let pair = TargetAction(target, action) { targets.append(pair) }
    }

    /// Removes a target's method; nil stands for all targets, or for all methods.
    open func removeTarget(_ target: Any?, action: Selector?) {
        targets.removeAll { $0.matches(target, action) }
    }

    /// Returns zero, because clients send no positions.
    open func location(in view: UIView?) -> CGPoint { .zero }

    fileprivate final func recognize() {
        guard delegate?.gestureRecognizerShouldBegin(self) != false else { return }
        state = .ended
        for pair in targets { pair.perform(self) }
        state = .possible
    }
}

/// A recogniser of taps, for which the screen has an action that is named after the recogniser's view.
@MainActor @preconcurrency
open class UITapGestureRecognizer: UIGestureRecognizer {
    /// The number of taps, which has no effect.
    open var numberOfTapsRequired = 1
    /// The number of fingers, which has no effect.
    open var numberOfTouchesRequired = 1
}

/// A recogniser of long presses, which never recognises one.
@MainActor @preconcurrency
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// The shortest time of a press.
    open var minimumPressDuration: TimeInterval = 0.5
}

/// A recogniser of swipes, which never recognises one.
@MainActor @preconcurrency
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// The directions of a swipe.
    public struct Direction: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates directions.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// To the right.
        public static let right = Direction(rawValue: 1)
        /// To the left.
        public static let left = Direction(rawValue: 2)
        /// To the top.
        public static let up = Direction(rawValue: 4)
        /// To the bottom.
        public static let down = Direction(rawValue: 8)
    }

    /// The directions that are recognised.
    open var direction = Direction.right
}

/// A recogniser of drags, which never recognises one.
@MainActor @preconcurrency
open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// Returns zero.
    open func translation(in view: UIView?) -> CGPoint { .zero }

    /// Does nothing.
    open func setTranslation(_ translation: CGPoint, in view: UIView?) {}

    /// Returns zero.
    open func velocity(in view: UIView?) -> CGPoint { .zero }
}

/// The delegate of a gesture recogniser.
@MainActor @preconcurrency
public protocol UIGestureRecognizerDelegate: AnyObject {
    /// Returns a Boolean value that indicates whether the user's gesture may start.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
}

extension UIGestureRecognizerDelegate {
    /// Returns `true`.
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
}

extension UIView {
    /// Returns a tap on the view for clients; nil if no recogniser of taps reacts, or if the view has no name.
    final func tappableByGesture(_ takesTaps: Bool) -> TappableAction? {
        var taps: [UITapGestureRecognizer] = []
        for case let tap as UITapGestureRecognizer in recognizers where tap.isEnabled { taps.append(tap) }
        guard !taps.isEmpty, let title = accessibilityIdentifier ?? accessibilityLabel else { return nil }
        return TappableAction(title: title, isEnabled: takesTaps) {
            for tap in taps { tap.recognize() }
        }
    }
}
