import UsherProcess

/// The mailbox of a journal's thread: any thread hands work in, and that one takes it out in batches.
///
/// The lock is the system's, not a `Mutex`, for the thread can wait at it, and the thread sanitizer knows it.
final class JournalMailbox: @unchecked Sendable {  // because `queue` is used only while `lock` is held
    /// A use of the storage, after the changes that came before it.
    typealias Job = @Sendable (any JournalStorage) -> Void

    /// Done once the thread has closed the storage and let go of it.
    let closing = Commit()
    private let lock = ConditionLock()
    private var queue: WorkQueue<Job>

    /// - Parameter patience: How long changes may wait for others, in nanoseconds; nil where somebody waits for each.
    init(patience: Int64?) {
        queue = WorkQueue(patience: patience)
    }

    /// Takes in a change.
    ///
    /// - Returns: The group commit to wait for; nil where nobody has to.
    func submit(_ change: JournalChange) -> Commit? {
        guard let (commit, wakes) = withQueue({ $0.submit(change) }) else {
            change.tail.fail(.closed)
            return nil
        }
        if wakes { lock.signal() }
        return commit
    }

    /// Takes in a job, and waits for what it answers through its continuation.
    func ask<Answer: Sendable>(
        _ job:
            @escaping @Sendable (
                any JournalStorage, CheckedContinuation<Result<Answer, JournalError>, Never>
            ) -> Void
    ) async throws(JournalError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            guard let wakes = withQueue({ $0.ask { job($0, continuation) } }) else {
                continuation.resume(returning: .failure(.closed))
                return
            }
            if wakes { lock.signal() }
        }
        return try result.get()
    }

    /// The changes that wait, and about the bytes that they take.
    var waiting: (changes: Int, bytes: Int) { withQueue(\.waiting) }

    /// Takes nothing in any more.
    func close() {
        if withQueue({ $0.close() }) { lock.signal() }
    }

    /// Waits, on the journal's thread, for something to do.
    ///
    /// - Parameter maintenance: The time by which maintenance is due, by the `MonotonicClock`; nil for none.
    func next(maintenance: Int64?) -> WorkQueue<Job>.Step {
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
