private import Glibc
public import Testing

/// An executor that runs asynchronous code on its own threads, where the code may block without delaying other tasks.
public final class BlockingThreads: TaskExecutor {
    private static let shared = BlockingThreads()

    /// Runs a closure in which the blocking clients of this module may be used.
    ///
    /// On the process's few shared threads, a client could wait for a response that needs such a thread.
    public static func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await withTaskExecutorPreference(shared) {
            await Task.yield()  // Switches to this executor, because nonisolated code stays on its thread otherwise.
            return try await body()
        }
    }

    /// Starts a thread for one job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let work = unsafe ThreadJob(job: UnownedJob(job), executor: asUnownedTaskExecutor())
        let argument = unsafe Unmanaged.passRetained(work).toOpaque()
        var thread = pthread_t()
        let failure = unsafe pthread_create(&thread, nil, Self.main, argument)
        if failure == 0 { pthread_detach(thread) } else { work.run() }
    }

    @safe
    private final class ThreadJob {
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
        unsafe Unmanaged<ThreadJob>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}

/// Runs blocking tests on their own threads, because effects of other tests need the shared threads.
public struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    /// Suites apply the trait to their tests.
    public var isRecursive: Bool { true }

    /// Runs a test on its own threads.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await BlockingThreads.run { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// A trait that runs a test on its own threads, where it may block.
    public static var blocking: BlockingTrait { BlockingTrait() }
}
