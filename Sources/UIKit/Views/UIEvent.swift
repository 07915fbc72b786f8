/// An input of the user, for windows that override `sendEvent(_:)`.
@MainActor @preconcurrency
open class UIEvent: NSObject {
    /// The kinds of events.
    public enum EventType: Int, Sendable {
        case touches, motion, remoteControl, presses
    }

    /// The kind of event, which is always a touch.
    open var type: EventType { .touches }
    /// The time of the input, in seconds since 1970.
    public let timestamp: TimeInterval
    /// The touches: exactly one touch, which has begun.
    open var allTouches: Set<UITouch>? { [touch] }
    private let touch: UITouch

    init(in window: UIWindow, at timestamp: TimeInterval) {
        (self.timestamp, touch) = (timestamp, UITouch(in: window, at: timestamp))
        super.init()
    }

    /// Returns the touches in a window.
    open func touches(for window: UIWindow) -> Set<UITouch>? { touch.window === window ? allTouches : nil }
}

/// A touch on the screen, whose position is unknown.
@MainActor @preconcurrency
open class UITouch: NSObject {
    /// The phases of a touch.
    public enum Phase: Int, Sendable {
        case began, moved, stationary, ended, cancelled
    }

    /// The phase, which is always the beginning.
    open var phase: Phase { .began }
    /// The number of taps, which is always 1.
    open var tapCount: Int { 1 }
    /// The time of the input, in seconds since 1970.
    public let timestamp: TimeInterval
    /// The window that the touch is in.
    public private(set) weak var window: UIWindow?

    init(in window: UIWindow, at timestamp: TimeInterval) {
        (self.window, self.timestamp) = (window, timestamp)
        super.init()
    }
}
