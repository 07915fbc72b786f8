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
}

extension JournalKey: Comparable {
    /// The order of their bits.
    package static func < (left: JournalKey, right: JournalKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// All rows of a session, read and checked.
package struct SessionRecord: Sendable {
    /// Its header.
    package let head: SessionHeader
    /// Its inputs, those of the revisions 1, 2, 3 ….
    package let entries: [Entry]
    /// The answers under idempotency keys, the oldest first.
    package let answers: [KeyedAnswer]

    /// Reads rows, and checks that they are all there and belong together.
    ///
    /// - Parameters:
    ///   - head: The header's bytes.
    ///   - entries: The entries' bytes, in order.
    ///   - answers: The answers' bytes, in order.
    ///   - key: The session.
    /// - Throws: `JournalError.corrupt`.
    package init(
        head: [UInt8], entries: [[UInt8]], answers: [[UInt8]], of key: JournalKey
    ) throws(JournalError) {
        let read: SessionHeader
        do throws(EntryError) { read = try SessionHeader(head, of: key) } catch { throw .corrupt(error) }
        try self.init(head: read, entries: entries, answers: answers, of: key)
    }

    /// Reads rows, and checks that they are all there and belong to the header.
    init(head: SessionHeader, entries: [[UInt8]], answers: [[UInt8]], of key: JournalKey) throws(JournalError) {
        self.head = head
        do throws(EntryError) {
            self.entries = try entries.map { bytes throws(EntryError) in try Entry(bytes, of: key) }
            self.answers = try answers.map { bytes throws(EntryError) in try KeyedAnswer(bytes, of: key) }
        } catch {
            throw .corrupt(error)
        }
        guard isComplete else { throw .corrupt(.incomplete) }
    }

    private var isComplete: Bool {
        let expected = head.ending == nil ? head.revision : 0
        return entries.count == expected && answers.count == min(head.answers, KeyedAnswer.limit)
            && zip(entries, 1...).allSatisfy { entry, revision in entry.revision == revision }
    }
}

/// One session in a journal's list.
package struct SessionListing: Sendable {
    /// The session.
    package let key: JournalKey
    /// Its header; nil where its row is damaged.
    package let head: SessionHeader?

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - head: Its header.
    package init(key: JournalKey, head: SessionHeader?) {
        self.key = key
        self.head = head
    }
}
