/// Why a journal did not do what it was asked.
package enum JournalError: Error, Equatable, Sendable {
    /// The change does not follow on what is there: somebody else has written, or something was lost.
    case conflict
    /// What is kept of a session is not what was written; it alone is affected.
    case corrupt(EntryError)
    /// The storage does not work now, by its own words; it may later.
    case unavailable(String)
    /// This journal cannot do that at all.
    case unsupported(String)
}

extension JournalError: CustomStringConvertible {
    /// One sentence for an operator.
    package var description: String {
        switch self {
        case .conflict: "the journal is at another revision of this session than its tree"
        case .corrupt(let error): "the session's record is damaged: \(error)"
        case .unavailable(let reason), .unsupported(let reason): reason
        }
    }
}
