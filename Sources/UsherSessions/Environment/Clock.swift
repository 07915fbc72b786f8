import Synchronization
package import Usher

/// The source of the time of day and of the uptime; tests use their own clocks.
package protocol Clock: Sendable {
    /// Returns the current time of day.
    func now() -> Timestamp

    /// Suspends the task until a time of day; returns immediately if that time has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(until time: Timestamp) async throws

    /// The milliseconds since the machine started, including time asleep; unlike the time of day, they never jump.
    var uptime: Int64 { get }

    /// Suspends the task until an uptime; returns immediately if that uptime has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(untilUptime uptime: Int64) async throws
}

extension Clock {
    /// The default for clocks without a separate uptime, such as those of tests: the time of day.
    package var uptime: Int64 { now().milliseconds }

    /// The default for clocks without a separate uptime: suspends the task until a time of day.
    package func sleep(untilUptime uptime: Int64) async throws {
        try await sleep(until: Timestamp(milliseconds: uptime))
    }
}

extension Clock {
    /// Calls a closure after a time, unless the returned task is cancelled before.
    func call(after duration: Duration, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let due = uptime &+ duration.milliseconds
        return Task.detached {
            do { try await sleep(untilUptime: due) } catch { return }
            body()
        }
    }
}

/// A value that is set once, and for which tasks can wait.
final class Latch<Value: Sendable>: Sendable {
    private enum State {
        case closed([CheckedContinuation<Value, Never>])
        case open(Value)
    }

    private let state = Mutex(State.closed([]))

    /// Sets the value and resumes the tasks that wait; later calls do nothing.
    func open(with value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard case .closed(let waiters) = state else { return [] }
            state = .open(value)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits until the value is set, and returns it.
    func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                switch state {
                case .open(let value): return value
                case .closed(let waiters):
                    state = .closed(waiters + [continuation])
                    return nil
                }
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

/// Runs work with a time limit.
///
/// When the limit is reached, the work is cancelled, and the caller stops waiting even if the work continues.
enum Deadline {
    /// Runs a closure, and returns its result; `nil` if the time limit was reached, or if the current task was
    /// cancelled.
    ///
    /// The closure may block the executor's threads.
    static func run<Value: Sendable>(
        within duration: Duration, by clock: any Clock, on executor: any TaskExecutor,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let latch = Latch<Value?>()
        let work = Task.detached(executorPreference: executor, priority: .high) {
            latch.open(with: await body())
            // Keeps the executor alive until here, because a task does not retain its executor.
            withExtendedLifetime(executor) {}
        }
        let limit = clock.call(after: duration) { latch.open(with: nil) }
        let value = await withTaskCancellationHandler {
            await latch.wait()
        } onCancel: {
            work.cancel()
            latch.open(with: nil)
        }
        limit.cancel()
        work.cancel()
        return value
    }
}

/// The waits of requests for their answers, each with a time limit; `close()` ends all waits at once.
final class OpenWaits: Sendable {
    private struct Contents {
        var isClosed = false
        var nextToken = 0
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    private let contents = Mutex(Contents())

    /// Waits until `wait` returns, and calls `end` when `wait` must return.
    ///
    /// `end` is called when the time limit is reached, when the task is cancelled because the client has gone, and by
    /// `close()`. After `close()`, `end` is called at once. `wait` must return soon after any thread has called `end`.
    func run(
        within duration: Duration, by clock: any Clock, _ wait: () async -> Void,
        endingBy end: @escaping @Sendable () -> Void
    ) async {
        let timeOut = clock.call(after: duration, end)
        defer { timeOut.cancel() }
        let token = contents.withLock { contents -> Int? in
            guard !contents.isClosed else { return nil }
            contents.nextToken += 1
            contents.ends[contents.nextToken] = end
            return contents.nextToken
        }
        if token == nil { end() }
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            end()
        }
        if let token { _ = contents.withLock { $0.ends.removeValue(forKey: token) } }
    }

    /// Ends all current and future waits.
    func close() {
        let ends = contents.withLock { contents in
            contents.isClosed = true
            return Array(contents.ends.values)
        }
        for end in ends { end() }
    }
}
