import UsherProcess

/// The mailbox of a journal's thread: any thread adds work, and the journal's thread removes it in batches.
///
/// The lock is a lock of the operating system instead of a `Mutex`, because a thread can wait on such a lock, and
/// because the thread sanitizer supports it.
package final class JournalMailbox<Job: Sendable>: @unchecked Sendable {  // because `lock` guards `queue`
    /// Finished when the thread has closed and released the storage.
    package let closing = GroupCommit()
    private let lock = ConditionLock()
    private var queue: WorkQueue<Job>

    /// Creates an empty mailbox.
    ///
    /// - Parameters:
    ///   - patience: The time in nanoseconds that a change may wait for further changes; nil if callers wait for each
    ///     change to be durable.
    ///   - limit: The maximum number of changes in a batch; nil for no limit.
    ///   - sharesCommits: `false` if each change results in a version of its record, so that each change needs its own
    ///     commit.
    package init(patience: Int64?, limit: Int? = nil, sharesCommits: Bool = true) {
        queue = WorkQueue(patience: patience, limit: limit, sharesCommits: sharesCommits)
    }

    /// Adds a change; the change fails at once if its basis has failed, or if the mailbox is closed.
    package func submit(_ change: JournalChange) -> PendingCommit {
        let (commit, wakes) = withQueue { $0.submit(change) }
        if wakes { lock.signal() }
        return commit
    }

    /// Fails the waiting changes that build on a failed change of a batch; returns `true` if there are such changes.
    @discardableResult
    package func failFollowers(of batch: WorkQueue<Job>.Batch) -> Bool {
        guard batch.changes.contains(where: { $0.commit.hasFailed }) else { return false }
        return withQueue { $0.failFollowers() }
    }

    /// Adds a job, which runs after the changes that were added before; returns `false` if the mailbox is closed.
    package func ask(_ job: Job) -> Bool {
        guard let wakes = withQueue({ $0.ask(job) }) else { return false }
        if wakes { lock.signal() }
        return true
    }

    /// Adds a job, and waits until the job calls its closure with the result.
    ///
    /// - Parameter job: Returns the job for the closure that the job must call.
    package func ask<Answer: Sendable>(
        _ job: (@escaping @Sendable (Result<Answer, JournalError>) -> Void) -> Job
    ) async throws(JournalError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            if !ask(job { continuation.resume(returning: $0) }) { continuation.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }

    /// The commit that completes all pending changes; nil if no changes are pending.
    package var outstanding: GroupCommit? { withQueue(\.outstanding) }

    /// The number of waiting changes, and their approximate size in bytes.
    package var waiting: (changes: Int, bytes: Int) { withQueue(\.waiting) }

    /// Closes the mailbox, so that it accepts no new work.
    package func close() {
        if withQueue({ $0.close() }) { lock.signal() }
    }

    /// Waits for work on the journal's thread.
    ///
    /// - Parameter maintenance: The time when maintenance is due, by the `MonotonicClock`; nil for none.
    package func next(maintenance: Int64?) -> WorkQueue<Job>.Step {
        lock.lock()
        defer { lock.unlock() }
        while true {
            let step = queue.next(at: MonotonicClock.now, maintenance: maintenance)
            guard case .rest(let time) = step else { return step }
            lock.wait(until: time)
        }
    }

    /// Returns the next work without waiting.
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
    /// The error of all calls after the mailbox was closed.
    package static let closed = JournalError.unavailable("the journal is closed; the server is about to stop")
}
