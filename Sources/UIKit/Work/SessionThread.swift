import Synchronization

/// The thread that handles a session's input, and the jobs of its tasks that other threads add.
///
/// Another thread adds a job only if the task waits for something outside of the session. The input then fails, and the
/// job is stored until the session's end. After the end, each thread that adds a job runs the job itself, one job at a
/// time, so that the task can end.
final class SessionThread: Sendable {
    /// A closure that runs a task's job on the job's executor.
    typealias Job = @Sendable () -> Void

    private struct ForeignJobs {
        var jobs: [Job] = []
        /// A Boolean value that indicates whether a thread runs the jobs, or the session will run them when it ends.
        var isOwned = true
    }

    /// The system's thread; 0 for none.
    private let identity = Atomic<UInt>(0)
    private let foreign = Mutex(ForeignJobs())

    var isCurrent: Bool { identity.load(ordering: .relaxed) == pthread_self() }

    /// Makes the current thread the session's until `leave(to:)` is called, and returns the former thread.
    ///
    /// These are two calls because one call with a closure would count a reference to this object.
    func enter() -> UInt {
        // No atomic exchange, because only the thread that handles the session's input changes the identity.
        let former = identity.load(ordering: .relaxed)
        identity.store(pthread_self(), ordering: .relaxed)
        return former
    }

    func leave(to former: UInt) { identity.store(former, ordering: .relaxed) }

    /// Stores a job of another thread; returns `true` if the caller must run all stored jobs.
    func keep(_ job: @escaping Job) -> Bool {
        foreign.withLock { foreign in
            foreign.jobs.append(job)
            defer { foreign.isOwned = true }
            return !foreign.isOwned
        }
    }

    /// Removes and returns the next stored job; after nil, the thread that adds the next job must run that job.
    func takeForeign() -> Job? {
        foreign.withLock { foreign in
            guard foreign.jobs.isEmpty else { return foreign.jobs.removeFirst() }
            foreign.isOwned = false
            return nil
        }
    }
}
