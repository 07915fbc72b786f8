import Synchronization

/// A gate where responses wait until a test opens it; later responses wait again.
package final class Gate: Sendable {
    private struct State {
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [Int: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var lastWatcher = 0

        mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
            let satisfied = watchers.filter { $0.value.count <= held.count }
            for id in satisfied.keys { watchers[id] = nil }
            return satisfied.values.map(\.continuation)
        }
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    package init() {}

    /// Waits until the gate is opened.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                state.held.append(continuation)
                return state.takeSatisfied()
            }
            for watcher in ready { watcher.resume() }
        }
    }

    /// Waits until a number of responses wait at the gate, or until the task is cancelled.
    package func waiting(_ count: Int) async {
        let id = state.withLock { state in
            state.lastWatcher += 1
            return state.lastWatcher
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.watchers[id] = (Task.isCancelled ? 0 : count, continuation)
                    return state.takeSatisfied()
                }
                for watcher in ready { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    /// Releases all responses that wait now.
    package func open() {
        let ready = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for one in ready { one.resume() }
    }
}
