import Synchronization
import UsherFuture

/// A group commit: one write of all pending changes, with the outcome of each.
///
/// The journal records the outcomes, and then finishes the commit. Other code reads them through a `PendingCommit`.
package final class GroupCommit: Completable {
    private struct State {
        var isDone = false
        var waiting: [@Sendable () -> Void] = []
        /// The outcomes that are not plain success, by the changes' places in the group.
        var outcomes: [Int: CommitResult] = [:]
    }

    private let state = Mutex(State())
    private let failed = Atomic(false)

    package init() {}

    package func wait() async {
        await withCheckedContinuation { continuation in
            whenDone { continuation.resume() }
        }
    }

    /// Calls a closure once the commit is done: immediately, or on the journal's thread, which cannot commit meanwhile.
    ///
    /// - Parameter body: The closure. It must return quickly, and must not take a lock that is held while a change is
    ///   submitted.
    package func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if !state.isDone { state.waiting.append(body) }
            return state.isDone
        }
        if isDone { body() }
    }

    /// A Boolean value that indicates whether the commit is done.
    package var isDone: Bool { state.withLock(\.isDone) }

    /// Finishes the commit, and resumes everything that waits for it.
    package func finish() {
        let waiting = state.withLock { state in
            state.isDone = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    // MARK: Outcomes

    /// A Boolean value that indicates whether any change of the group has failed.
    package var hasFailures: Bool { failed.load(ordering: .acquiring) }

    /// Records a change's outcome; once a failure is recorded, it stays.
    func note(_ outcome: CommitResult, at place: Int) {
        state.withLock { state in
            if case .failure? = state.outcomes[place] { return }
            state.outcomes[place] = outcome
            if case .failure = outcome { failed.store(true, ordering: .releasing) }
        }
    }

    /// Returns the known outcome of a change: success, unless another was recorded.
    func outcome(at place: Int) -> CommitResult { state.withLock { $0.outcomes[place] } ?? .success(nil) }

    /// Returns the outcome of a change; nil until the commit is done.
    func result(at place: Int) -> CommitResult? {
        state.withLock { $0.isDone ? $0.outcomes[place] ?? .success(nil) : nil }
    }

    /// Returns the reason for a change's failure as soon as it is known.
    func failure(at place: Int) -> JournalError? {
        guard hasFailures, case .failure(let error) = outcome(at: place) else { return nil }
        return error
    }
}
