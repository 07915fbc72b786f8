import UsherJournal

/// The rules by which a group is sent again, verbatim and with the same mark, until there is an answer: a state machine.
///
/// Nothing is concluded by looking before there is an answer: the old statement may still wait for a lock, and be kept a
/// moment later. The one that is sent again queues behind it.
struct Resending {
    /// The next step after a failure.
    enum Step: Equatable {
        case again
        case giveUp(JournalError)
        /// One of the group's rows cannot be written: each session is written alone.
        case split
    }

    /// True once nobody knows what became of the group: who loses after that may have lost to the group itself.
    private(set) var isUncertain = false
    private let name: String
    private let start: Int64
    private let outage: Int64
    private var undone = 0

    /// In nanoseconds, the time after which a group is given up of which nobody knows what became of it.
    static let patience: Int64 = 10_000_000_000
    /// In nanoseconds, the time after which a group is given up that was never sent.
    static let unsentPatience: Int64 = 2_000_000_000
    /// The number of times that a group is sent again which was undone.
    private static let undoneLimit = 8

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
        if failure.kind == .unanswered { isUncertain = true }
        switch failure.kind {
        case .row where !isUncertain: return .split
        case .undone:
            undone += 1
            if undone <= Self.undoneLimit, now < start + Self.patience { return .again }
        case .unanswered, .unconnected, .wrongServer:
            if now < deadline { return .again }
        case .row, .configuration, .resource:
            // The first sending may have been kept, whatever keeps this one from it.
            if isUncertain, now < deadline { return .again }
        }
        let reason = failure.unavailability(name)
        return .giveUp(isUncertain ? .outcomeUnknown(reason) : .unavailable(reason))
    }
}
