import UsherJournal

/// The idempotency keys whose answers a session's record stores, and the sizes of those answers.
///
/// The object shows whether the journal must be searched for a key. It also shows which bodies to delete if all bodies
/// together exceed a limit. If an answer's body is deleted, the key is still known: the request is not handled again,
/// and receives the session's current state.
///
/// The type is a class, so that a session without keys stores only `nil`. It is not `Sendable`, and only the holder of
/// the session's lock uses it.
final class KeptAnswers {
    /// An answer with a body that may have to be deleted because of its size.
    private struct Large {
        /// The answer without its body.
        let answer: KeyedAnswer
        let size: Int
        /// The number of the answer, counted over all answers of the session.
        let number: Int
    }

    /// The hashes of the newest keys, oldest first.
    private var digests: [Int] = []
    /// The answers with large bodies, oldest first.
    ///
    /// A body is large if its size exceeds `limit / KeyedAnswer.limit`; smaller bodies always fit.
    private var large: [Large] = []
    private var count = 0
    /// The approximate limit of the size of all bodies, in bytes.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Creates the object for the answers of a record, oldest first; `nil` if the record has no answers.
    static func of(_ answers: [KeyedAnswer], limit: Int) -> KeptAnswers? {
        guard !answers.isEmpty else { return nil }
        let kept = KeptAnswers(limit: limit)
        for answer in answers { kept.note(answer, answer.body.count) }
        return kept
    }

    /// Returns `true` if the record may have an answer for a key.
    func mayContain(_ key: String) -> Bool {
        !digests.isEmpty && digests.contains(key.hashValue)
    }

    /// Adds the newest answer with the size of its body in bytes, which is known even before the body is stored.
    ///
    /// - Returns: The oldest answers, without bodies; because of the limit, the caller must delete their bodies.
    func add(_ answer: KeyedAnswer, _ size: Int) -> [KeyedAnswer] {
        note(answer, size)
        var bytes = large.reduce(0) { $0 + $1.size }
        var outgrown: [KeyedAnswer] = []
        // The newest answer always stays.
        while bytes > limit, large.count > 1 {
            let oldest = large.removeFirst()
            bytes -= oldest.size
            outgrown.append(oldest.answer)
        }
        return outgrown
    }

    private func note(_ answer: KeyedAnswer, _ size: Int) {
        if digests.count == KeyedAnswer.limit { digests.removeFirst() }
        digests.append(answer.key.hashValue)
        count += 1
        large.removeAll { $0.number <= count - KeyedAnswer.limit }
        guard size > limit / KeyedAnswer.limit else { return }
        let bare = KeyedAnswer(
            key: answer.key, fingerprint: answer.fingerprint, revision: answer.revision, body: [])
        large.append(Large(answer: bare, size: size, number: count))
    }
}
