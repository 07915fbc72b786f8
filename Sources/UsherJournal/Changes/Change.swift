/// One step in a session's record: as a whole it is kept, or it has not happened.
package struct JournalChange: Sendable {
    /// What becomes of the record.
    package enum Action: Sendable {
        /// A session begins with these entries, of the revisions 1, 2, 3 …; with the answer, where a key was given.
        case create(SessionHeader, entries: [[UInt8]], opening: KeyedAnswer?)
        /// The next entry: that of the new head's revision.
        case append(SessionHeader, entry: [UInt8], answer: KeyedAnswer?)
        /// Nothing but an answer to keep: the request changed nothing.
        case keep(SessionHeader, answer: KeyedAnswer)
        /// The body of an answer that was kept without one, for what it waited for has come.
        case complete(KeyedAnswer)
        /// The session ends as the head says: its entries go; its answers stay until it is purged.
        case end(SessionHeader, answer: KeyedAnswer?)
        /// The secrets of an entry are no longer needed, nor the fingerprints of the answers that show its revision.
        case erase(revision: Int)
        /// The session was in use at a time that its entries do not show: milliseconds since 1970.
        case touch(Int64)
    }

    /// The session.
    package let key: JournalKey
    /// Where it is put: one for all changes that build on each other.
    package let tail: WriteChain
    /// What becomes of the record.
    package let action: Action

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - action: What becomes of the record.
    ///   - key: The session.
    ///   - tail: Where it is put; a new one where nothing builds on it.
    package init(_ action: Action, of key: JournalKey, at tail: WriteChain = WriteChain()) {
        self.key = key
        self.tail = tail
        self.action = action
    }
}
