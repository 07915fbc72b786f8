/// The executor of a session's tasks, which runs their jobs in order on the thread that handles the session's input.
///
/// As a task's preferred executor, this executor also runs code without an actor, and code of actors without a custom
/// executor, so all of a task's code runs on the session's thread.
final class SessionExecutor: TaskExecutor {
    private let queue: MainQueue

    init(_ queue: MainQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        queue.add(job: { unsafe job.runSynchronously(on: executor) })
    }
}

/// The main actor's executor in a session; a job that another thread resumes returns to this executor.
final class MainThreadExecutor: SerialExecutor {
    private let queue: MainQueue

    init(_ queue: MainQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedSerialExecutor()
        queue.add(job: { unsafe job.runSynchronously(on: executor) })
    }

    /// A session handles its input under its lock, so the calling code is on the session's main thread.
    func checkIsolated() {}

    func isIsolatingCurrentContext() -> Bool? { true }
}
