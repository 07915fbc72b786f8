/// The answer to the first request with an idempotency key, to be given again to every other.
///
/// A class, for each change of a journal has the place for one, and most have none.
package final class KeyedAnswer: Sendable {
    /// The client's key.
    package let key: String
    /// A digest of the request's body; nil once the body held a secret that was erased.
    package let fingerprint: UInt64?
    /// The revision that the answer shows.
    package let revision: Int
    /// The answer's body.
    package let body: [UInt8]

    /// The number of a session's answers that stay stored, the newest.
    package static let limit = 16

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - key: The client's key.
    ///   - fingerprint: A digest of the request's body.
    ///   - revision: The revision that the answer shows.
    ///   - body: The answer's body.
    package init(key: String, fingerprint: UInt64?, revision: Int, body: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
        self.revision = revision
        self.body = body
    }

    /// The same without the digest, from which a short secret could be guessed.
    package var withoutFingerprint: KeyedAnswer {
        KeyedAnswer(key: key, fingerprint: nil, revision: revision, body: body)
    }
}

extension KeyedAnswer: Equatable {
    package static func == (left: KeyedAnswer, right: KeyedAnswer) -> Bool {
        (left.key, left.fingerprint, left.revision) == (right.key, right.fingerprint, right.revision)
            && left.body == right.body
    }
}

extension KeyedAnswer {
    /// The answer as a row's bytes.
    ///
    /// - Parameter session: The session.
    package func bytes(of session: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: key.utf8.count + body.count + 24)
        writer.text(key)
        writer.byte(fingerprint == nil ? 0 : 1)
        writer.littleEndian(fingerprint ?? 0, count: 8)
        writer.integer(revision)
        writer.bytes(body)
        return writer.sealed(for: session)
    }

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes(of:)` once was.
    ///   - session: The session that it must belong to.
    /// - Throws: `EntryError`.
    package convenience init(_ bytes: [UInt8], of session: JournalKey) throws(EntryError) {
        var reader = try ByteReader(bytes, of: session)
        let key = try reader.text()
        let isKnown = try reader.byte() == 1
        let fingerprint = try reader.littleEndian(count: 8)
        self.init(
            key: key, fingerprint: isKnown ? fingerprint : nil, revision: try reader.integer(),
            body: try reader.bytes())
        guard reader.isAtEnd else { throw .malformed }
    }
}

/// A session that was opened under an idempotency key, and the answer that its client got.
package struct KeyedOpening: Equatable, Sendable {
    /// The session.
    package let session: JournalKey
    /// The answer that the client got.
    package let answer: KeyedAnswer

    /// Makes an opening.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - answer: The answer that the client got.
    package init(session: JournalKey, answer: KeyedAnswer) {
        self.session = session
        self.answer = answer
    }
}
