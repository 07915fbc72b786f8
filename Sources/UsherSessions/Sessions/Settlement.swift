import UsherJournal

/// An answer that is made, and leaves once all that it shows is kept.
struct Settlement<Value: Sendable>: Sendable {
    let result: Result<Value, SessionError>
    /// Whether it answers a change, which has not happened unless it is kept; else it can be made again.
    let isChange: Bool
    private let tail: WriteChain?
    private let commit: Commit?

    init(_ result: Result<Value, SessionError>, isChange: Bool = false, tail: WriteChain?, commit: Commit?) {
        self.result = result
        self.isChange = isChange
        self.tail = tail
        self.commit = commit
    }

    /// Whether what it shows will never be kept.
    var isUndone: Bool { tail?.isBroken ?? false }

    /// Whether there is nothing to wait for, and what it shows is kept.
    var isKept: Bool { commit?.isDone ?? true && !isUndone }

    /// Has something done once it is known whether all that the answer shows is kept.
    ///
    /// - Parameter body: Is given the answer; nil where it has to be made again. It takes no time, and no session's lock.
    func whenKept(_ body: @escaping @Sendable (Result<Value, SessionError>?) -> Void) {
        guard let commit else { return body(outcome) }
        commit.whenDone { body(outcome) }
    }

    /// The answer once nothing has to be waited for any more; nil where it has to be made again, for what it showed has
    /// not happened.
    private var outcome: Result<Value, SessionError>? {
        guard let failure = tail?.failure else { return result }
        return isChange ? .failure(.notRecorded(cause: "\(failure)")) : nil
    }

    /// Waits until all that the answer shows is kept.
    ///
    /// - Returns: The answer; nil where it has to be made again, for what it showed has not happened.
    /// - Throws: `SessionError`, the one that is the answer, or `notRecorded`.
    func kept() async throws(SessionError) -> Value? {
        await commit?.wait()
        return try outcome?.get()
    }
}

extension Settlement<Never> {
    /// The same failure for a request that would have another value.
    func `as`<Other>() -> Settlement<Other> {
        Settlement<Other>(result.map { _ -> Other in }, tail: tail, commit: commit)
    }
}
