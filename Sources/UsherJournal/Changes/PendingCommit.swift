/// The outcome of a change: the record's new version, which is nil in a journal with one server, or an error.
package typealias CommitResult = Result<RecordToken?, JournalError>

/// A change or a check that was submitted to a journal, which ends in a `CommitResult`.
///
/// The next change of a session names this commit as its basis, and fails if this change fails.
package struct PendingCommit: Sendable {
    private enum Source: Sendable {
        case happened(RecordToken?)
        /// A change in a group. If `countsAtOnce` is `true` (relaxed durability), the change is valid at once, and may
        /// still fail later.
        case noted(GroupCommit, place: Int, countsAtOnce: Bool)
    }

    private let source: Source

    /// Creates a commit with its final result.
    package init(_ result: CommitResult) {
        switch result {
        case .success(let version): self.init(happened: version)
        case .failure:
            // Stores the error in a group of its own, so that the many commits without an error need no space for an
            // error.
            self.init(in: GroupCommit())
            end(result)
        }
    }

    /// Creates the commit of a change in a group.
    package init(in group: GroupCommit, at place: Int = 0, countsAtOnce: Bool = false) {
        source = .noted(group, place: place, countsAtOnce: countsAtOnce)
    }

    /// A commit that has succeeded already.
    package static var done: PendingCommit { PendingCommit(happened: nil) }

    private init(happened version: RecordToken?) {
        source = .happened(version)
    }

    /// The result if the change is valid or has failed; nil while neither is known.
    package var result: CommitResult? {
        switch source {
        case .happened(let version): .success(version)
        case .noted(let group, let place, countsAtOnce: false): group.result(at: place)
        case .noted(let group, let place, countsAtOnce: true): group.outcome(at: place)
        }
    }

    /// The reason for a failure; nil if no failure is known.
    ///
    /// With relaxed durability, a change may fail after it was valid.
    package var failure: JournalError? {
        switch source {
        case .happened: nil
        case .noted(let group, let place, _): group.failure(at: place)
        }
    }

    /// A Boolean value that indicates whether the change is valid.
    package var hasHappened: Bool {
        if case .happened = source { return true }
        if case .success? = result { return true }
        return false
    }

    /// A Boolean value that indicates whether the change is known to have failed.
    package var hasFailed: Bool {
        if case .happened = source { return false }
        return failure != nil
    }

    /// The record's version after the change; nil while it is unknown, and in a journal with one server.
    package var version: RecordToken? {
        switch source {
        case .happened(let version): version
        case .noted(let group, let place, _): try? group.outcome(at: place).get()
        }
    }

    /// The group commit to wait for; nil if the change is already valid or has already failed.
    package var outstanding: GroupCommit? {
        guard case .noted(let group, _, countsAtOnce: false) = source, !group.isDone else { return nil }
        return group
    }

    @discardableResult
    package func wait() async -> CommitResult {
        await outstanding?.wait()
        return result ?? .success(nil)
    }

    /// Calls a closure with the result: immediately if the result is known, otherwise on the journal's thread.
    ///
    /// - Parameter body: The closure. The closure must return quickly, and must not take a lock that another thread may
    ///   hold while it submits a change.
    package func whenEnded(_ body: @escaping @Sendable (CommitResult) -> Void) {
        guard let outstanding else { return body(result ?? .success(nil)) }
        outstanding.whenDone { body(result ?? .success(nil)) }
    }

    /// Returns `true` if both are commits of the same change; always `false` if one change was not submitted to a
    /// queue.
    package func isSame(as other: PendingCommit) -> Bool {
        guard case .noted(let group, let place, _) = source,
            case .noted(let otherGroup, let otherPlace, _) = other.source
        else { return false }
        return group === otherGroup && place == otherPlace
    }

    // MARK: Functions for the journal

    /// Records the outcome before the group is finished; a recorded failure stays.
    package func note(_ outcome: CommitResult) {
        if case .noted(let group, let place, _) = source { group.note(outcome, at: place) }
    }

    /// Records the outcome of a change that is alone in its group, and resumes everything that waits for the change.
    package func end(_ outcome: CommitResult) {
        note(outcome)
        finish()
    }

    /// Resumes everything that waits for the change's group.
    func finish() {
        if case .noted(let group, _, _) = source { group.finish() }
    }
}
