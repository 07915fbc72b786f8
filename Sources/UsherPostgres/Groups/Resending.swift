import UsherJournal

/// A state machine that decides when a write is sent again, unchanged and with the same mark, until there is a
/// response.
///
/// Reading the rows without a response would prove nothing, because the first statement may still wait for a lock and
/// be committed later. If the statement is sent again, it waits in line behind the first.
struct Resending {
    /// The next step after a failure.
    enum Step: Equatable {
        /// Send the write again after a pause in nanoseconds.
        case again(after: Int64)
        case giveUp(JournalError)
        /// Write each session separately, because one of the rows cannot be written.
        case split
        /// First write the sessions whose rows are not locked, because another transaction has locked some rows.
        case part
    }

    /// `true` if it is unknown whether an earlier attempt took effect, so that a conflict may be with that attempt.
    private(set) var isUncertain = false
    private let name: String
    private let start: Int64
    private let outage: Int64
    private var backoff = RetryBackoff()
    private var isParted = false

    /// The time in nanoseconds after which a write that was sent before is not sent again.
    static let patience: Int64 = 10_000_000_000
    /// The time in nanoseconds after which a write is given up that could never be sent.
    static let unsentPatience: Int64 = 2_000_000_000

    /// Creates the state of a write.
    ///
    /// - Parameters:
    ///   - name: The name of the journal.
    ///   - start: The current time, by the `MonotonicClock`.
    ///   - outage: The time since which there is no connection; nil if it is unknown.
    init(_ name: String, from start: Int64, outage: Int64? = nil) {
        self.name = name
        self.start = start
        self.outage = outage ?? start
    }

    /// The time until which to wait for a connection.
    var deadline: Int64 { isUncertain ? start + Self.patience : outage + Self.unsentPatience }

    /// Returns the next step after a failure.
    mutating func step(after failure: PostgresFailure, at now: Int64) -> Step {
        switch failure.kind {
        case .row where !isUncertain: return .split
        case .row, .configuration, .resource:
            // An earlier attempt may have been committed, whatever prevents this one.
            return isUncertain ? again(after: failure, at: now, until: deadline) : giveUp(failure)
        case .undone where failure.isLockTimeout && !isParted:
            isParted = true
            return .part
        case .undone: return again(after: failure, at: now, until: start + Self.patience)
        case .unanswered:
            isUncertain = true
            return again(after: failure, at: now, until: deadline)
        case .unconnected, .wrongServer: return again(after: failure, at: now, until: deadline)
        }
    }

    private mutating func again(after failure: PostgresFailure, at now: Int64, until deadline: Int64) -> Step {
        backoff.next(at: now, until: deadline).map { .again(after: $0) } ?? giveUp(failure)
    }

    private func giveUp(_ failure: PostgresFailure) -> Step {
        let reason = failure.unavailability(name)
        return .giveUp(isUncertain ? .outcomeUnknown(reason) : .unavailable(reason))
    }
}
