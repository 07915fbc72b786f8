import UsherJournal

/// A state machine that decides when to send a write again, unchanged and with the same mark, until there is a
/// response.
///
/// If a response is lost, reading the rows does not show the outcome: the statement may still wait for a lock and be
/// committed later. A statement that is sent again waits for the lock behind the first statement.
struct Resending {
    enum Step: Equatable {
        /// Send the write again after a pause of this many nanoseconds.
        case again(after: Int64)
        case giveUp(JournalError)
        /// Write each session in its own statement, because one of the rows cannot be written.
        case split
        /// First write the sessions whose rows are not locked, because another transaction has locked some of the rows.
        case part
    }

    /// `true` if an earlier attempt may have taken effect, and may therefore be the cause of a conflict.
    private(set) var isUncertain = false
    private let name: String
    private let start: Int64
    private let outage: Int64
    private var backoff = RetryBackoff()
    private var isParted = false

    /// The number of nanoseconds for which a write is sent again, if an attempt may have reached the database.
    static let patience: Int64 = 10_000_000_000
    /// The number of nanoseconds for which a write is sent again, if no attempt has reached the database.
    static let unsentPatience: Int64 = 2_000_000_000

    /// Creates the state of a write.
    ///
    /// `start` is the current time, by the `MonotonicClock`. `outage` is the time since which all attempts to connect
    /// have failed; nil if no attempt has failed.
    init(_ name: String, from start: Int64, outage: Int64? = nil) {
        self.name = name
        self.start = start
        self.outage = outage ?? start
    }

    /// The time until which to wait for a connection.
    var deadline: Int64 { isUncertain ? start + Self.patience : outage + Self.unsentPatience }

    mutating func step(after failure: PostgresFailure, at now: Int64) -> Step {
        switch failure.kind {
        case .row where !isUncertain: return .split
        case .row, .configuration, .resource:
            // Even if this attempt cannot succeed, an earlier attempt may have been committed.
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
