import UsherJournal

/// The idempotency keys whose answers a session's record stores, and the sizes of those answers.
///
/// The object shows whether the journal must be searched for a key, and which bodies to delete if all together exceed
/// their limit. A key whose body is deleted is still known: its request is not handled again, and the answer is the
/// session's current state.
///
/// The type is a class because most sessions receive no keys. It is not `Sendable` and never leaves its session's lock.
final class KeptAnswers {
    /// An answer whose body is so large that it may have to be deleted.
    private struct Large {
        /// The answer without its body.
        let answer: KeyedAnswer
        let size: Int
        /// The number of the answer, counted over all answers of the session.
        let number: Int
    }

    /// The hashes of the keys, oldest first.
    private var digests: [Int] = []
    /// The answers with bodies larger than an equal share of the limit, oldest first; smaller bodies always fit.
    private var large: [Large] = []
    private var count = 0
    private let limit: Int

    /// Creates an object without answers.
    ///
    /// - Parameter limit: The approximate limit of the size of all bodies, in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the answers of a record; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - answers: The answers, oldest first.
    ///   - limit: The approximate limit of the size of all bodies, in bytes.
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

    /// Adds the newest answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - size: The size of its body in bytes, which is known even before the body is complete.
    /// - Returns: The oldest answers, without their bodies; their bodies must be deleted because of the limit.
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
