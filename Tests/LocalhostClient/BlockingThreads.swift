private import Glibc

/// Runs asynchronous code on threads of its own, where it may block without holding up the tasks of the process.
public final class BlockingThreads: TaskExecutor {
    private static let shared = BlockingThreads()

    /// Runs a body in which the blocking clients of this module may be used.
    ///
    /// On the process's few shared threads they could wait for an answer that needs just such a thread.
    public static func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await withTaskExecutorPreference(shared) {
            await Task.yield()  // To go on there: by itself, what is isolated to nothing stays where it is.
            return try await body()
        }
    }

    /// Starts a thread for one job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let work = unsafe Work(job: UnownedJob(job), executor: asUnownedTaskExecutor())
        let argument = unsafe Unmanaged.passRetained(work).toOpaque()
        var thread = pthread_t()
        let failure = unsafe pthread_create(&thread, nil, Self.main, argument)
        if failure == 0 { pthread_detach(thread) } else { work.run() }
    }

    @safe
    private final class Work {
        let job: UnownedJob
        let executor: UnownedTaskExecutor

        init(job: UnownedJob, executor: UnownedTaskExecutor) {
            self.job = job
            unsafe self.executor = executor
        }

        func run() { unsafe job.runSynchronously(on: executor) }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
