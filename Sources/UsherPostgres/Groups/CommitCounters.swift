import Synchronization
import UsherJournal
import UsherMetrics
import UsherProcess

/// The counts of a journal's groups, and of its sessions, which all its threads share.
final class CommitCounters: Sendable {
    let metrics: JournalMetrics
    private let sessions = Atomic(0)
    /// The time of the last count.
    private let counted = Atomic(Int64(0))

    init(_ metrics: JournalMetrics) {
        self.metrics = metrics
    }

    /// The number of sessions that have not ended, as far as this server knows.
    var count: Int { max(0, sessions.load(ordering: .relaxed)) }

    /// Notes how many sessions there are, by a count of them; one that is known already has nothing to tell.
    ///
    /// - Parameter time: The count's, which no other has.
    func note(_ count: Int, at time: Int64 = 0) {
        guard counted.exchange(time, ordering: .relaxed) != time || time == 0 else { return }
        sessions.store(count, ordering: .relaxed)
    }

    /// Counts a change that was refused, or is in doubt.
    func countRefusal(_ error: JournalError) {
        switch error {
        case .conflict, .corrupt, .unsupported: metrics.refusals.add()
        case .unavailable: metrics.failures.add()
        case .outcomeUnknown:
            metrics.failures.add()
            metrics.unknownOutcomes.add()
        }
    }

    /// Counts a group.
    ///
    /// - Parameters:
    ///   - statistics: Its changes that are durable.
    ///   - nanoseconds: Its duration.
    func count(_ statistics: BatchStatistics, nanoseconds: Int) {
        sessions.add(statistics.growth, ordering: .relaxed)
        metrics.record(statistics, nanoseconds: nanoseconds)
    }
}

/// The context that all threads that commit share.
struct CommitContext: Sendable {
    let counters: CommitCounters
    /// Tells the other servers what was written.
    let bell: Bell
    /// Raised where work may have begun of which this server was not told.
    let doubt: ClaimDoubt
}
