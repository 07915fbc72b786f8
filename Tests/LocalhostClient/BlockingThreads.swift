private import Glibc
public import Testing

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

/// Runs tests that block on threads of their own: those that all tasks share are needed by the effects of other tests.
public struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    /// Suites hand it on to their tests.
    public var isRecursive: Bool { true }

    /// Runs a test there.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await BlockingThreads.run { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// Runs on threads of its own, where it may block.
    public static var blocking: BlockingTrait { BlockingTrait() }
}
