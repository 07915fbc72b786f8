/// The key of a session's record: 128 bits.
package struct JournalKey: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Hashes only the last 64 bits, which are random and distinguish keys well enough.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }
}

extension JournalKey: Comparable {
    package static func < (left: JournalKey, right: JournalKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// A session's record without its entries, which journals read in slices.
package struct RecordOutline: Sendable {
    package let head: SessionHeader
    /// The bytes of the stored responses, oldest first.
    package let answers: [[UInt8]]

    package init(head: SessionHeader, answers: [[UInt8]]) {
        self.head = head
        self.answers = answers
    }
}

/// All rows of a session, read and checked.
package struct SessionRecord: Sendable {
    package let head: SessionHeader
    /// The session's entries with successive revisions; the first entry is a creation.
    package let entries: [Entry]
    /// The stored responses, oldest first.
    package let answers: [KeyedAnswer]
    /// The version of the record; nil if only one server writes the journal.
    package let token: RecordToken?

    package init(_ head: SessionHeader, _ entries: [Entry]) {
        self.head = head
        self.entries = entries
        answers = []
        token = nil
    }

    /// Parses rows, which must be in order, and checks that they are complete and belong together.
    ///
    /// - Throws: `JournalError.corrupt`.
    package init(
        head: [UInt8], entries: [[UInt8]], answers: [[UInt8]], of key: JournalKey, token: RecordToken? = nil
    ) throws(JournalError) {
        let read: SessionHeader
        do throws(EntryError) { read = try SessionHeader(head, of: key) } catch { throw .corrupt(error) }
        try self.init(RecordOutline(head: read, answers: answers), entries: entries, of: key, token: token)
    }

    /// Parses rows, and checks that they are complete and belong to an outline.
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

/// The version of a session's record in a journal with several writers.
///
/// A change is written only if the record still has the version that the change builds on (compare and swap). Each
/// write that changes the record gives it a new random number, the mark. The revision is not enough as a version,
/// because the same revision may exist twice if commits were lost.
package struct RecordToken: Hashable, Sendable {
    /// The revision of the newest entry.
    package let revision: Int
    /// The mark of the newest write, even if this write added no entry but only a response.
    package let mark: UInt64
    /// The mark of the write that added the newest entry, by which a tree recognizes the entry.
    package let entryMark: UInt64

    package init(revision: Int, mark: UInt64, entryMark: UInt64? = nil) {
        self.revision = revision
        self.mark = mark
        self.entryMark = entryMark ?? mark
    }

    package func followed(to revision: Int, by mark: UInt64) -> RecordToken {
        RecordToken(revision: revision, mark: mark, entryMark: revision == self.revision ? entryMark : mark)
    }
}

/// A session's stored header, with the version of its record.
package struct RecordHead: Equatable, Sendable {
    package let header: SessionHeader
    /// The version of the record; nil if only one server writes the journal.
    package let token: RecordToken?

    package init(_ header: SessionHeader, token: RecordToken? = nil) {
        self.header = header
        self.token = token
    }
}
