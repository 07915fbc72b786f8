/// The looks of the status bar.
public enum UIStatusBarStyle: Int, Sendable {
    case `default`
    case lightContent
    case darkContent = 3
}

/// The ways to hold a device.
public enum UIInterfaceOrientation: Int, Sendable {
    case unknown, portrait, portraitUpsideDown, landscapeRight, landscapeLeft
}

/// The ways to hold a device that a controller supports.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates a set.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Upright.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
    /// Upside down.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 4)
    /// On its side, the button on the right.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 8)
    /// On its side, the button on the left.
    public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 16)
    /// On either side.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// All ways.
    public static let all: UIInterfaceOrientationMask = [.portrait, .portraitUpsideDown, .landscape]
    /// All ways but upside down.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
}

/// The distances of something from the edges around it.
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

/// What the user has copied in the session.
@MainActor @preconcurrency
open class UIPasteboard: NSObject {
    /// The text.
    open var string: String?
    /// The link.
    open var url: URL?

    fileprivate override init() {
        super.init()
    }

    /// The session's pasteboard; outside of a session, one that nobody else has.
    open class var general: UIPasteboard {
        UIKitSession.current?.value(UIPasteboard.self) { UIPasteboard() } ?? UIPasteboard()
    }

    /// A Boolean value indicating whether there is a text.
    open var hasStrings: Bool { string != nil }
}

/// What makes the device tremble; nobody feels it.
@MainActor @preconcurrency
open class UIFeedbackGenerator: NSObject {
    /// Prepares the device.
    open func prepare() {}
}

/// The feedback of a push.
@MainActor @preconcurrency
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The ways to push.
    public enum FeedbackStyle: Int, Sendable {
        case light, medium, heavy, soft, rigid
    }

    /// Creates a generator.
    public init(style: FeedbackStyle = .medium) {
        super.init()
    }

    /// Nobody feels it.
    open func impactOccurred() {}
}

/// The feedback of a result.
@MainActor @preconcurrency
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// The results.
    public enum FeedbackType: Int, Sendable {
        case success, warning, error
    }

    /// Nobody feels it.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// The feedback of a choice.
@MainActor @preconcurrency
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Nobody feels it.
    open func selectionChanged() {}
}

/// The aids for users who do not see, hear or move well.
public enum UIAccessibility {
    /// The things that the aids are told of.
    public struct Notification: Hashable, RawRepresentable, Sendable {
        /// The number.
        public let rawValue: UInt32

        /// Creates a notification.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Something is read aloud.
        public static let announcement = Notification(rawValue: 1008)
        /// The screen is another.
        public static let screenChanged = Notification(rawValue: 1000)
        /// A part of the screen is another.
        public static let layoutChanged = Notification(rawValue: 1001)
    }

    /// False: the client knows whether the user has its screens read.
    public static let isVoiceOverRunning = false
    /// False: the client knows whether the user wants less to move.
    public static let isReduceMotionEnabled = false

    /// Nobody hears it.
    public static func post(notification: Notification, argument: Any?) {}
}
