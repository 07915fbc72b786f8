import UsherFuture
import UsherJournal

/// An answer whose commit is outstanding: it leaves once all that it shows is durable, and, where several servers share the
/// journal, once that has confirmed that it is still so.
struct PendingAnswer<Value: Sendable>: Sendable {
    /// The value or the error.
    let result: Result<Value, SessionError>
    /// Set where it answers a change, which has not happened unless it is durable; any other answer can be made again.
    private let isChange: Bool
    /// Set where other servers may have been first: a change that lost to theirs is made again.
    private let isShared: Bool
    /// The revision that the change has brought; 0 for none.
    private let revision: Int
    private let chain: WriteChain?
    private let commit: Commit?
    /// The journal's word that it is still so, where other servers may have written.
    private let confirmation: VersionConfirmation?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - result: The value or the error.
    ///   - isChange: Set where it answers a change.
    ///   - revision: The revision that the change has brought; 0 for none.
    ///   - isShared: Set where other servers may have been first.
    ///   - chain: The chain of the writes that it shows; nil where they are durable already.
    ///   - commit: The newest commit that it waits for; nil where there is nothing to wait for.
    init(
        _ result: Result<Value, SessionError>, isChange: Bool = false, revision: Int = 0, isShared: Bool = false,
        chain: WriteChain? = nil, commit: Commit? = nil
    ) {
        self.result = result
        self.isChange = isChange
        self.revision = revision
        self.isShared = isShared
        self.chain = chain
        self.commit = commit
        confirmation = nil
    }

    /// Makes an answer that is no change, where other servers may have written.
    ///
    /// - Parameters:
    ///   - result: The value or the error.
    ///   - chain: The chain of the tree that it shows.
    ///   - confirmation: The journal's word that it is still so.
    init(_ result: Result<Value, SessionError>, chain: WriteChain, confirmation: VersionConfirmation) {
        self.result = result
        isChange = false
        revision = 0
        isShared = true
        self.chain = chain
        commit = confirmation.commit
        self.confirmation = confirmation
    }

    /// True once a write failed that it shows: it will never be durable.
    var isUndone: Bool { chain?.isBroken ?? false }

    /// The reason why it is.
    var failure: JournalError? { chain?.failure }

    /// True once others are known to have written since; a change of its own is not outdated by that.
    var isOutdated: Bool { !isChange && chain?.isBehind ?? false }

    /// The newest revision that its chain has seen durable, where several servers write.
    var durableRevision: Int? { chain?.token?.revision }

    /// True once all that it shows is durable, and confirmed.
    var isDurable: Bool {
        guard commit?.isDone ?? true else { return false }
        if let confirmation { return confirmation.isConfirmed }
        guard let chain, !chain.isSound else { return true }
        return isChange && !chain.isBroken
    }

    /// The answer once its commit is done; nil where it has to be made again, for what it showed has not happened.
    ///
    /// It is handed over on the journal's thread: the receiver takes no time, and no session's lock.
    var outcome: Future<Result<Value, SessionError>?> {
        guard let outstanding else { return .ready(settled) }
        return .after(outstanding) { settled }
    }

    /// The commit that it waits for; nil where that is done.
    var outstanding: Commit? {
        guard let commit, !commit.isDone else { return nil }
        return commit
    }

    /// The outcome for a request that has read the journal itself: what stands at the version that it found needs no
    /// other confirmation, unless the tree has handled an input since.
    ///
    /// - Parameter version: The version that the request has read; nil where it has read none.
    func outcome(knowing version: RecordToken?) -> Future<Result<Value, SessionError>?> {
        guard let version, !isChange, let chain, chain.outstanding?.isDone ?? true, chain.isSound,
            chain.token == version
        else { return outcome }
        return .ready(result)
    }

    /// The same answer to a later request: the journal has to confirm it anew.
    ///
    /// - Parameters:
    ///   - peers: The other servers on the journal.
    ///   - key: The session.
    func confirmed(by peers: any JournalPeers, of key: JournalKey) -> PendingAnswer {
        guard let chain, commit?.isDone ?? true else { return self }
        return PendingAnswer(result, chain: chain, confirmation: peers.confirm(key, at: chain))
    }

    /// The outcome, once the commit is done.
    var settled: Result<Value, SessionError>? {
        if let confirmation { return confirmation.isConfirmed ? result : nil }
        guard let chain, !chain.isSound else { return result }
        guard isChange else { return nil }
        guard let failure = chain.failure else { return result }
        // It may be a later change of the tree that has failed, or one that erases what is no longer needed.
        if revision > 0, isShared ? chain.token?.revision ?? 0 >= revision : !chain.hasLost(revision) { return result }
        return isShared && failure == .conflict ? nil : .failure(SessionError(writing: failure))
    }
}

extension PendingAnswer<Never> {
    /// The same failure for a request that would have another value.
    func `as`<Other>() -> PendingAnswer<Other> {
        let result = result.map { _ -> Other in }
        if let chain, let confirmation {
            return PendingAnswer<Other>(result, chain: chain, confirmation: confirmation)
        }
        return PendingAnswer<Other>(
            result, isChange: isChange, revision: revision, isShared: isShared, chain: chain, commit: commit)
    }
}
