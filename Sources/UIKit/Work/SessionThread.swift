import Synchronization

/// The thread that handles a session's input, and the jobs of its tasks that other threads have brought.
///
/// A job of a task comes from elsewhere where the task waits for something foreign, for which its input is refused. So it
/// is kept until the session's end; after that whoever brings one runs it, one at a time, for the task to come to its end.
final class SessionThread: Sendable {
    /// A job of a task, with the executor that it runs on.
    typealias Job = @Sendable () -> Void

    private struct ForeignJobs {
        var jobs: [Job] = []
        /// Set while somebody runs them, or will: until its end that is the session.
        var isOwned = true
    }

    /// The system's thread; 0 for none.
    private let identity = Atomic<UInt>(0)
    private let foreign = Mutex(ForeignJobs())

    /// True where this is the thread.
    var isCurrent: Bool { identity.load(ordering: .relaxed) == pthread_self() }

    /// Makes this thread the one, as long as the body runs.
    func run(_ body: () throws -> Void) rethrows {
        let former = identity.exchange(pthread_self(), ordering: .relaxed)
        defer { identity.store(former, ordering: .relaxed) }
        try body()
    }

    /// Keeps a job that another thread has brought.
    ///
    /// - Returns: Whether the caller is to run all that there are.
    func keep(_ job: @escaping Job) -> Bool {
        foreign.withLock { foreign in
            foreign.jobs.append(job)
            defer { foreign.isOwned = true }
            return !foreign.isOwned
        }
    }

    /// Takes the next job that another thread has brought.
    ///
    /// - Returns: None where whoever brings the next one is to run it.
    func takeForeign() -> Job? {
        foreign.withLock { foreign in
            guard foreign.jobs.isEmpty else { return foreign.jobs.removeFirst() }
            foreign.isOwned = false
            return nil
        }
    }
}
