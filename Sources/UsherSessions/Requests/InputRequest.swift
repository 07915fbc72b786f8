package import Usher

/// What a client asks of a session: an input, and under which conditions.
package struct InputRequest: Sendable {
    /// What the user did, or what a backend tells.
    package let content: InputContent
    /// What must be true of the revision, else nothing happens.
    package let precondition: Precondition
    /// The key under which the first answer is kept.
    package let key: IdempotencyKey?
    /// How long the answer may wait for the effects that the input begins; nil for not at all.
    package let wait: Duration?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - content: What the user did, or what a backend tells.
    ///   - precondition: What must be true of the revision.
    ///   - key: The key under which the first answer is kept.
    ///   - wait: How long the answer may wait for the effects that the input begins.
    package init(
        _ content: InputContent, if precondition: Precondition = .none, key: IdempotencyKey? = nil,
        wait: Duration? = nil
    ) {
        self.content = content
        self.precondition = precondition
        self.key = key
        self.wait = wait
    }

    /// Makes a request of what the user did.
    ///
    /// - Parameters:
    ///   - action: What the user did.
    ///   - precondition: What must be true of the revision.
    ///   - key: The key under which the first answer is kept.
    ///   - wait: How long the answer may wait for the effects that the input begins.
    package init(
        _ action: InputAction, if precondition: Precondition = .none, key: IdempotencyKey? = nil,
        wait: Duration? = nil
    ) {
        self.init(.action(action), if: precondition, key: key, wait: wait)
    }
}

/// What must be true of a session's revision for a request to count (RFC 9110, section 13.1.1, `If-Match`).
package enum Precondition: Equatable, Sendable {
    /// Any revision will do.
    case none
    /// The revision must be one of these.
    case revision(oneOf: [Int])

    func holds(for revision: Int) -> Bool {
        switch self {
        case .none: true
        case .revision(let revisions): revisions.contains(revision)
        }
    }
}
