import UsherJournal
import UsherSessions

extension SessionID {
    /// The session's key in a journal.
    var key: JournalKey {
        let words = [text.prefix(16), text.suffix(16)].map { UInt64($0, radix: 16) ?? 0 }
        return JournalKey(high: words[0], low: words[1])
    }
}
