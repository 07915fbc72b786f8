/// The executor of a session's tasks: their jobs run on the thread that handles its input, in turn.
///
/// As a task's preferred executor it takes what is isolated to no actor too, and what belongs to an actor without an
/// executor of its own: no code of a task leaves the session's thread.
final class SessionExecutor: TaskExecutor {
    private weak let session: UIKitSession?

    init(_ session: UIKitSession) {
        self.session = session
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // One that comes from elsewhere is of a task for which an input was refused already: nobody waits for it.
        guard let current = UIKitSession.current, current === session else { return }
        let executor = unsafe asUnownedTaskExecutor()
        current.enqueue(job: { unsafe job.runSynchronously(on: executor) })
    }
}

extension UIKitSession {
    /// Has a job of a task run in its turn.
    ///
    /// One that comes from another thread has nobody who waits for it: its input was refused, or its task is none of the
    /// session's.
    nonisolated func enqueue(job: @escaping () -> Void) {
        guard isOnItsThread else { return }
        // Because this is the session's thread.
        nonisolated(unsafe) let job = job
        MainActor.assumeIsolated { queue.add(job: unsafe job) }
    }

    /// Begins a task.
    ///
    /// - Parameters:
    ///   - task: What is known of it.
    ///   - make: Makes it, on the executor that it is given.
    nonisolated func begin<Made>(_ task: RunningTask, _ make: (SessionExecutor) -> Made) -> Made {
        let executor = MainActor.assumeIsolated {
            queue.beginTask(task)
            return self.executor
        }
        defer { MainActor.assumeIsolated { queue.didBeginTask() } }
        return make(executor)
    }
}
