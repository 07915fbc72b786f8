/// The run loop of a session's thread, which fires timers and runs work at the end of the input.
public final class RunLoop: NSObject, Sendable {
    /// The modes of a run loop; timers fire in all modes.
    public struct Mode: Hashable, RawRepresentable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a mode.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The default mode.
        public static let `default` = Mode(rawValue: "kCFRunLoopDefaultMode")
        /// All common modes.
        public static let common = Mode(rawValue: "kCFRunLoopCommonModes")
        /// The mode while the user drags.
        public static let tracking = Mode(rawValue: "UITrackingRunLoopMode")
    }

    /// The run loop of the main thread.
    public static let main = RunLoop()

    /// The run loop of the current thread, which is always the main run loop.
    public static var current: RunLoop { main }

    private override init() {}

    /// Schedules a timer.
    public func add(_ timer: Timer, forMode mode: Mode) {
        timer.schedule()
    }

    /// Runs work at the end of the input.
    @preconcurrency
    public func perform(_ block: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async(execute: block)
    }

    /// Runs work at the end of the input, whatever the modes.
    @preconcurrency
    public func perform(inModes modes: [Mode], block: @escaping @MainActor () -> Void) {
        perform(block)
    }

    /// Runs the process's run loop outside a session, as in a unit test; in a session, does nothing and warns.
    public func run(until limit: Date) {
        if canWait { Foundation.RunLoop.current.run(until: limit) }
    }

    /// Runs the process's run loop once outside a session, as in a unit test; in a session, does nothing and warns.
    @discardableResult
    public func run(mode: Mode, before limit: Date) -> Bool {
        canWait && Foundation.RunLoop.current.run(mode: .init(rawValue: mode.rawValue), before: limit)
    }

    /// Returns `true` outside a session; in a session, warns and returns `false`.
    private var canWait: Bool {
        guard let session = UIKitSession.current else { return true }
        MainActor.assumeIsolated {
            session.warn("RunLoop.run has no effect: the session's thread would wait for itself; use a Timer")
        }
        return false
    }
}
