import Synchronization

/// A door that handlers wait at until a test opens it.
final class Gate: Sendable {
    fileprivate struct State {
        var isOpen = false
        var handlers: [CheckedContinuation<Void, Never>] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Waits until the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                if state.isOpen { return [continuation] }
                state.handlers.append(continuation)
                return state.takeObservers()
            }
            for continuation in ready { continuation.resume() }
        }
    }

    /// Waits until so many stand before the gate; for a test that runs out of time, no longer.
    func waiting(_ count: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    state.observers.append((Task.isCancelled ? 0 : count, continuation))
                    return state.takeObservers()
                }
                for continuation in ready { continuation.resume() }
            }
        } onCancel: {
            let ready = state.withLock { state in
                defer { state.observers = [] }
                return state.observers.map(\.continuation)
            }
            for continuation in ready { continuation.resume() }
            // Handlers that nobody lets through any more would keep their daemon for ever.
            open()
        }
    }

    /// Lets all pass, now and later.
    func open() {
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isOpen = true
            defer { state.handlers = [] }
            return state.handlers
        }
        for continuation in ready { continuation.resume() }
    }
}

extension Gate.State {
    fileprivate mutating func takeObservers() -> [CheckedContinuation<Void, Never>] {
        let ready = observers.filter { $0.count <= handlers.count }.map(\.continuation)
        observers.removeAll { $0.count <= handlers.count }
        return ready
    }
}
