/// The response to the first request with an idempotency key, which repeated requests with this key get, too.
///
/// The type is a class, because each change in a journal has a field for a response, and most changes have no response.
package final class KeyedAnswer: Sendable {
    package let key: String
    /// A digest of the request's body; nil if the body contained a secret, because a short secret could be guessed from
    /// the digest.
    package let fingerprint: UInt64?
    package let revision: Int
    package let body: [UInt8]

    /// The maximum number of responses that a session stores; the newest responses stay.
    package static let limit = 16

    package init(key: String, fingerprint: UInt64?, revision: Int, body: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
        self.revision = revision
        self.body = body
    }

    /// Returns a Boolean value indicating whether this response replaces a stored response, because both have the same
    /// key.
    ///
    /// - Throws: `JournalError.corrupt`.
    package func replaces(_ bytes: [UInt8], of session: JournalKey) throws(JournalError) -> Bool {
        do throws(EntryError) { return try KeyedAnswer(bytes, of: session).key == key } catch { throw .corrupt(error) }
    }
}

extension KeyedAnswer: Equatable {
    package static func == (left: KeyedAnswer, right: KeyedAnswer) -> Bool {
        (left.key, left.fingerprint, left.revision) == (right.key, right.fingerprint, right.revision)
            && left.body == right.body
    }
}

extension KeyedAnswer {
    /// Returns the response as a row's bytes.
    package func bytes(of session: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: key.utf8.count + body.count + 24)
        writer.text(key)
        writer.byte(fingerprint == nil ? 0 : 1)
        writer.littleEndian(fingerprint ?? 0, count: 8)
        writer.integer(revision)
        writer.bytes(body)
        return writer.sealed(for: session)
    }

    /// Parses a response, which must belong to the given session.
    ///
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

/// A session that was opened with an idempotency key, and the stored response to the opening.
package struct KeyedOpening: Equatable, Sendable {
    package let session: JournalKey
    package let answer: KeyedAnswer

    package init(session: JournalKey, answer: KeyedAnswer) {
        self.session = session
        self.answer = answer
    }

    /// Parses the stored response to a session's opening.
    ///
    /// - Throws: `JournalError.corrupt` if the bytes are damaged, or belong to another key.
    package init(_ content: [UInt8], of session: JournalKey, under key: String) throws(JournalError) {
        self.session = session
        answer = try intact { () throws(EntryError) in try KeyedAnswer(content, of: session) }
        guard answer.key == key else { throw .corrupt(.malformed) }
    }
}

/// Reads stored bytes; if the bytes are damaged, throws `JournalError.corrupt`.
package func intact<Value>(_ read: () throws(EntryError) -> Value) throws(JournalError) -> Value {
    do throws(EntryError) { return try read() } catch { throw .corrupt(error) }
}
