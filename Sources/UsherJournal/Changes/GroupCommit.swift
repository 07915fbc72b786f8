import Synchronization
import UsherFuture

/// A group commit: one write of all pending changes, with the outcome of each change.
///
/// The journal records the outcomes, and then finishes the commit. Other code reads an outcome through a
/// `PendingCommit`.
package final class GroupCommit: Completable {
    private struct State {
        var isDone = false
        var waiting: [@Sendable () -> Void] = []
        /// The failures and the successes with a version, by the changes' places in the group; all other changes
        /// succeed.
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

    /// Calls a closure when the commit is done.
    ///
    /// If the commit is already done, calls the closure immediately; otherwise, calls it on the journal's thread, which
    /// cannot commit in the meantime.
    ///
    /// - Parameter body: The closure. The closure must return quickly, and must not take a lock that another thread may
    ///   hold while it submits a change.
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

    /// Records a change's outcome; a recorded failure stays.
    func note(_ outcome: CommitResult, at place: Int) {
        state.withLock { state in
            if case .failure? = state.outcomes[place] { return }
            state.outcomes[place] = outcome
            if case .failure = outcome { failed.store(true, ordering: .releasing) }
        }
    }

    /// Returns the recorded outcome of a change; if no outcome was recorded, success.
    func outcome(at place: Int) -> CommitResult { state.withLock { $0.outcomes[place] } ?? .success(nil) }

    /// Returns the outcome of a change; nil until the commit is done.
    func result(at place: Int) -> CommitResult? {
        state.withLock { $0.isDone ? $0.outcomes[place] ?? .success(nil) : nil }
    }

    /// Returns the reason for a change's failure; nil if no failure is known.
    func failure(at place: Int) -> JournalError? {
        guard hasFailures, case .failure(let error) = outcome(at: place) else { return nil }
        return error
    }
}
