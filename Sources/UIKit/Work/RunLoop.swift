/// The run loop of a session's thread: gives timers their turn, and work at the end of the input.
public final class RunLoop: NSObject, Sendable {
    /// The modes in which it runs; it hears of timers in each.
    public struct Mode: Hashable, RawRepresentable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a mode.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The usual mode.
        public static let `default` = Mode(rawValue: "kCFRunLoopDefaultMode")
        /// All usual modes.
        public static let common = Mode(rawValue: "kCFRunLoopCommonModes")
        /// The mode while the user drags.
        public static let tracking = Mode(rawValue: "UITrackingRunLoopMode")
    }

    /// The run loop of the main thread.
    public static let main = RunLoop()

    /// The run loop of this thread: there is one.
    public static var current: RunLoop { main }

    private override init() {}

    /// Has a timer wait for its moment.
    public func add(_ timer: Timer, forMode mode: Mode) {
        timer.schedule()
    }

    /// Does work at the end of the input.
    @preconcurrency
    public func perform(_ block: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async(execute: block)
    }

    /// Does work at the end of the input, whatever the modes.
    @preconcurrency
    public func perform(inModes modes: [Mode], block: @escaping @MainActor () -> Void) {
        perform(block)
    }

    /// Not there: the session's thread would wait for itself.
    @available(*, unavailable, message: "the session's thread would wait for itself: use a Timer")
    public func run(until limit: Date) {}
}
