/// The version of a session's record on a journal with several writers: a change counts only upon the version that it was
/// made upon (compare and swap).
///
/// The mark is random, new with every write that changes a record. The revision alone would not do: after commits were
/// lost, the same revision is there twice.
package struct RecordToken: Hashable, Sendable {
    /// The revision of the newest entry.
    package let revision: Int
    /// The mark of the newest write: of an entry, or of an answer alone.
    package let mark: UInt64
    /// The mark of the write that brought the newest entry, by which a tree knows it again.
    package let entryMark: UInt64

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - revision: The revision of the newest entry.
    ///   - mark: The mark of the newest write.
    ///   - entryMark: The mark of the write that brought that entry; the same unless told.
    package init(revision: Int, mark: UInt64, entryMark: UInt64? = nil) {
        self.revision = revision
        self.mark = mark
        self.entryMark = entryMark ?? mark
    }

    /// The token after another write.
    ///
    /// - Parameters:
    ///   - revision: The revision of the newest entry then.
    ///   - mark: The write's mark.
    package func followed(to revision: Int, by mark: UInt64) -> RecordToken {
        RecordToken(revision: revision, mark: mark, entryMark: revision == self.revision ? entryMark : mark)
    }
}

/// A session's header as it is stored, with the version of its record.
package struct RecordHead: Equatable, Sendable {
    /// The header.
    package let header: SessionHeader
    /// The version of the record; nil where one writer has the journal.
    package let token: RecordToken?

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - token: The version of the record.
    package init(_ header: SessionHeader, token: RecordToken? = nil) {
        self.header = header
        self.token = token
    }
}
