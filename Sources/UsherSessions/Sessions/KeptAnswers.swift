import UsherJournal

/// The answers that a session's record keeps: enough to know when the journal need not be asked for a key, and which
/// bodies go when all together have outgrown their limit.
///
/// A key whose body has gone is still known: its request is not done again, and is answered with the session as it stands.
///
/// An object, for most sessions are sent no keys. Not `Sendable`: it never leaves its session's lock.
final class KeptAnswers {
    /// An answer whose body is large enough to be given up.
    private struct Large {
        /// The answer without its body.
        let answer: KeyedAnswer
        let size: Int
        /// Its place among all answers so far.
        let number: Int
    }

    /// Digests of the keys, the oldest first.
    private var digests: [Int] = []
    /// Those of more bytes than an equal share of the limit, the oldest first: without these, all others have room.
    private var large: [Large] = []
    private var count = 0
    private let limit: Int

    /// Takes up no answer yet.
    ///
    /// - Parameter limit: Bytes that all bodies may take, about.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes up the answers that a record has; nil where it has none.
    ///
    /// - Parameters:
    ///   - answers: The answers, the oldest first.
    ///   - limit: Bytes that all bodies may take, about.
    static func of(_ answers: [KeyedAnswer], limit: Int) -> KeptAnswers? {
        guard !answers.isEmpty else { return nil }
        let kept = KeptAnswers(limit: limit)
        for answer in answers { kept.note(answer, answer.body.count) }
        return kept
    }

    /// True where the record may have an answer under a key.
    func mayContain(_ key: String) -> Bool {
        !digests.isEmpty && digests.contains(key.hashValue)
    }

    /// Takes in the newest answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - size: The bytes of its body, also while that is outstanding.
    /// - Returns: The oldest answers, without their bodies, where all together have outgrown the limit.
    func add(_ answer: KeyedAnswer, _ size: Int) -> [KeyedAnswer] {
        note(answer, size)
        var bytes = large.reduce(0) { $0 + $1.size }
        var outgrown: [KeyedAnswer] = []
        // The newest stays in any case.
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
        // Without its fingerprint, which may be a secret's that was erased meanwhile.
        let bare = KeyedAnswer(key: answer.key, fingerprint: nil, revision: answer.revision, body: [])
        large.append(Large(answer: bare, size: size, number: count))
    }
}
