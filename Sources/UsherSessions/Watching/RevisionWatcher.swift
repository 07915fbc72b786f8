import Synchronization

/// Waits for a session to come beyond a revision, or to end.
final class RevisionWatcher: SessionWatcher {
    private struct State {
        var isOver = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let known: Int
    private let state = Mutex(State())

    init(beyond known: Int) {
        self.known = known
    }

    func see(_ sighting: Sighting) {
        if sighting.revision > known { end() }
    }

    func seeEnd() {
        end()
    }

    /// Lets go whoever waits.
    func end() {
        state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return state.waiter
        }?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiter = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
