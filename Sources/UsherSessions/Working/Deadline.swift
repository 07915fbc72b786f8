import Synchronization
import Usher

/// Waits for work, but not for ever: work that does not end when it is cancelled is left alone.
enum Deadline {
    /// Runs a body.
    ///
    /// - Returns: What it returned; nil where the time was up before.
    static func run<Value: Sendable>(
        within duration: Duration, by clock: any Clock, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let race = Race<Value>()
        let work = Task.detached(priority: .high) { race.end(with: await body()) }
        let due = clock.now().advanced(by: duration)
        let limit = Task.detached {
            do { try await clock.sleep(until: due) } catch { return }
            race.end(with: nil)
        }
        let value = await withTaskCancellationHandler {
            await race.wait()
        } onCancel: {
            work.cancel()
            race.end(with: nil)
        }
        limit.cancel()
        work.cancel()
        return value
    }

    /// What comes first.
    private final class Race<Value: Sendable>: Sendable {
        private enum State {
            case open(CheckedContinuation<Value?, Never>?)
            case over(Value?)
        }

        private let state = Mutex(State.open(nil))

        func end(with value: Value?) {
            let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
                guard case .open(let waiter) = state else { return nil }
                state = .over(value)
                return waiter
            }
            waiter?.resume(returning: value)
        }

        func wait() async -> Value? {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value?? in
                    if case .over(let value) = state { return .some(value) }
                    state = .open(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
