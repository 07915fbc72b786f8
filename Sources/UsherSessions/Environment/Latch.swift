import Synchronization

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
