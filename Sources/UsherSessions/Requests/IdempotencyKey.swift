import UsherJournal

/// A client's name for one request, under which it may send it again (draft-ietf-httpapi-idempotency-key-header).
package struct IdempotencyKey: Sendable {
    /// The name.
    package let text: String
    /// A digest of the request's body: the same name with another body is a mistake.
    package let fingerprint: UInt64?

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - text: The name.
    ///   - fingerprint: A digest of the request's body.
    package init(_ text: String, fingerprint: UInt64) {
        self.text = text
        self.fingerprint = fingerprint
    }

    /// The same name for a request whose body held secrets that are erased: a digest might give them away.
    var blind: IdempotencyKey { IdempotencyKey(text, nil) }

    private init(_ text: String, _ fingerprint: UInt64?) {
        self.text = text
        self.fingerprint = fingerprint
    }

    /// An answer to keep under this key.
    ///
    /// - Parameters:
    ///   - snapshot: What the client is told.
    ///   - isComplete: false for one that still has to wait: it is kept without a body, so that nothing is done twice.
    func answer(_ snapshot: Snapshot, isComplete: Bool = true) -> KeyedAnswer {
        KeyedAnswer(
            key: text, fingerprint: fingerprint, revision: snapshot.revision, body: isComplete ? snapshot.state : [])
    }

    /// The first answer to this key again.
    ///
    /// - Parameters:
    ///   - answer: What the journal keeps under this key.
    ///   - epoch: What tells its revision from others.
    /// - Throws: `SessionError.keyReused` where that was to another request.
    func first(_ answer: KeyedAnswer, epoch: String?) throws(SessionError) -> Snapshot {
        guard answer.fingerprint == nil || answer.fingerprint == fingerprint else { throw .keyReused }
        return Snapshot(answer, epoch: epoch)
    }
}
