/// The outcome of a change: the version of the record that the change has led to, which is nil where one server has the
/// journal; or why the change has not happened.
package typealias CommitResult = Result<RecordToken?, JournalError>

/// A change that a journal was given, or a question that it was asked, which ends in a `CommitResult`.
///
/// The next change of a session names this one as its basis, and fails if this one fails.
package struct PendingCommit: Sendable {
    private enum Source: Sendable {
        case happened(RecordToken?)
        /// In a relaxed journal a change counts at once, and may fail later.
        case noted(GroupCommit, place: Int, countsAtOnce: Bool)
    }

    private let source: Source

    /// Creates one that has ended.
    package init(_ result: CommitResult) {
        switch result {
        case .success(let version): self.init(happened: version)
        case .failure:
            // Seldom, and so the others need no room for an error.
            self.init(in: GroupCommit())
            end(result)
        }
    }

    /// Creates that of a change in a group.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - place: The place of the change in the group.
    ///   - countsAtOnce: True if nobody waits for the group.
    package init(in group: GroupCommit, at place: Int = 0, countsAtOnce: Bool = false) {
        source = .noted(group, place: place, countsAtOnce: countsAtOnce)
    }

    /// Nothing that has to be waited for.
    package static var done: PendingCommit { PendingCommit(happened: nil) }

    private init(happened version: RecordToken?) {
        source = .happened(version)
    }

    /// The result once the change counts, or failed; nil while it has to be waited for.
    package var result: CommitResult? {
        switch source {
        case .happened(let version): .success(version)
        case .noted(let group, let place, countsAtOnce: false): group.result(at: place)
        case .noted(let group, let place, countsAtOnce: true): group.outcome(at: place)
        }
    }

    /// The reason why the change has not happened, as soon as that is known: also after it has counted, in a relaxed journal.
    package var failure: JournalError? {
        switch source {
        case .happened: nil
        case .noted(let group, let place, _): group.failure(at: place)
        }
    }

    /// A Boolean value indicating whether the change counts.
    package var hasHappened: Bool {
        if case .happened = source { return true }
        if case .success? = result { return true }
        return false
    }

    /// A Boolean value indicating whether the change is known not to have happened.
    package var hasFailed: Bool {
        if case .happened = source { return false }
        return failure != nil
    }

    /// The version of the record that the change has led to, as soon as that is known.
    package var version: RecordToken? {
        switch source {
        case .happened(let version): version
        case .noted(let group, let place, _): try? group.outcome(at: place).get()
        }
    }

    /// The group commit to wait for; nil if the change counts already, or has failed.
    package var outstanding: GroupCommit? {
        guard case .noted(let group, _, countsAtOnce: false) = source, !group.isDone else { return nil }
        return group
    }

    /// Waits for the result.
    @discardableResult
    package func wait() async -> CommitResult {
        await outstanding?.wait()
        return result ?? .success(nil)
    }

    /// Calls back with the result: at once, or on the journal's thread.
    ///
    /// - Parameter body: The callback. It must return at once, and must not take a lock that is held while a change is submitted.
    package func whenEnded(_ body: @escaping @Sendable (CommitResult) -> Void) {
        guard let outstanding else { return body(result ?? .success(nil)) }
        outstanding.whenDone { body(result ?? .success(nil)) }
    }

    /// A Boolean value indicating whether another is that of the same change.
    ///
    /// - Parameter other: The other; one that was not submitted to a queue is no change's.
    package func isSame(as other: PendingCommit) -> Bool {
        guard case .noted(let group, let place, _) = source,
            case .noted(let otherGroup, let otherPlace, _) = other.source
        else { return false }
        return group === otherGroup && place == otherPlace
    }

    // MARK: The journal's side

    /// Notes the outcome, before the group is finished; the first failure counts.
    ///
    /// - Parameter outcome: The outcome.
    package func note(_ outcome: CommitResult) {
        if case .noted(let group, let place, _) = source { group.note(outcome, at: place) }
    }

    /// Notes the outcome of a change that is alone in its group, and ends the wait for it.
    ///
    /// - Parameter outcome: The outcome.
    package func end(_ outcome: CommitResult) {
        note(outcome)
        finish()
    }

    /// Ends the wait for the change's group.
    func finish() {
        if case .noted(let group, _, _) = source { group.finish() }
    }
}
