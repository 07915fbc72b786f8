import UsherJournal

/// The condition that must be met before an answer is sent.
enum AnswerCondition: Sendable {
    /// There is no condition, because the answer shows nothing of the record.
    case none
    /// The answer's own change is durable.
    case change
    /// The state that the answer shows is durable and still the newest.
    case state
}

/// An answer that may be sent only when everything that the answer shows is durable.
///
/// If several servers share the journal, the journal must also confirm that the shown state is still the newest.
struct PendingAnswer<Value: Sendable>: Sendable {
    let result: Result<Value, SessionError>
    let condition: AnswerCondition
    /// The commit of the answer's own change, or of the newest change in the shown state.
    let commit: PendingCommit
    let lineage: Lineage

    /// Creates an answer that shows nothing of the record.
    init(_ result: Result<Value, SessionError>) {
        self.init(result, if: .none, upon: .done, of: .none)
    }

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
    /// Returns the answer that a session has ended, according to the journal.
    static func ended(_ tombstone: Tombstone, at version: RecordToken?) -> PendingAnswer {
        PendingAnswer(
            .failure(.ended(tombstone)), if: .state, upon: PendingCommit(.success(version)), of: Lineage())
    }

    /// Returns an answer with the same failure and another type of value.
    func `as`<Other>() -> PendingAnswer<Other> {
        PendingAnswer<Other>(result.map { _ -> Other in }, if: condition, upon: commit, of: lineage)
    }
}
