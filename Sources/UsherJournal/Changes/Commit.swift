import Synchronization

/// One write to the disk, of all changes that had come by then: something to wait for.
package final class Commit: Sendable {
    private struct State {
        var isDone = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Makes a commit that is under way.
    package init() {}

    /// Waits until it is done.
    ///
    /// Whether a change was kept its `WriteChain` tells then.
    package func wait() async {
        await withCheckedContinuation { continuation in
            whenDone { continuation.resume() }
        }
    }

    /// Has something done once it is done: at once, or on the journal's thread, which keeps nothing meanwhile.
    ///
    /// - Parameter body: What is done; it takes no time, and no lock that is held while a change is submitted.
    package func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.waiting.append(body) }
            return state.isDone
        }
        if isDone { body() }
    }

    /// Whether there is nothing to wait for any more.
    package var isDone: Bool {
        state.withLock(\.isDone)
    }

    /// Lets everybody go who waits, and who will.
    package func finish() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state = State(isDone: true)
            return waiting
        }
        for body in waiting { body() }
    }
}
