import UsherProcess

/// The mailbox of a journal's thread: any thread hands work in, and that one takes it out in batches.
///
/// The lock is the system's, not a `Mutex`, for the thread can wait at it, and the thread sanitizer knows it.
package final class JournalMailbox<Job: Sendable>: @unchecked Sendable {  // because `lock` guards `queue`
    /// Done once the thread has closed the storage and let go of it.
    package let closing = GroupCommit()
    private let lock = ConditionLock()
    private var queue: WorkQueue<Job>

    /// Makes an empty mailbox.
    ///
    /// - Parameters:
    ///   - patience: How long changes may wait for others, in nanoseconds; nil where somebody waits for each.
    ///   - limit: The changes of a batch at most; nil for all that have come.
    ///   - sharesCommits: False if changes end in versions, so that each has a commit of its own.
    package init(patience: Int64?, limit: Int? = nil, sharesCommits: Bool = true) {
        queue = WorkQueue(patience: patience, limit: limit, sharesCommits: sharesCommits)
    }

    /// Takes in a change.
    ///
    /// - Parameter change: The change; it fails if its basis has failed, or if the mailbox is closed.
    package func submit(_ change: JournalChange) -> PendingCommit {
        let (commit, wakes) = withQueue { $0.submit(change) }
        if wakes { lock.signal() }
        return commit
    }

    /// Fails the changes that wait and build on a failure of a batch, so that nobody finds them under way.
    ///
    /// - Parameter batch: The batch.
    /// - Returns: A Boolean value indicating whether there are such changes.
    @discardableResult
    package func failFollowers(of batch: WorkQueue<Job>.Batch) -> Bool {
        guard batch.changes.contains(where: { $0.commit.hasFailed }) else { return false }
        return withQueue { $0.failFollowers() }
    }

    /// Takes in a job, to be done after the changes that came before it.
    ///
    /// - Parameter job: The job.
    /// - Returns: False where the mailbox is closed.
    package func ask(_ job: Job) -> Bool {
        guard let wakes = withQueue({ $0.ask(job) }) else { return false }
        if wakes { lock.signal() }
        return true
    }

    /// The commit of all that has come and is not done; nil for nothing.
    package var outstanding: GroupCommit? { withQueue(\.outstanding) }

    /// The changes that wait, and about the bytes that they take.
    package var waiting: (changes: Int, bytes: Int) { withQueue(\.waiting) }

    /// Takes nothing in any more.
    package func close() {
        if withQueue({ $0.close() }) { lock.signal() }
    }

    /// Waits, on the journal's thread, for something to do.
    ///
    /// - Parameter maintenance: The time by which maintenance is due, by the `MonotonicClock`; nil for none.
    package func next(maintenance: Int64?) -> WorkQueue<Job>.Step {
        lock.lock()
        defer { lock.unlock() }
        while true {
            let step = queue.next(at: MonotonicClock.now, maintenance: maintenance)
            guard case .rest(let time) = step else { return step }
            lock.wait(until: time)
        }
    }

    /// The next thing to do, without waiting for one.
    ///
    /// - Parameter maintenance: The time by which maintenance is due, by the `MonotonicClock`; nil for none.
    func poll(maintenance: Int64?) -> WorkQueue<Job>.Step {
        withQueue { $0.next(at: MonotonicClock.now, maintenance: maintenance) }
    }

    private func withQueue<Result>(_ body: (inout WorkQueue<Job>) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&queue)
    }
}

extension JournalError {
    /// The error of everything that comes after a close.
    package static let closed = JournalError.unavailable("the journal is closed; the server is about to stop")
}
