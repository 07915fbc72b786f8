public import Usher

/// A handle for cancelling a timer or an effect that a session waits for.
///
/// The work is independent of screens. The work ends when it is done or cancelled, or when the session ends. Functions
/// that begin work have the parameters `file` and `line` for the place of the closure, which leak reports name.
///
/// Unchecked because only code that handles the session's input uses it, while the session's lock is held.
public final class SessionWork: @unchecked Sendable {
    private var work = WorkHandle()

    /// Creates a handle without work.
    package init() {}

    /// A Boolean value that indicates whether the work is neither done nor cancelled.
    public var isPending: Bool { work.isPending }

    /// Cancels the work, so that its closure is never called.
    public func cancel() {
        work.cancel()
    }

    func begin(_ work: WorkHandle?) {
        self.work = work ?? WorkHandle()
    }
}

extension UIKitSession {
    /// The time of the current input, which replaces `Date()` in a session.
    public nonisolated var now: Date {
        Date(timeIntervalSince1970: Double(timestamp.milliseconds) / 1_000)
    }

    nonisolated var timestamp: Timestamp {
        // Safe because only code of the session's input calls this, on its thread.
        MainActor.assumeIsolated { root?.now ?? Timestamp(milliseconds: 0) }
    }

    /// Runs code after a time on the session's clock, in a separate input.
    ///
    /// With this method, `enqueue(_:)` and `now`, an app can implement a scheduler for a reactive library.
    ///
    /// - Parameters:
    ///   - duration: The time from now, rounded up to whole milliseconds.
    ///   - work: The code. If the code throws, its changes are undone, and the client gets a warning.
    @discardableResult
    public func after(
        _ duration: Duration, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping () throws -> Void
    ) -> SessionWork {
        begin(duration, repeats: false, file: file, line: line, work)
    }

    /// Begins a timer; a repeating timer retains its closure's captures.
    func begin(
        _ duration: Duration, repeats: Bool, file: StaticString, line: UInt, _ work: @escaping () throws -> Void
    ) -> SessionWork {
        let hold = SessionWork()
        var work: (() throws -> Void)? = work
        hold.begin(
            root?.beginTimer(duration, repeats: repeats, file: file, line: line) { [unowned self] in
                try enter {
                    let current = work
                    // Releases the closure within the session, with everything that it captures.
                    work = nil
                    try current?()
                }
            })
        return hold
    }

    /// Begins an effect that is independent of screens.
    ///
    /// - Parameter completion: Called with the result in a separate input. If the closure throws, its changes are
    ///   undone, and the client gets a warning.
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
                    // Releases the closure within the session, with everything that it captures.
                    let last = completion
                    completion = nil
                    try last?(result)
                }
            })
        return hold
    }
}

extension Duration {
    /// Creates a duration from Foundation's interval, in microseconds; zero for NaN and for negative intervals.
    init(_ interval: TimeInterval) {
        let longest: TimeInterval = 4_000_000_000
        let bounded = interval.isNaN ? 0 : min(max(interval, 0), longest)
        self = .microseconds(Int64((bounded * 1_000_000).rounded()))
    }
}
