/// The layer of a view, which is never drawn.
@MainActor @preconcurrency
open class CALayer {
    /// The radius of the corners.
    open var cornerRadius: CGFloat = 0
    /// The width of the border.
    open var borderWidth: CGFloat = 0
    /// A Boolean value that indicates whether sublayers are clipped.
    open var masksToBounds = false
    /// The opacity, from 0 to 1.
    open var opacity: Float = 1

    /// Creates a layer.
    public init() {}

    /// Does nothing, because nothing is animated.
    open func add(_ anim: CAAnimation, forKey key: String?) {}

    /// Does nothing, because nothing is animated.
    open func removeAllAnimations() {}
}

/// An animation, which has no effect.
@MainActor @preconcurrency
open class CAAnimation {
    /// The time in seconds.
    open var duration: TimeInterval = 0
    /// The change of speed.
    open var timingFunction: CAMediaTimingFunction?

    /// Creates an animation.
    public init() {}
}

/// An animation from one state of a layer to the next, which has no effect.
@MainActor @preconcurrency
open class CATransition: CAAnimation {
    /// The kind.
    open var type = CATransitionType.fade
    /// The direction.
    open var subtype: CATransitionSubtype?
}

/// The kinds of transitions.
public struct CATransitionType: Hashable, RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a kind.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The new content fades in.
    public static let fade = CATransitionType(rawValue: "fade")
    /// The new content moves over the old.
    public static let moveIn = CATransitionType(rawValue: "moveIn")
    /// The new content pushes the old away.
    public static let push = CATransitionType(rawValue: "push")
    /// The old content moves away.
    public static let reveal = CATransitionType(rawValue: "reveal")
}

/// The directions of transitions.
public struct CATransitionSubtype: Hashable, RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a direction.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// From the right.
    public static let fromRight = CATransitionSubtype(rawValue: "fromRight")
    /// From the left.
    public static let fromLeft = CATransitionSubtype(rawValue: "fromLeft")
    /// From the top.
    public static let fromTop = CATransitionSubtype(rawValue: "fromTop")
    /// From the bottom.
    public static let fromBottom = CATransitionSubtype(rawValue: "fromBottom")
}

/// The change of an animation's speed.
@MainActor @preconcurrency
open class CAMediaTimingFunction {
    /// Creates a function.
    public init(name: CAMediaTimingFunctionName) {}
}

/// The names of changes of speed.
public struct CAMediaTimingFunctionName: Hashable, RawRepresentable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The speed of the system.
    public static let `default` = CAMediaTimingFunctionName(rawValue: "default")
    /// Always the same speed.
    public static let linear = CAMediaTimingFunctionName(rawValue: "linear")
    /// Slow at the start.
    public static let easeIn = CAMediaTimingFunctionName(rawValue: "easeIn")
    /// Slow at the end.
    public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
    /// Slow at the start and at the end.
    public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
}

/// The usual key of a transition.
public let kCATransition = "transition"
