import UsherFuture
import UsherJournal

/// An answer whose commit is outstanding: it leaves once all that it shows is durable.
struct PendingAnswer<Value: Sendable>: Sendable {
    /// The value or the error.
    let result: Result<Value, SessionError>
    /// Set where it answers a change, which has not happened unless it is durable; any other answer can be made again.
    private let isChange: Bool
    private let chain: WriteChain?
    private let commit: Commit?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - result: The value or the error.
    ///   - isChange: Set where it answers a change.
    ///   - chain: The chain of the writes that it shows; nil where they are durable already.
    ///   - commit: The newest commit that it waits for; nil where there is nothing to wait for.
    init(
        _ result: Result<Value, SessionError>, isChange: Bool = false, chain: WriteChain? = nil, commit: Commit? = nil
    ) {
        self.result = result
        self.isChange = isChange
        self.chain = chain
        self.commit = commit
    }

    /// True once a write failed that it shows: it will never be durable.
    var isUndone: Bool { chain?.isBroken ?? false }

    /// True once all that it shows is durable.
    var isDurable: Bool { commit?.isDone ?? true && !isUndone }

    /// The answer once its commit is done; nil where it has to be made again, for what it showed has not happened.
    ///
    /// It is handed over on the journal's thread: the receiver takes no time, and no session's lock.
    var outcome: Future<Result<Value, SessionError>?> {
        guard let commit, !commit.isDone else { return .ready(settled) }
        return .callback { receive in commit.whenDone { receive(settled) } }
    }

    /// The outcome, once the commit is done.
    private var settled: Result<Value, SessionError>? {
        guard let failure = chain?.failure else { return result }
        return isChange ? .failure(SessionError(writing: failure)) : nil
    }
}

extension PendingAnswer<Never> {
    /// The same failure for a request that would have another value.
    func `as`<Other>() -> PendingAnswer<Other> {
        PendingAnswer<Other>(result.map { _ -> Other in }, isChange: isChange, chain: chain, commit: commit)
    }
}
