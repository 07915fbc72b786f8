/// The executor of a session's tasks: their jobs run on the thread that handles its input, in turn.
///
/// As a task's preferred executor it takes what is isolated to no actor, and what belongs to an actor without an executor
/// of its own: no code of a task leaves the session's thread.
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

/// The executor of the main actor, as a session's code knows it: a job that another thread resumes comes back to it.
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

    /// A session handles its input under its lock, so whoever runs is on its main thread.
    func checkIsolated() {}

    func isIsolatingCurrentContext() -> Bool? { true }
}
