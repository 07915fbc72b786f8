import Synchronization
import UsherFuture

/// A group commit: one write to the disk, of all changes that had come by then, to be waited for.
package final class Commit: Completable {
    private struct State {
        var isDone = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Makes a commit that is under way.
    package init() {}

    /// Waits until it is done.
    ///
    /// Then a change is durable unless its `WriteChain` is broken.
    package func wait() async {
        await withCheckedContinuation { continuation in
            whenDone { continuation.resume() }
        }
    }

    /// Calls back once it is done: at once, or on the journal's thread, which commits nothing meanwhile.
    ///
    /// - Parameter body: The callback; it takes no time, and no lock that is held while a change is submitted.
    package func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.waiting.append(body) }
            return state.isDone
        }
        if isDone { body() }
    }

    /// True once there is nothing to wait for any more.
    package var isDone: Bool {
        state.withLock(\.isDone)
    }

    /// Ends the wait of everybody, also of those who come later.
    package func finish() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state = State(isDone: true)
            return waiting
        }
        for body in waiting { body() }
    }
}
