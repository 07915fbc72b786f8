import Glibc
import Synchronization

/// A thread that records the reason and ends the process if an app's code takes too much time or memory.
///
/// Such code cannot be stopped in any other way, because the code occupies a thread and may hold any lock.
package final class Watchdog: Sendable {
    /// The functions of the process that a watchdog uses; tests replace them.
    struct Surroundings: Sendable {
        var now: @Sendable () -> Int64 = { MonotonicClock.now }
        var size: @Sendable () -> Int?
        var end: @Sendable (Int32) -> Void = { _exit($0) }
        /// Turns on or off an alarm that ends the process after some seconds, even if the watchdog hangs.
        var setAlarm: @Sendable (Bool) -> Void = { isOn in
            signal(SIGALRM, SIG_DFL)
            alarm(isOn ? Watchdog.alarmSeconds : 0)
        }

        init() {
            let memory = ResidentMemory()
            size = { memory.bytes }
        }
    }

    /// The exit status of a process that its watchdog ended because of a limit.
    package static let overLimit: Int32 = 70
    /// The exit status of a process that did not stop in time.
    package static let notStopped: Int32 = 71

    private struct Contents {
        var watch: FlightWatch
        /// The time by which the process must have stopped; nil for no limit.
        var deadline: Int64?
        var isOver = false
        var hasSight = false
    }

    /// The time between two checks while an app's code runs now and then.
    private static let interval: Int64 = 100_000_000
    private static let alarmSeconds: UInt32 = 15

    private let record: FlightRecord
    private let report: @Sendable (FlightMark) -> Void
    private let surroundings: Surroundings
    private let contents: Mutex<Contents>

    /// Creates a watchdog; `start` begins the checks.
    ///
    /// - Parameters:
    ///   - record: The flight record.
    ///   - limits: The limits of an app's code.
    ///   - report: Called with each mark that exceeds a limit, before the process ends; the call may take a second.
    package convenience init(
        _ record: FlightRecord, limits: WatchLimits, report: @escaping @Sendable (FlightMark) -> Void
    ) {
        self.init(record, limits: limits, in: Surroundings(), report: report)
    }

    init(
        _ record: FlightRecord, limits: WatchLimits, in surroundings: Surroundings,
        report: @escaping @Sendable (FlightMark) -> Void
    ) {
        self.record = record
        self.report = report
        self.surroundings = surroundings
        contents = Mutex(Contents(watch: FlightWatch(limits)))
    }

    /// Starts a thread that checks until the process ends or `stop` is called; returns `false` if the system has no
    /// thread left.
    package func start() -> Bool {
        record.noteCrashes()
        return SystemThread.start { [self] in
            record.note(build: BuildIdentity.current)
            while look() { record.beat.rest(Self.interval, isIdle: contents.withLock { !$0.hasSight }) }
        }
    }

    package func stop() {
        contents.withLock { $0.isOver = true }
    }

    /// Sets the time, counted from now, by which the process must have stopped.
    ///
    /// Without this limit, a handler that never returns would delay the end forever.
    package func expectEnd(within duration: Duration) {
        let deadline = surroundings.now() &+ duration.components.seconds * 1_000_000_000
        contents.withLock { $0.deadline = deadline }
    }

    /// Checks all marks, and ends the process if one of them exceeds a limit; returns `false` after `stop`.
    @discardableResult
    func look() -> Bool {
        let (now, size) = (surroundings.now(), surroundings.size())
        let sights = record.sights
        let (findings, isLate, isOver) = contents.withLock { contents in
            contents.hasSight = !sights.isEmpty
            return (
                contents.watch.look(at: sights, at: now, size: size), contents.deadline.map { now > $0 } ?? false,
                contents.isOver
            )
        }
        guard !isOver else { return false }
        if !findings.isEmpty {
            end(Self.overLimit, for: findings)
        } else if isLate {
            end(
                Self.notStopped,
                for: sights.map { FlightWatch.Excess(sight: $0, note: .overtime(nanoseconds: now &- $0.begin)) })
        }
        return true
    }

    /// Records and reports the reasons and the stacks, and ends the process, unless all handlers end in the meantime.
    private func end(_ status: Int32, for findings: [FlightWatch.Excess]) {
        // From here on, this thread may block on a lock that the app's code holds, such as the allocator's.
        surroundings.setAlarm(true)
        for finding in findings { record.slot(finding.sight.slot).note(finding.note) }
        for finding in findings { CrashHandler.takeStack(of: record.slot(finding.sight.slot)) }
        let lasting = findings.map(\.sight).filter { record.slot($0.slot).sight(as: $0.slot) == $0 }
        guard !lasting.isEmpty || status == Self.notStopped else { return surroundings.setAlarm(false) }
        for sight in lasting { record.slot(sight.slot).mark.map(report) }
        surroundings.end(status)
    }
}
