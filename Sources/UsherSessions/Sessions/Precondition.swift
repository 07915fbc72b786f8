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
