import Synchronization
import UsherJournal
import UsherMetrics
import UsherProcess

/// The objects that all committing threads of a journal share.
final class CommitContext: Sendable {
    let metrics: JournalMetrics
    let bell: Bell
    /// Raised if this server's lease may own work that this server does not know of.
    let doubt = ClaimDoubt()
    private let sessions = Atomic(0)
    private let counted = Atomic(Int64(0))

    init(_ metrics: JournalMetrics, _ bell: Bell) {
        self.metrics = metrics
        self.bell = bell
    }

    /// The number of sessions that have not ended, as far as this server knows.
    var count: Int { max(0, sessions.load(ordering: .relaxed)) }

    /// Stores the result of a count of the sessions, but only once for each count, which its time identifies.
    func note(_ count: Int, at time: Int64 = 0) {
        guard counted.exchange(time, ordering: .relaxed) != time || time == 0 else { return }
        sessions.store(count, ordering: .relaxed)
    }

    /// Counts a change that was refused or whose outcome is unknown.
    func countRefusal(_ error: JournalError) {
        switch error {
        case .conflict, .corrupt, .unsupported: metrics.refusals.add()
        case .unavailable: metrics.failures.add()
        case .outcomeUnknown:
            metrics.failures.add()
            metrics.unknownOutcomes.add()
        }
    }

    func count(_ statistics: BatchStatistics, nanoseconds: Int) {
        sessions.add(statistics.growth, ordering: .relaxed)
        metrics.record(statistics, nanoseconds: nanoseconds)
    }
}
