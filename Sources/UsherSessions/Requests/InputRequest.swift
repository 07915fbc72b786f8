package import Usher
import UsherJournal

/// A client's request to a session: an input, and the conditions under which it counts.
package struct InputRequest: Sendable {
    /// The input: what the user did, or what a backend tells.
    package let content: InputContent
    /// The condition on the revision; where it does not hold, nothing happens.
    package let precondition: Precondition
    /// The key under which the journal has the first answer.
    package let key: IdempotencyKey?
    /// The time that the answer may wait for the effects which the input begins; nil for not at all.
    package let wait: Duration?
    /// The claim by which it is let into the session.
    package let claim: SessionClaim

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - content: The input: what the user did, or what a backend tells.
    ///   - precondition: The condition on the revision.
    ///   - key: The key under which the journal has the first answer.
    ///   - wait: The time that the answer may wait for the effects which the input begins.
    ///   - claim: The claim by which it is let into the session.
    package init(
        _ content: InputContent, if precondition: Precondition = .none, key: IdempotencyKey? = nil,
        wait: Duration? = nil, for claim: SessionClaim = .granted
    ) {
        self.content = content
        self.precondition = precondition
        self.key = key
        self.wait = wait
        self.claim = claim
    }

    /// Makes a request of what the user did.
    ///
    /// - Parameters:
    ///   - action: The user's action.
    ///   - precondition: The condition on the revision.
    ///   - key: The key under which the journal has the first answer.
    ///   - wait: The time that the answer may wait for the effects which the input begins.
    ///   - claim: The claim by which it is let into the session.
    package init(
        _ action: InputAction, if precondition: Precondition = .none, key: IdempotencyKey? = nil,
        wait: Duration? = nil, for claim: SessionClaim = .granted
    ) {
        self.init(.action(action), if: precondition, key: key, wait: wait, for: claim)
    }
}

/// A condition on a session's revision under which a request counts (RFC 9110, section 13.1.1, `If-Match`).
package enum Precondition: Equatable, Sendable {
    /// Any revision will do.
    case none
    /// The revision must be one of these, and of the epoch in which the client has seen it.
    case revision(oneOf: [Int], epoch: String? = nil)

    /// True where a session at a revision meets it.
    ///
    /// - Parameters:
    ///   - revision: The session's revision.
    ///   - epoch: The journal's epoch, as it is now: it may be another by the time that a request is made again.
    package func holds(for revision: Int, in epoch: @autoclosure () -> String?) -> Bool {
        switch self {
        case .none: true
        case .revision(let revisions, let seen): revisions.contains(revision) && seen == epoch()
        }
    }
}

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

    /// The answer that the journal gets under this key.
    ///
    /// - Parameters:
    ///   - snapshot: The answer for the client.
    ///   - isComplete: False for one that still waits: it is written without a body, so that nothing is done twice.
    func answer(_ snapshot: Snapshot, isComplete: Bool = true) -> KeyedAnswer {
        KeyedAnswer(
            key: text, fingerprint: fingerprint, revision: snapshot.revision, body: isComplete ? snapshot.state : [])
    }

    /// The first answer to this key again.
    ///
    /// - Parameters:
    ///   - answer: The answer that the journal has under this key.
    ///   - epoch: The mark that tells its revision from others.
    /// - Throws: `SessionError.keyReused` where that was to another request.
    func first(_ answer: KeyedAnswer, epoch: String?) throws(SessionError) -> Snapshot {
        guard answer.fingerprint == nil || answer.fingerprint == fingerprint else {
            throw .keyReused(current: nil)
        }
        return Snapshot(answer, epoch: epoch)
    }
}
