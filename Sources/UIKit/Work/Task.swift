import Usher

/// Work of the app that may wait, as `Task` of Swift's own is, on its session's thread.
///
/// Its body is queued for the end of the session's input, and runs there until it waits: for `Task.sleep`, an effect's
/// `output()`, or another task. The input that ends the wait runs it on. What waits for anything else would go on at a
/// moment that no journal knows, so the input does not count, and the client is told the task's file and line.
///
/// Outside of a session, as in an effect's `run`, it is Swift's own.
public struct Task<Success: Sendable, Failure: Error>: Sendable, Hashable {
    private let task: _Concurrency.Task<Success, Failure>
    /// The session's record of it; nil for one of Swift's own.
    private let running: RunningTask?

    private init(_ task: _Concurrency.Task<Success, Failure>, _ running: RunningTask? = nil) {
        self.task = task
        self.running = running
    }

    /// Cancels it: its waits end with a `CancellationError`.
    public func cancel() {
        task.cancel()
    }

    /// True once it was cancelled.
    public var isCancelled: Bool { task.isCancelled }

    /// The result, once there is one.
    public var result: Result<Success, Failure> {
        get async {
            // Another session, or none, would end the wait at a moment that no journal knows.
            guard running?.isOfCurrentSession == true else { return await task.result }
            return await RunningTask.waiting { await task.result }
        }
    }

    /// True where the two are one task.
    public static func == (left: Task, right: Task) -> Bool { left.task == right.task }

    /// Hashes its identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(task) }
}

extension Task where Failure == Never {
    /// Begins work that does not fail.
    ///
    /// - Parameters:
    ///   - priority: Of no meaning in a session: its tasks run in the order in which they begin.
    ///   - file: The file that it stands in, for the report of a wait that is none of the session's.
    ///   - line: Its line there.
    ///   - operation: The work.
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
        // Because all of it runs on the session's thread.
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

    /// The same as `init`: there is one thread.
    @discardableResult
    public static func detached(
        priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        Task(priority: priority, file: file, line: line, operation: operation)
    }

    /// The value, once there is one.
    public var value: Success {
        get async { await result.get() }
    }
}

extension Task where Failure == any Error {
    /// Begins work that may fail.
    ///
    /// - Parameters:
    ///   - priority: Of no meaning in a session: its tasks run in the order in which they begin.
    ///   - file: The file that it stands in, for the report of a wait that is none of the session's.
    ///   - line: Its line there.
    ///   - operation: The work.
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
        // Because all of it runs on the session's thread.
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

    /// The same as `init`: there is one thread.
    @discardableResult
    public static func detached(
        priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        Task(priority: priority, file: file, line: line, operation: operation)
    }

    /// The value, once there is one.
    public var value: Success {
        get async throws { try await result.get() }
    }
}

extension Task where Success == Never, Failure == Never {
    /// True where the task was cancelled whose code runs.
    public static var isCancelled: Bool { _Concurrency.Task.isCancelled }

    /// Throws where the task was cancelled whose code runs.
    public static func checkCancellation() throws { try _Concurrency.Task.checkCancellation() }

    /// Waits on the session's clock.
    ///
    /// - Parameters:
    ///   - duration: How long; a begun millisecond counts as a whole one.
    ///   - tolerance: Of no meaning in a session: its timers come due when they are due.
    public static func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        guard let session = UIKitSession.current else {
            return try await _Concurrency.Task.sleep(for: duration, tolerance: tolerance)
        }
        let (file, line) = (RunningTask.current?.file ?? #fileID, RunningTask.current?.line ?? #line)
        try await TaskSuspension<Void>.wait(in: session) { end in
            session.after(duration, file: file, line: line) { end(.success(())) }
        }
    }

    /// Waits on the session's clock, for nanoseconds; a begun millisecond counts as a whole one.
    public static func sleep(nanoseconds: UInt64) async throws {
        try await sleep(for: .nanoseconds(Int64(clamping: nanoseconds)))
    }

    /// Lets other work of the session's queue go first.
    public static func yield() async {
        guard let session = UIKitSession.current else { return await _Concurrency.Task.yield() }
        await RunningTask.waiting {
            await withCheckedContinuation { continuation in
                MainActor.assumeIsolated { session.queue.addLast(job: { continuation.resume() }) }
            }
        }
    }

    /// Not there: the clocks of a process differ when a session is replayed.
    @available(*, unavailable, message: "a clock of the process differs on replay: use Task.sleep(for:)")
    public static func sleep<C: Clock>(
        until deadline: C.Instant, tolerance: C.Instant.Duration? = nil, clock: C
    ) async throws {}
}
