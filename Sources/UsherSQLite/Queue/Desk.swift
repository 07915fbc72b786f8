internal import UsherJournal
internal import UsherProcess

/// Where work is handed to a journal's thread, from any other.
final class Desk: Sendable {
    /// What is done with the store after the changes that came before it.
    typealias Job = @Sendable (Worker) -> Void

    /// Finished once the thread has let go of the file.
    let closing = Commit()
    private let queue: Monitor<WorkQueue<Job>>

    init(patience: Int64?) {
        queue = Monitor(WorkQueue(patience: patience))
    }

    func submit(_ change: JournalChange) -> Commit? {
        guard let (commit, wakes) = queue.withLock({ $0.submit(change) }) else {
            change.tail.fail(Self.closed)
            return nil
        }
        if wakes { queue.wake() }
        return commit
    }

    /// Has something done, and waits for what comes of it.
    func ask<Answer: Sendable>(
        _ job: @escaping @Sendable (Worker, CheckedContinuation<Result<Answer, JournalError>, Never>) -> Void
    ) async throws(JournalError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            guard let wakes = queue.withLock({ $0.ask { job($0, continuation) } }) else {
                continuation.resume(returning: .failure(Self.closed))
                return
            }
            if wakes { queue.wake() }
        }
        return try result.get()
    }

    /// How many changes wait.
    var waiting: Int { queue.withLock(\.waiting) }

    func close() {
        if queue.withLock({ $0.close() }) { queue.wake() }
    }

    /// Waits, on the journal's thread, for something to do.
    ///
    /// - Parameter errand: When something that is not urgent is due.
    func next(errand: Int64?) -> WorkQueue<Job>.Step {
        queue.wait { queue in
            let step = queue.next(at: MonotonicClock.now, errand: errand)
            guard case .rest(let time) = step else { return .over(step) }
            return .until(time)
        }
    }

    static let closed = JournalError.unavailable("the journal is closed; the server is about to stop")
}
