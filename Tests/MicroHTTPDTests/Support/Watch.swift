import Synchronization

/// A count that tests wait for.
final class Watch: Sendable {
    private struct State {
        var count = 0
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var value: Int { state.withLock { $0.count } }

    func add() {
        let ready = state.withLock { state in
            state.count += 1
            defer { state.observers.removeAll { $0.count <= state.count } }
            return state.observers.filter { $0.count <= state.count }.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits until so many were counted.
    func reaches(_ number: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count < number { state.observers.append((number, continuation)) }
                return state.count >= number
            }
            if isReached { continuation.resume() }
        }
    }
}
