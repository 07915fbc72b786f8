import Synchronization

/// Counts responses until there are enough.
final class Answers: Sendable {
    private struct State {
        var left: Int
        var clients: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - count: The number of responses that are enough.
    ///   - clients: The number of clients; when all have given up, the wait ends.
    init(until count: Int, for clients: Int) {
        state = Mutex(State(left: count, clients: clients))
    }

    func note() {
        change { $0.left -= 1 }
    }

    func noteEnd() {
        change { state in
            state.clients -= 1
            if state.clients == 0 { state.left = 0 }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            guard state.left <= 0 else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.waiter = nil }
            return state.waiter
        }?.resume()
    }

    /// Waits until there are enough responses.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.left > 0 else { return true }
                state.waiter = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
