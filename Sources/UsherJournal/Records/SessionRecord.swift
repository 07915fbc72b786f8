/// The key of a session's record: 128 bits.
package struct JournalKey: Hashable, Sendable {
    /// The first 64 bits.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - high: The first 64 bits.
    ///   - low: The last 64 bits.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Hashes the last 64 bits, which are random and therefore distinguish keys well enough.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }
}

extension JournalKey: Comparable {
    /// Compares the keys' bits.
    package static func < (left: JournalKey, right: JournalKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// A session's record without its entries, which are read in slices.
package struct RecordOutline: Sendable {
    /// The session's header.
    package let head: SessionHeader
    /// The bytes of the stored responses, the oldest first.
    package let answers: [[UInt8]]

    /// Creates an outline.
    ///
    /// - Parameters:
    ///   - head: The session's header.
    ///   - answers: The bytes of the stored responses, the oldest first.
    package init(head: SessionHeader, answers: [[UInt8]]) {
        self.head = head
        self.answers = answers
    }
}

/// All rows of a session, read and checked.
package struct SessionRecord: Sendable {
    /// The session's header.
    package let head: SessionHeader
    /// The session's inputs, with successive revisions; the first is a creation, unless the session has started over.
    package let entries: [Entry]
    /// The stored responses, the oldest first.
    package let answers: [KeyedAnswer]
    /// The version of the record; nil if only one server writes the journal.
    package let token: RecordToken?

    /// Creates a record from entries that are in no journal.
    ///
    /// - Parameters:
    ///   - head: The header.
    ///   - entries: The inputs, with successive revisions.
    package init(_ head: SessionHeader, _ entries: [Entry]) {
        self.head = head
        self.entries = entries
        answers = []
        token = nil
    }

    /// Parses rows, and checks that they are complete and belong together.
    ///
    /// - Parameters:
    ///   - head: The header's bytes.
    ///   - entries: The entries' bytes, in order.
    ///   - answers: The responses' bytes, in order.
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
/// A change is written only if the record still has the version that the change was based on (compare and swap). Each
/// write that changes the record sets a new random mark. The revision alone is not enough: after commits were lost, the
/// same revision exists twice.
package struct RecordToken: Hashable, Sendable {
    /// The revision of the newest entry.
    package let revision: Int
    /// The mark of the newest write, which added an entry or only a response.
    package let mark: UInt64
    /// The mark of the write that added the newest entry, by which a tree recognizes this entry.
    package let entryMark: UInt64

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - revision: The revision of the newest entry.
    ///   - mark: The mark of the newest write.
    ///   - entryMark: The mark of the write that added the newest entry; by default `mark`.
    package init(revision: Int, mark: UInt64, entryMark: UInt64? = nil) {
        self.revision = revision
        self.mark = mark
        self.entryMark = entryMark ?? mark
    }

    /// Returns the token after another write.
    ///
    /// - Parameters:
    ///   - revision: The revision of the newest entry after the write.
    ///   - mark: The write's mark.
    package func followed(to revision: Int, by mark: UInt64) -> RecordToken {
        RecordToken(revision: revision, mark: mark, entryMark: revision == self.revision ? entryMark : mark)
    }
}

/// A session's stored header, with the version of its record.
package struct RecordHead: Equatable, Sendable {
    /// The header.
    package let header: SessionHeader
    /// The version of the record; nil if only one server writes the journal.
    package let token: RecordToken?

    /// Creates a head.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - token: The version of the record.
    package init(_ header: SessionHeader, token: RecordToken? = nil) {
        self.header = header
        self.token = token
    }
}
