import Usher

/// Asynchronous work of the app on the session's thread, like Swift's `Task`.
///
/// The body is queued for the end of the session's input, and runs there until it waits for `Task.sleep`, an effect's
/// `output()`, another task, or a continuation or stream that an input resumes. The input that ends the wait continues
/// the task. Any other wait would end at a time that the journal does not record, so the input fails, and the client
/// receives the task's file and line.
/// Outside of a session, for example in an effect's `run`, the type behaves like Swift's `Task`.
public struct Task<Success: Sendable, Failure: Error>: Sendable, Hashable {
    private let task: _Concurrency.Task<Success, Failure>
    /// The session's record of the task; nil for Swift's task.
    private let running: RunningTask?

    private init(_ task: _Concurrency.Task<Success, Failure>, _ running: RunningTask? = nil) {
        self.task = task
        self.running = running
    }

    /// Cancels the task, whose waits end with a `CancellationError`.
    public func cancel() {
        task.cancel()
    }

    /// A Boolean value that indicates whether the task was cancelled.
    public var isCancelled: Bool { task.isCancelled }

    /// The result, after the task has ended.
    public var result: Result<Success, Failure> {
        get async {
            // Code outside of this task's session would end the wait at a time that the journal does not record.
            guard running?.isOfCurrentSession == true else { return await task.result }
            return await RunningTask.waiting { await task.result }
        }
    }

    /// Returns `true` if both values are the same task.
    public static func == (left: Task, right: Task) -> Bool { left.task == right.task }

    /// Hashes the task's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(task) }
}

extension Task where Failure == Never {
    /// Starts work that does not fail; a session's tasks run in the order in which they start, whatever the priority.
    @discardableResult
    public init(
        priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext @_implicitSelfCapture operation: sending @escaping @isolated(any) () async -> Success
    ) {
        guard let session = UIKitSession.current else {
            self.init(_Concurrency.Task(priority: priority, operation: operation))
            return
        }
        let running = RunningTask(in: session, file, line)
        // Safe because the whole operation runs on the session's thread.
        nonisolated(unsafe) let operation = operation
        let task = session.begin(running) { executor in
            _Concurrency.Task<Success, Never>(executorPreference: executor, priority: .medium) {
                await running.run {
                    if running.isGivenUp, let nothing = () as? Success { return nothing }
                    return await unsafe operation()
                }
            }
        }
        running.began { task.cancel() }
        self.init(task, running)
    }

    /// Equivalent to `init`, because there is only one thread.
    @discardableResult
    public static func detached(
        priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        Task(priority: priority, file: file, line: line, operation: operation)
    }

    /// The value, after the task has ended.
    public var value: Success {
        get async { await result.get() }
    }
}

extension Task where Failure == any Error {
    /// Starts work that may fail; a session's tasks run in the order in which they start, whatever the priority.
    @discardableResult
    public init(
        priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext @_implicitSelfCapture operation:
            sending @escaping @isolated(any) () async throws -> Success
    ) {
        guard let session = UIKitSession.current else {
            self.init(_Concurrency.Task(priority: priority, operation: operation))
            return
        }
        let running = RunningTask(in: session, file, line)
        // Safe because the whole operation runs on the session's thread.
        nonisolated(unsafe) let operation = operation
        let task = session.begin(running) { executor in
            _Concurrency.Task<Success, any Error>(executorPreference: executor, priority: .medium) {
                try await running.run {
                    if running.isGivenUp { throw CancellationError() }
                    return try await unsafe operation()
                }
            }
        }
        running.began { task.cancel() }
        self.init(task, running)
    }

    /// Equivalent to `init`, because there is only one thread.
    @discardableResult
    public static func detached(
        priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        Task(priority: priority, file: file, line: line, operation: operation)
    }

    /// The value, after the task has ended.
    public var value: Success {
        get async throws { try await result.get() }
    }
}

extension Task where Success == Never, Failure == Never {
    /// A Boolean value that indicates whether the current task was cancelled.
    public static var isCancelled: Bool { _Concurrency.Task.isCancelled }

    /// Throws if the current task was cancelled.
    public static func checkCancellation() throws { try _Concurrency.Task.checkCancellation() }

    /// Waits on the session's clock, rounded up to milliseconds; the tolerance has no effect, because timers are exact.
    public static func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        guard let session = UIKitSession.current else {
            return try await _Concurrency.Task.sleep(for: duration, tolerance: tolerance)
        }
        let (file, line) = (RunningTask.current?.file ?? #fileID, RunningTask.current?.line ?? #line)
        try await TaskSuspension<Void>.wait(in: session) { end in
            session.after(duration, file: file, line: line) { end(.success(())) }
        }
    }

    /// Waits on the session's clock for nanoseconds, rounded up to milliseconds.
    public static func sleep(nanoseconds: UInt64) async throws {
        try await sleep(for: .nanoseconds(Int64(clamping: nanoseconds)))
    }

    /// Lets other work in the session's queue run first.
    public static func yield() async {
        guard let session = UIKitSession.current else { return await _Concurrency.Task.yield() }
        await RunningTask.waiting {
            await _Concurrency.withCheckedContinuation { continuation in
                MainActor.assumeIsolated { session.queue.addLast(job: { continuation.resume() }) }
            }
        }
    }

    /// Unavailable, because the process's clocks differ when a session is replayed.
    @available(*, unavailable, message: "a clock of the process differs on replay: use Task.sleep(for:)")
    public static func sleep<C: Clock>(
        until deadline: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C
    ) async throws {}
}
