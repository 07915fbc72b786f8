import Synchronization
package import Usher

/// The source of the time of day; a test puts in its own.
package protocol Clock: Sendable {
    /// The time of day now.
    func now() -> Timestamp

    /// Waits for a time of day.
    ///
    /// - Parameter time: The time; one that has passed is not waited for.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(until time: Timestamp) async throws

    /// Milliseconds since the machine started, those of its sleep included; nobody sets them.
    var uptime: Int64 { get }

    /// Waits for an uptime: durations are measured by it, whatever becomes of the time of day.
    ///
    /// - Parameter uptime: The uptime; one that has passed is not waited for.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(untilUptime uptime: Int64) async throws
}

extension Clock {
    /// A clock that is never set has one time for both.
    package var uptime: Int64 { now().milliseconds }

    /// A clock that is never set has one time for both.
    package func sleep(untilUptime uptime: Int64) async throws {
        try await sleep(until: Timestamp(milliseconds: uptime))
    }
}

/// A value that comes once, and one task that waits for it.
final class Latch<Value: Sendable>: Sendable {
    private enum State {
        case closed(CheckedContinuation<Value, Never>?)
        case open(Value)
    }

    private let state = Mutex(State.closed(nil))

    /// Hands the value over; the first one counts.
    func open(with value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard case .closed(let waiter) = state else { return nil }
            state = .open(value)
            return waiter
        }
        waiter?.resume(returning: value)
    }

    /// Waits for the value.
    func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if case .open(let value) = state { return value }
                state = .closed(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

/// Waits for work, but not for ever: work that does not end when it is cancelled is left alone.
enum Deadline {
    /// Runs a body.
    ///
    /// - Parameters:
    ///   - duration: The time that it may take.
    ///   - clock: The clock.
    ///   - executor: The threads that it runs on, and may block.
    /// - Returns: Its result; nil where the time was up before.
    static func run<Value: Sendable>(
        within duration: Duration, by clock: any Clock, on executor: any TaskExecutor,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let latch = Latch<Value?>()
        let work = Task.detached(executorPreference: executor, priority: .high) {
            latch.open(with: await body())
            // A task does not hold its executor.
            withExtendedLifetime(executor) {}
        }
        let due = clock.uptime &+ duration.milliseconds
        let limit = Task.detached {
            do { try await clock.sleep(untilUptime: due) } catch { return }
            latch.open(with: nil)
        }
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

/// Answers that wait for something a client need not wait for, for a time: they can all be told to come now.
final class OpenWaits: Sendable {
    private struct Contents {
        var isClosed = false
        var nextToken = 0
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    private let contents = Mutex(Contents())

    /// Waits, unless nothing may wait any more.
    ///
    /// - Parameters:
    ///   - duration: The time to wait at most.
    ///   - clock: The clock.
    ///   - wait: The waiting; it returns soon after `end` was called, whoever calls that.
    ///   - end: Ends the waiting: when the time is up, when the task is cancelled because the client has gone, or when the
    ///     server is about to go.
    func run(
        within duration: Duration, by clock: any Clock, _ wait: () async -> Void,
        endingBy end: @escaping @Sendable () -> Void
    ) async {
        let due = clock.uptime &+ duration.milliseconds
        let timeOut = Task.detached {
            do { try await clock.sleep(untilUptime: due) } catch { return }
            end()
        }
        await run(wait, endingBy: end)
        timeOut.cancel()
    }

    private func run(_ wait: () async -> Void, endingBy end: @escaping @Sendable () -> Void) async {
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

    /// Ends all, now and from now on.
    func close() {
        let ends = contents.withLock { contents in
            contents.isClosed = true
            return Array(contents.ends.values)
        }
        for end in ends { end() }
    }
}
