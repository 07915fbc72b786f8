/// Why a secret cannot be revealed.
public enum SecretError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nobody needed it any more, so it was erased from the session's journal.
    case erased

    /// One sentence for the log.
    public var description: String {
        "the secret was erased, because nobody held it any more and no handler had read it"
    }
}
