/// A session that was opened under an idempotency key, and the answer that its client got.
public struct Opening: Equatable, Sendable {
    /// The session.
    public let session: JournalKey
    /// What the client got.
    public let answer: KeyedAnswer

    /// Makes an opening.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - answer: What the client got.
    public init(session: JournalKey, answer: KeyedAnswer) {
        self.session = session
        self.answer = answer
    }
}
