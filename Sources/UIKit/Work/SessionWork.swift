public import Usher

/// A hold on work that a session waits for: a timer or an effect, by which it can be cancelled.
///
/// The work goes with no screen. It is over when it is done or cancelled, and at the end of its session.
///
/// Unchecked because only code of its session's input reaches it, under that session's lock.
public final class SessionWork: @unchecked Sendable {
    private var work = WorkHandle()

    /// Creates a hold on nothing.
    package init() {}

    /// True until it is done or cancelled.
    public var isPending: Bool { work.isPending }

    /// Gives the work up: its closure is never called.
    public func cancel() {
        work.cancel()
    }

    func begin(_ work: WorkHandle?) {
        self.work = work ?? WorkHandle()
    }
}

extension UIKitSession {
    /// The time of the input that is handled, which is what a session has in place of `Date()`.
    public nonisolated var now: Date {
        Date(timeIntervalSince1970: Double(timestamp.milliseconds) / 1_000)
    }

    nonisolated var timestamp: Timestamp {
        // Because only code of the session's input asks, on its thread.
        MainActor.assumeIsolated { root?.now ?? Timestamp(milliseconds: 0) }
    }

    /// Runs code after a time on the session's clock, in an input of its own.
    ///
    /// With `enqueue(_:)` and `now` it is enough for a scheduler of a reactive library.
    ///
    /// - Parameters:
    ///   - duration: How long from now; a begun millisecond counts as a whole one.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - work: The code. What it throws undoes it, with a warning.
    /// - Returns: A hold on the timer.
    @discardableResult
    public func after(
        _ duration: Duration, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping () throws -> Void
    ) -> SessionWork {
        begin(duration, repeats: false, file: file, line: line, work)
    }

    /// Begins a timer: one whose repetition keeps what it holds for ever, or one that lets go of it.
    func begin(
        _ duration: Duration, repeats: Bool, file: StaticString, line: UInt, _ work: @escaping () throws -> Void
    ) -> SessionWork {
        let hold = SessionWork()
        var work: (() throws -> Void)? = work
        hold.begin(
            root?.beginTimer(duration, repeats: repeats, file: file, line: line) { [unowned self] in
                try enter {
                    let current = work
                    // Let go of in the session, with all that it holds.
                    work = nil
                    try current?()
                }
            })
        return hold
    }

    /// Begins an effect that goes with no screen.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - file: The file that the closure stands in, for the report of a leak.
    ///   - line: Its line there.
    ///   - completion: Is given the result, in an input of its own. What it throws undoes it, with a warning.
    /// - Returns: A hold on the effect.
    @discardableResult
    public func perform<E: Effect>(
        _ effect: E, file: StaticString = #fileID, line: UInt = #line,
        _ completion: @escaping (Result<E.Output, EffectFailure>) throws -> Void
    ) -> SessionWork {
        let hold = SessionWork()
        var completion: ((Result<E.Output, EffectFailure>) throws -> Void)? = completion
        hold.begin(
            root?.beginEffect(effect, file: file, line: line) { [unowned self] result in
                try enter {
                    // Let go of in the session, with all that it holds.
                    let last = completion
                    completion = nil
                    try last?(result)
                }
            })
        return hold
    }
}

extension Duration {
    /// An interval as Foundation has it, to the microsecond; nothing for what is no number or lies in the past.
    init(_ interval: TimeInterval) {
        let longest: TimeInterval = 4_000_000_000
        let bounded = interval.isNaN ? 0 : min(max(interval, 0), longest)
        self = .microseconds(Int64((bounded * 1_000_000).rounded()))
    }
}
