import Synchronization

/// One write to the disk, of all changes that had come by then: something to wait for.
public final class Commit: Sendable {
    private struct State {
        var isDone = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes a commit that is under way.
    public init() {}

    /// Waits until it is done.
    ///
    /// Whether a change was kept its `Tail` tells then.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.isDone { state.waiting.append(continuation) }
                return state.isDone
            }
            if isDone { continuation.resume() }
        }
    }

    /// Whether there is nothing to wait for any more.
    public var isDone: Bool {
        state.withLock(\.isDone)
    }

    /// Lets everybody go who waits, and who will.
    public func finish() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state = State(isDone: true)
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
