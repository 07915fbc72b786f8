/// A session's timers, invalidated at its end, because an app may retain a timer whose block retains the app.
// Unchecked because only code that handles the session's inputs uses this object, under the session's lock.
final class SessionTimers: @unchecked Sendable {
    private struct WeakTimer {
        weak var timer: Timer?
    }

    private var all: [WeakTimer] = []
    /// The number of entries above which the entries of released timers are removed.
    private var limit = 16

    func add(_ timer: Timer) {
        all.append(WeakTimer(timer: timer))
        guard all.count > limit else { return }
        all.removeAll { $0.timer == nil }
        limit = max(16, all.count * 2)
    }

    func end() {
        for known in take(&all, leaving: []) { known.timer?.invalidate() }
    }
}

/// A timer that fires on the session's clock, each time in a separate input, until the timer is invalidated.
///
/// The timer is independent of screens. The run loop retains the timer, and the timer retains its block's captures. A
/// repeating timer that is never invalidated therefore leaks the controller that its block captures, and the leak
/// report names the timer. The end of the session ends the timer.
public final class Timer: NSObject {
    /// The seconds between two firings; 0 for a timer that fires once.
    public let timeInterval: TimeInterval
    /// No effect in a session, whose timers are exact.
    public var tolerance: TimeInterval = 0
    /// The value that was passed when the timer was created.
    public private(set) var userInfo: Any?
    /// The time of the next firing, which the app may set.
    public var fireDate: Date {
        didSet { if work != nil { schedule() } }
    }

    private let origin: (file: StaticString, line: UInt)
    private var block: (@MainActor (Timer) -> Void)?
    private var work: SessionWork?
    /// A Boolean value that indicates whether the session has registered the timer.
    private var isKnown = false

    /// The shortest interval, because the clock counts milliseconds.
    private static let shortestInterval: TimeInterval = 0.001

    /// Creates a timer that first fires at a date, and which the app must add to a run loop.
    @preconcurrency
    public init(
        fire fireDate: Date, interval: TimeInterval, repeats: Bool, file: StaticString = #fileID, line: UInt = #line,
        block: @escaping @MainActor (Timer) -> Void
    ) {
        timeInterval = repeats ? max(interval, Self.shortestInterval) : 0
        self.fireDate = fireDate
        origin = (file, line)
        self.block = block
        super.init()
        if repeats, !(interval >= Self.shortestInterval) { warnOfInterval(interval) }
    }

    /// Creates a timer that first fires after an interval, and which the app must add to a run loop.
    @preconcurrency
    public convenience init(
        timeInterval interval: TimeInterval, repeats: Bool, file: StaticString = #fileID, line: UInt = #line,
        block: @escaping @MainActor (Timer) -> Void
    ) {
        self.init(
            fire: Self.now.addingTimeInterval(interval), interval: interval, repeats: repeats, file: file, line: line,
            block: block)
    }

    /// Creates a timer and adds it to the run loop.
    @discardableResult
    @preconcurrency
    public static func scheduledTimer(
        withTimeInterval interval: TimeInterval, repeats: Bool, file: StaticString = #fileID, line: UInt = #line,
        block: @escaping @MainActor (Timer) -> Void
    ) -> Timer {
        let timer = Timer(timeInterval: interval, repeats: repeats, file: file, line: line, block: block)
        timer.schedule()
        return timer
    }

    /// Creates a timer that calls a method of its target, and which the app must add to a run loop.
    ///
    /// The timer retains its target until it is invalidated.
    public convenience init(
        fireAt date: Date, interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        // Safe because the same session creates and runs the block.
        nonisolated(unsafe) let target = target as AnyObject
        self.init(fire: date, interval: interval, repeats: repeats, file: file, line: line) { timer in
            unsafe selector.perform(on: target, timer)
        }
        self.userInfo = userInfo
    }

    /// Creates a timer that calls a method of its target after an interval, and which the app must add to a run loop.
    public convenience init(
        timeInterval interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            fireAt: Self.now.addingTimeInterval(interval), interval: interval, target: target, selector: selector,
            userInfo: userInfo, repeats: repeats, file: file, line: line)
    }

    /// Creates a timer that calls a method of its target, and adds the timer to the run loop.
    @discardableResult
    public static func scheduledTimer(
        timeInterval interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?, repeats: Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Timer {
        let timer = Timer(
            timeInterval: interval, target: target, selector: selector, userInfo: userInfo, repeats: repeats,
            file: file, line: line)
        timer.schedule()
        return timer
    }

    /// Creates a timer that calls a method of its target, given as `Type.method`, and adds the timer to the run loop.
    ///
    /// The timer retains its target until it is invalidated.
    @discardableResult
    public static func scheduledTimer<Target: AnyObject>(
        timeInterval interval: TimeInterval, target: Target,
        selector: @escaping @MainActor (Target) -> @MainActor (Timer) -> Void, userInfo: Any?, repeats: Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Timer {
        // Safe because the same session creates and runs the block.
        nonisolated(unsafe) let target = target
        let timer = scheduledTimer(withTimeInterval: interval, repeats: repeats, file: file, line: line) {
            unsafe selector(target)($0)
        }
        timer.userInfo = userInfo
        return timer
    }

    /// Creates a timer that calls a method without a parameter.
    @discardableResult
    public static func scheduledTimer<Target: AnyObject>(
        timeInterval interval: TimeInterval, target: Target,
        selector: @escaping @MainActor (Target) -> @MainActor () -> Void, userInfo: Any?, repeats: Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Timer {
        scheduledTimer(
            timeInterval: interval, target: target, selector: { target in { _ in selector(target)() } },
            userInfo: userInfo, repeats: repeats, file: file, line: line)
    }

    /// A Boolean value that indicates whether the timer can fire again.
    public var isValid: Bool { block != nil }

    /// Ends the timer, and releases its block.
    public func invalidate() {
        work?.cancel()
        work = nil
        let block = block
        self.block = nil
        withExtendedLifetime(block) {}
    }

    /// Fires the timer immediately; a repeating timer continues on schedule.
    public func fire() {
        guard let block else { return }
        if timeInterval == 0 { invalidate() }
        // Safe because this is the session's thread.
        nonisolated(unsafe) let me = self
        MainActor.assumeIsolated { block(unsafe me) }
    }

    func schedule() {
        work?.cancel()
        guard isValid, let session = UIKitSession.current else { return }
        if !isKnown {
            session.timers.add(self)
            isKnown = true
        }
        let wait = Duration(fireDate.timeIntervalSince(session.now))
        // Safe because the same session creates and fires the timer.
        nonisolated(unsafe) let me = self
        work = MainActor.assumeIsolated {
            session.begin(
                wait, repeats: unsafe me.timeInterval > 0, file: unsafe me.origin.file, line: unsafe me.origin.line
            ) { unsafe me.comeDue() }
        }
    }

    private func warnOfInterval(_ interval: TimeInterval) {
        let warning = """
            the Timer at \(origin.file):\(origin.line) repeats every \(interval) seconds: each firing is an input, so the \
            Timer fires at most once per millisecond
            """
        MainActor.assumeIsolated { UIKitSession.current?.warn(warning) ?? () }
    }

    private func comeDue() {
        work = nil
        let due = fireDate
        fire()
        guard isValid, work == nil else { return }
        // The block may have set another time.
        if fireDate == due { skipMissed() }
        schedule()
    }

    /// Skips the firings that the session's clock has passed, as a run loop does.
    private func skipMissed() {
        let missed = max(0, (Self.now.timeIntervalSince(fireDate) / timeInterval).rounded(.down))
        fireDate = fireDate.addingTimeInterval((missed + 1) * timeInterval)
    }

    private static var now: Date { UIKitSession.current?.now ?? Date() }
}
