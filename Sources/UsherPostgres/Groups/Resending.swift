import UsherJournal

/// The rules by which what is written is sent again, a group verbatim and with the same mark, until there is an answer: a
/// state machine.
///
/// Nothing is concluded by looking before there is an answer: the old statement may still wait for a lock, and be kept a
/// moment later. The one that is sent again queues behind it.
struct Resending {
    /// The next step after a failure.
    enum Step: Equatable {
        /// It is sent again after a pause, in nanoseconds.
        case again(after: Int64)
        case giveUp(JournalError)
        /// One of the rows cannot be written: each session is written alone.
        case split
        /// Another transaction holds the lock of a row: sessions whose rows are free are written first, by the same rules.
        case part
    }

    /// True once nobody knows what became of it: who loses after that may have lost to the first sending itself.
    private(set) var isUncertain = false
    private let name: String
    private let start: Int64
    private let outage: Int64
    private var backoff = RetryBackoff()
    private var isParted = false

    /// In nanoseconds, the time after which what was sent is not sent again.
    static let patience: Int64 = 10_000_000_000
    /// In nanoseconds, the time after which is given up what was never sent.
    static let unsentPatience: Int64 = 2_000_000_000

    /// - Parameters:
    ///   - name: The name of the journal.
    ///   - start: The time now, by the `MonotonicClock`.
    ///   - outage: The time since which nobody could be asked; nil where that is not known.
    init(_ name: String, from start: Int64, outage: Int64? = nil) {
        self.name = name
        self.start = start
        self.outage = outage ?? start
    }

    /// The time until which a connection is waited for.
    var deadline: Int64 { isUncertain ? start + Self.patience : outage + Self.unsentPatience }

    /// Decides what is done after a failure.
    mutating func step(after failure: PostgresFailure, at now: Int64) -> Step {
        switch failure.kind {
        case .row where !isUncertain: return .split
        case .row, .configuration, .resource:
            // The first sending may have been kept, whatever keeps this one from it.
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
