/// The timers of a session.
///
/// The session invalidates its timers when it ends, because an app may keep a timer whose block keeps the app.
///
/// Unchecked because only code that handles the session's inputs uses this object, under the session's lock.
final class SessionTimers: @unchecked Sendable {
    private struct WeakTimer {
        weak var timer: Timer?
    }

    private var all: [WeakTimer] = []
    /// The number of entries above which those of released timers are removed.
    private var limit = 16

    func add(_ timer: Timer) {
        all.append(WeakTimer(timer: timer))
        guard all.count > limit else { return }
        all.removeAll { $0.timer == nil }
        limit = max(16, all.count * 2)
    }

    /// Invalidates all timers.
    func end() {
        for known in take(&all, leaving: []) { known.timer?.invalidate() }
    }
}

/// A timer of a session: it fires on the session's clock, each time in an input of its own, until it is invalidated.
///
/// It goes with no screen. Its run loop holds it, and it holds what its block holds, so one that repeats and is never
/// invalidated keeps its controller in memory: that is a leak, and the verdict names the timer. With its session it ends.
public final class Timer: NSObject {
    /// The seconds between two firings; 0 for one that fires once.
    public let timeInterval: TimeInterval
    /// Of no meaning in a session: its timers come due when they are due.
    public var tolerance: TimeInterval = 0
    /// The value that its maker has given it.
    public private(set) var userInfo: Any?
    /// The moment at which it fires next; may be set.
    public var fireDate: Date {
        didSet { if work != nil { schedule() } }
    }

    private let origin: (file: StaticString, line: UInt)
    private var block: (@MainActor (Timer) -> Void)?
    private var work: SessionWork?
    /// Set once the session has registered the timer, to invalidate the timer at the session's end.
    private var isKnown = false

    /// A shorter interval than that of a clock that counts milliseconds.
    private static let shortestInterval: TimeInterval = 0.001

    /// Makes a timer that a run loop is to be given.
    ///
    /// - Parameters:
    ///   - fireDate: The moment at which it fires first.
    ///   - interval: The seconds between two firings.
    ///   - repeats: False for one that fires once.
    ///   - file: The file that the block stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - block: What it does when it fires.
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

    /// Makes a timer that a run loop is to be given, which fires first when an interval has passed.
    @preconcurrency
    public convenience init(
        timeInterval interval: TimeInterval, repeats: Bool, file: StaticString = #fileID, line: UInt = #line,
        block: @escaping @MainActor (Timer) -> Void
    ) {
        self.init(
            fire: Self.now.addingTimeInterval(interval), interval: interval, repeats: repeats, file: file, line: line,
            block: block)
    }

    /// Makes a timer, and gives it to the run loop.
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

    /// Makes a timer that calls a method of its target, given as `Type.method` in place of a selector, and gives it to
    /// the run loop.
    ///
    /// It holds its target until it is invalidated.
    @discardableResult
    public static func scheduledTimer<Target: AnyObject>(
        timeInterval interval: TimeInterval, target: Target,
        selector: @escaping @MainActor (Target) -> @MainActor (Timer) -> Void, userInfo: Any?, repeats: Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Timer {
        // Because the session that runs the block is the one that makes it.
        nonisolated(unsafe) let target = target
        let timer = scheduledTimer(withTimeInterval: interval, repeats: repeats, file: file, line: line) {
            unsafe selector(target)($0)
        }
        timer.userInfo = userInfo
        return timer
    }

    /// Makes a timer that calls a method without a parameter.
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

    /// True until it is invalidated, or has fired its only time.
    public var isValid: Bool { block != nil }

    /// Ends it, and lets go of its block.
    public func invalidate() {
        work?.cancel()
        work = nil
        let block = block
        self.block = nil
        withExtendedLifetime(block) {}
    }

    /// Fires it at once; one that repeats goes on as it would have.
    public func fire() {
        guard let block else { return }
        if timeInterval == 0 { invalidate() }
        // Because the session's thread is here already.
        nonisolated(unsafe) let me = self
        MainActor.assumeIsolated { block(unsafe me) }
    }

    /// Has it wait for its moment.
    func schedule() {
        work?.cancel()
        guard isValid, let session = UIKitSession.current else { return }
        if !isKnown {
            session.timers.add(self)
            isKnown = true
        }
        let wait = Duration(fireDate.timeIntervalSince(session.now))
        // Because the session that fires it is the one that makes it.
        nonisolated(unsafe) let me = self
        work = MainActor.assumeIsolated {
            session.begin(
                wait, repeats: unsafe me.timeInterval > 0, file: unsafe me.origin.file, line: unsafe me.origin.line
            ) { unsafe me.comeDue() }
        }
    }

    private func warnOfInterval(_ interval: TimeInterval) {
        let warning = """
            the Timer at \(origin.file):\(origin.line) repeats every \(interval) seconds: each firing is an input, so that \
            there is one each millisecond
            """
        MainActor.assumeIsolated { UIKitSession.current?.warn(warning) ?? () }
    }

    private func comeDue() {
        work = nil
        let due = fireDate
        fire()
        guard isValid, work == nil else { return }
        // The block may have set another moment.
        if fireDate == due { skipMissed() }
        schedule()
    }

    /// Leaves out the firings that the session's clock has passed, as a run loop does.
    private func skipMissed() {
        let missed = max(0, (Self.now.timeIntervalSince(fireDate) / timeInterval).rounded(.down))
        fireDate = fireDate.addingTimeInterval((missed + 1) * timeInterval)
    }

    private static var now: Date { UIKitSession.current?.now ?? Date() }
}
