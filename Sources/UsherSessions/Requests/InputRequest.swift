package import Usher
import UsherJournal

/// An input for a session, and the conditions under which the session handles the input.
package struct InputRequest: Sendable {
    /// The user's action or the backend's message.
    package let content: InputContent
    /// The condition on the revision; if the condition is not met, the request does nothing.
    package let precondition: Precondition
    /// The key under which the journal stores the first answer.
    package let key: IdempotencyKey?
    /// The longest time that the answer may wait for the effects that the input starts; `nil` to not wait.
    package let wait: Duration?
    /// The token or right with which the request enters the session.
    package let claim: SessionClaim

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
}

/// A condition that a session's revision must meet (RFC 9110, section 13.1.1, `If-Match`).
package enum Precondition: Equatable, Sendable {
    /// Every revision meets the condition.
    case none
    /// The revision must be in this list, and the journal must be in the given epoch.
    case revision(oneOf: [Int], epoch: String? = nil)

    /// Returns a Boolean value that indicates whether a session's revision meets the condition.
    ///
    /// The journal's epoch may change between two attempts of a request.
    package func holds(for revision: Int, in epoch: @autoclosure () -> String?) -> Bool {
        switch self {
        case .none: true
        case .revision(let revisions, let seen): revisions.contains(revision) && seen == epoch()
        }
    }
}

/// A client's name for a request, under which the client can safely repeat the request
/// (draft-ietf-httpapi-idempotency-key-header).
package struct IdempotencyKey: Sendable {
    /// The name.
    package let text: String
    /// A digest of the request's body, which shows that a later request with the same name is another request.
    package let fingerprint: UInt64?

    package init(_ text: String, fingerprint: UInt64) {
        self.text = text
        self.fingerprint = fingerprint
    }

    /// The same key without the digest, which could reveal secrets in the body.
    var blind: IdempotencyKey { IdempotencyKey(text, nil) }

    private init(_ text: String, _ fingerprint: UInt64?) {
        self.text = text
        self.fingerprint = fingerprint
    }

    /// Returns the answer that the journal stores for this key.
    ///
    /// If `isComplete` is `false`, the answer still waits for effects and is stored without a body, so that a retry
    /// does not repeat the input.
    func answer(_ snapshot: Snapshot, isComplete: Bool = true) -> KeyedAnswer {
        KeyedAnswer(
            key: text, fingerprint: fingerprint, revision: snapshot.revision, body: isComplete ? snapshot.state : [])
    }

    /// Returns the stored first answer for this key.
    ///
    /// - Throws: `SessionError.keyReused` if the answer belongs to another request.
    func first(_ answer: KeyedAnswer, epoch: String?) throws(SessionError) -> Snapshot {
        guard answer.fingerprint == nil || answer.fingerprint == fingerprint else {
            throw .keyReused(current: nil)
        }
        return Snapshot(answer, epoch: epoch)
    }
}
