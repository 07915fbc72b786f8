/// Why a journal did not do what it was asked.
public enum JournalError: Error, Equatable, Sendable {
    /// The entry is not the session's next one: somebody else has written, or something was lost.
    case conflict(expected: Int, found: Int)
    /// An entry's bytes are not what was written.
    case corrupt(EntryError)
}
