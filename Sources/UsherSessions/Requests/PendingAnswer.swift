import UsherJournal

/// What has to be true before an answer leaves.
enum AnswerCondition: Sendable {
    /// Nothing: the answer shows nothing of the record.
    case none
    /// Its own change has happened.
    case change
    /// The state that it shows is durable, and still the newest.
    case state
}

/// An answer that leaves once all that it shows is durable, and, if several servers share the journal, once the journal has
/// confirmed that nobody else has written since.
struct PendingAnswer<Value: Sendable>: Sendable {
    /// The value or the error.
    let result: Result<Value, SessionError>
    let condition: AnswerCondition
    /// The answer's own change, or the newest change of the state that it shows.
    let commit: PendingCommit
    /// The lineage of the tree that has made the answer.
    let lineage: Lineage

    /// Creates an answer that shows nothing of the record.
    init(_ result: Result<Value, SessionError>) {
        self.init(result, if: .none, upon: .done, of: .none)
    }

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - result: The value or the error.
    ///   - condition: What has to be true before the answer leaves.
    ///   - commit: The answer's own change, or the newest change of the state that it shows.
    ///   - lineage: The lineage of the tree that makes the answer.
    init(
        _ result: Result<Value, SessionError>, if condition: AnswerCondition, upon commit: PendingCommit,
        of lineage: Lineage
    ) {
        self.result = result
        self.condition = condition
        self.commit = commit
        self.lineage = lineage
    }
}

extension PendingAnswer<Never> {
    /// The end of a session as the journal has it.
    ///
    /// - Parameters:
    ///   - tombstone: The remains.
    ///   - version: The version of the record; nil where one server has the journal.
    static func ended(_ tombstone: Tombstone, at version: RecordToken?) -> PendingAnswer {
        PendingAnswer(
            .failure(.ended(tombstone)), if: .state, upon: PendingCommit(.success(version)), of: Lineage())
    }

    /// The same failure for a request that would have another value.
    func `as`<Other>() -> PendingAnswer<Other> {
        PendingAnswer<Other>(result.map { _ -> Other in }, if: condition, upon: commit, of: lineage)
    }
}
