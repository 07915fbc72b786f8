/// The key of a session's record: 128 bits.
package struct JournalKey: Hashable, Sendable {
    /// The first 64 bits.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - high: The first 64 bits.
    ///   - low: The last 64 bits.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Hashes the last 64 bits: they are random, and tell keys apart as well as all do.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }
}

extension JournalKey: Comparable {
    /// The order of their bits.
    package static func < (left: JournalKey, right: JournalKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// A session's record but for its entries, which are read in slices.
package struct RecordOutline: Sendable {
    /// Its header.
    package let head: SessionHeader
    /// The bytes of the answers under idempotency keys, the oldest first.
    package let answers: [[UInt8]]

    /// Makes an outline.
    ///
    /// - Parameters:
    ///   - head: Its header.
    ///   - answers: The answers' bytes, the oldest first.
    package init(head: SessionHeader, answers: [[UInt8]]) {
        self.head = head
        self.answers = answers
    }
}

/// All rows of a session, read and checked.
package struct SessionRecord: Sendable {
    /// Its header.
    package let head: SessionHeader
    /// Its inputs, those of successive revisions, the first of which is a creation's.
    package let entries: [Entry]
    /// The answers under idempotency keys, the oldest first.
    package let answers: [KeyedAnswer]
    /// The version of the record; nil where one writer has the journal.
    package let token: RecordToken?

    /// Makes a record of entries that no journal has.
    ///
    /// - Parameters:
    ///   - head: The header.
    ///   - entries: The inputs, those of successive revisions.
    package init(_ head: SessionHeader, _ entries: [Entry]) {
        self.head = head
        self.entries = entries
        answers = []
        token = nil
    }

    /// Reads rows, and checks that they are all there and belong together.
    ///
    /// - Parameters:
    ///   - head: The header's bytes.
    ///   - entries: The entries' bytes, in order.
    ///   - answers: The answers' bytes, in order.
    ///   - key: The session.
    ///   - token: The version of the record.
    /// - Throws: `JournalError.corrupt`.
    package init(
        head: [UInt8], entries: [[UInt8]], answers: [[UInt8]], of key: JournalKey, token: RecordToken? = nil
    ) throws(JournalError) {
        let read: SessionHeader
        do throws(EntryError) { read = try SessionHeader(head, of: key) } catch { throw .corrupt(error) }
        try self.init(RecordOutline(head: read, answers: answers), entries: entries, of: key, token: token)
    }

    /// Reads rows, and checks that they are all there and belong to the outline.
    init(
        _ outline: RecordOutline, entries: [[UInt8]], of key: JournalKey, token: RecordToken? = nil
    ) throws(JournalError) {
        head = outline.head
        self.token = token
        do throws(EntryError) {
            self.entries = try entries.map { bytes throws(EntryError) in try Entry(bytes, of: key) }
            answers = try outline.answers.map { bytes throws(EntryError) in try KeyedAnswer(bytes, of: key) }
        } catch {
            throw .corrupt(error)
        }
        guard isComplete else { throw .corrupt(.incomplete) }
    }

    private var isComplete: Bool {
        entries.count == head.entryCount && answers.count == min(head.answers, KeyedAnswer.limit)
            && zip(entries, head.history.start...).allSatisfy { entry, revision in entry.revision == revision }
    }
}

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
