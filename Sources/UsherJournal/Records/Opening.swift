/// A session that was opened under an idempotency key, and the answer that its client got.
package struct KeyedOpening: Equatable, Sendable {
    /// The session.
    package let session: JournalKey
    /// What the client got.
    package let answer: KeyedAnswer

    /// Makes an opening.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - answer: What the client got.
    package init(session: JournalKey, answer: KeyedAnswer) {
        self.session = session
        self.answer = answer
    }
}
