import Synchronization
import UsherFuture

/// A group commit: one write of all changes that had come by then, with the outcome of each.
///
/// The journal notes the outcomes and then finishes the commit; everybody else reads them through a `PendingCommit`.
package final class GroupCommit: Completable {
    private struct State {
        var isDone = false
        var waiting: [@Sendable () -> Void] = []
        /// The outcomes that say more than that a change has happened, by the changes' places in the group.
        var outcomes: [Int: CommitResult] = [:]
    }

    private let state = Mutex(State())
    private let failed = Atomic(false)

    /// Creates a commit that is under way.
    package init() {}

    /// Waits until the commit is done.
    package func wait() async {
        await withCheckedContinuation { continuation in
            whenDone { continuation.resume() }
        }
    }

    /// Calls back once the commit is done: at once, or on the journal's thread, which commits nothing meanwhile.
    ///
    /// - Parameter body: The callback. It must return at once, and must not take a lock that is held while a change is submitted.
    package func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.waiting.append(body) }
            return state.isDone
        }
        if isDone { body() }
    }

    /// A Boolean value indicating whether there is nothing to wait for any more.
    package var isDone: Bool { state.withLock(\.isDone) }

    /// Ends the wait of everybody, also of those who come later.
    package func finish() {
        let waiting = state.withLock { state in
            state.isDone = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    // MARK: Outcomes

    /// A Boolean value indicating whether any change of the group has failed.
    package var hasFailures: Bool { failed.load(ordering: .acquiring) }

    /// Notes a change's outcome; the first failure counts.
    func note(_ outcome: CommitResult, at place: Int) {
        state.withLock { state in
            if case .failure? = state.outcomes[place] { return }
            state.outcomes[place] = outcome
            if case .failure = outcome { failed.store(true, ordering: .releasing) }
        }
    }

    /// The outcome of a change as it is known now: that it has happened, unless something else was noted.
    func outcome(at place: Int) -> CommitResult { state.withLock { $0.outcomes[place] } ?? .success(nil) }

    /// The outcome of a change; nil until the commit is done.
    func result(at place: Int) -> CommitResult? {
        state.withLock { $0.isDone ? $0.outcomes[place] ?? .success(nil) : nil }
    }

    /// The reason why a change has not happened, as soon as that is known.
    func failure(at place: Int) -> JournalError? {
        guard hasFailures, case .failure(let error) = outcome(at: place) else { return nil }
        return error
    }
}
