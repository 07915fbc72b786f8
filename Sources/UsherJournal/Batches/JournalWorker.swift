import Synchronization
import UsherMetrics
import UsherProcess

/// A job that uses the storage, after the changes that were added before it.
typealias StorageJob = @Sendable (any JournalStorage) -> Void

/// The loop of a batched journal's thread, which is the only thread that uses the storage.
final class JournalWorker {
    private let storage: any JournalStorage
    private let status: JournalStatus
    private let metrics: JournalMetrics
    private let didCommit: @Sendable (Int) -> Void

    init(
        _ storage: any JournalStorage, _ status: JournalStatus, _ metrics: JournalMetrics,
        didCommit: @escaping @Sendable (Int) -> Void
    ) {
        self.storage = storage
        self.status = status
        self.metrics = metrics
        self.didCommit = didCommit
    }

    /// Works until the mailbox is closed and empty; waits while there is no work.
    func run(_ mailbox: JournalMailbox<StorageJob>) {
        while !perform(mailbox.next(maintenance: storage.maintenanceDue), of: mailbox).isEnd {}
    }

    /// Performs the next work without waiting; returns `false` if there is no work.
    func step(_ mailbox: JournalMailbox<StorageJob>) -> Bool {
        switch perform(mailbox.poll(maintenance: storage.maintenanceDue), of: mailbox) {
        case .work, .maintenance: true
        case .rest, .end: false
        }
    }

    private func perform(
        _ step: WorkQueue<StorageJob>.Step, of mailbox: JournalMailbox<StorageJob>
    ) -> WorkQueue<StorageJob>.Step {
        switch step {
        case .work(let batch):
            commit(batch.changes)
            // Clients may have seen changes that build on a failed change, in the epoch that began with the failure. If
            // there are such changes, that epoch must end, too.
            if mailbox.failFollowers(of: batch) { status.noteLoss() }
            for job in batch.jobs { job(storage) }
            batch.commit?.finish()
            storage.maintain(isIdle: false)
        case .maintenance: storage.maintain(isIdle: true)
        case .rest: break
        case .end: storage.close()
        }
        return step
    }

    /// Makes changes durable in one group commit.
    ///
    /// If a change conflicts with the stored record, only this change fails. If the storage fails, all changes fail or
    /// have an unknown outcome.
    private func commit(_ changes: [JournalChange]) {
        guard !changes.allSatisfy({ $0.failWithBasis() }) else { return }
        let start = MonotonicClock.now
        do throws(JournalError) {
            let statistics = try storage.write(changes, refusing: refuse)
            status.grow(by: statistics.growth)
            metrics.record(statistics, nanoseconds: Int(MonotonicClock.now - start))
            didCommit(statistics.changes)
        } catch {
            // Changes the epoch first, because a caller that sees a failure must not see the epoch in which the lost
            // changes were acknowledged.
            status.noteLoss()
            for change in changes { change.fail(error) }
            metrics.failures.add()
            if case .outcomeUnknown = error { metrics.unknownOutcomes.add() }
        }
    }

    private func refuse(_ change: JournalChange, _ error: JournalError) {
        switch change.action {
        case .erase, .touch, .end(_, _, .some): break
        default: status.noteLoss()
        }
        change.fail(error)
        metrics.refusals.add()
    }
}

/// The part of a batched journal's state that all threads can read: the epoch and the number of sessions.
final class JournalStatus: Sendable {
    private let start: String?
    private let losses = Atomic(0)
    private let sessions: Atomic<Int>

    /// Creates the state.
    ///
    /// `start` is the time when a relaxed journal was opened, in milliseconds since 1970; nil for other journals.
    init(start: Int64?, count: Int) {
        self.start = start.map { String($0, radix: 36) }
        sessions = Atomic(count)
    }

    var epoch: String? {
        guard let start else { return nil }
        let losses = losses.load(ordering: .acquiring)
        return losses == 0 ? start : "\(start)-\(losses)"
    }

    var count: Int { sessions.load(ordering: .relaxed) }

    /// Starts a new epoch, because acknowledged commits may be lost.
    func noteLoss() {
        losses.add(1, ordering: .acquiringAndReleasing)
    }

    func grow(by growth: Int) {
        if growth != 0 { sessions.add(growth, ordering: .relaxed) }
    }
}
