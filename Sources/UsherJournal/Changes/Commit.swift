import Synchronization

/// One write to the disk, of all changes that had come by then: something to wait for.
public final class Commit: Sendable {
    private enum State {
        case pending([CheckedContinuation<Void, Never>])
        case done
    }

    private let state = Mutex(State.pending([]))

    /// Makes a commit that is under way.
    public init() {}

    /// Waits until it is done.
    ///
    /// Whether a change was kept its `Tail` tells then.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard case .pending(let waiting) = state else { return true }
                state = .pending(waiting + [continuation])
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// Whether there is nothing to wait for any more.
    public var isDone: Bool {
        state.withLock { state in
            if case .done = state { true } else { false }
        }
    }

    /// Lets everybody go who waits, and who will.
    public func finish() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            defer { state = .done }
            guard case .pending(let waiting) = state else { return [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
