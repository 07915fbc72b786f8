/// The styles of the status bar.
public enum UIStatusBarStyle: Int, Sendable {
    case `default`
    case lightContent
    case darkContent = 3
}

/// The orientations of a device.
public enum UIInterfaceOrientation: Int, Sendable {
    case unknown, portrait, portraitUpsideDown, landscapeRight, landscapeLeft
}

/// A set of orientations that a controller supports.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Upright.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
    /// Upside down.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 4)
    /// On its side, with the home button on the right.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 8)
    /// On its side, with the home button on the left.
    public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 16)
    /// On either side.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// All orientations.
    public static let all: UIInterfaceOrientationMask = [.portrait, .portraitUpsideDown, .landscape]
    /// All orientations except upside down.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
}

/// The distances of a view's content from its edges.
public struct UIEdgeInsets: Hashable, Sendable {
    /// The distance from the top.
    public var top: CGFloat
    /// The distance from the left.
    public var left: CGFloat
    /// The distance from the bottom.
    public var bottom: CGFloat
    /// The distance from the right.
    public var right: CGFloat

    /// Creates distances.
    public init(top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }

    /// No distances.
    public static let zero = UIEdgeInsets()
}

/// The session's pasteboard.
@MainActor @preconcurrency
open class UIPasteboard: NSObject {
    /// The text.
    open var string: String?
    /// The link.
    open var url: URL?

    fileprivate override init() {
        super.init()
    }

    /// The session's pasteboard; outside of a session, a new pasteboard.
    open class var general: UIPasteboard {
        UIKitSession.ofGlobals?.value(UIPasteboard.self) { UIPasteboard() } ?? UIPasteboard()
    }

    /// A Boolean value that indicates whether there is a text.
    open var hasStrings: Bool { string != nil }
}

/// A generator of haptic feedback, which has no effect.
@MainActor @preconcurrency
open class UIFeedbackGenerator: NSObject {
    /// Does nothing.
    open func prepare() {}
}

/// The haptic feedback of an impact.
@MainActor @preconcurrency
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The styles of an impact.
    public enum FeedbackStyle: Int, Sendable {
        case light, medium, heavy, soft, rigid
    }

    /// Creates a generator.
    public init(style: FeedbackStyle = .medium) {
        super.init()
    }

    /// Does nothing.
    open func impactOccurred() {}
}

/// The haptic feedback of a result.
@MainActor @preconcurrency
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// The kinds of results.
    public enum FeedbackType: Int, Sendable {
        case success, warning, error
    }

    /// Does nothing.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// The haptic feedback of a selection.
@MainActor @preconcurrency
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Does nothing.
    open func selectionChanged() {}
}

/// The accessibility features of the device.
public enum UIAccessibility {
    /// The events that are posted to assistive technologies.
    public struct Notification: Hashable, RawRepresentable, Sendable {
        /// The event's number.
        public let rawValue: UInt32

        /// Creates a notification.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// A text is to be read aloud.
        public static let announcement = Notification(rawValue: 1008)
        /// The screen has changed.
        public static let screenChanged = Notification(rawValue: 1000)
        /// A part of the screen has changed.
        public static let layoutChanged = Notification(rawValue: 1001)
    }

    /// `false`, because only the client knows whether a screen reader runs.
    public static let isVoiceOverRunning = false
    /// `false`, because only the client knows whether the user wants less motion.
    public static let isReduceMotionEnabled = false

    /// Does nothing.
    public static func post(notification: Notification, argument: Any?) {}
}
