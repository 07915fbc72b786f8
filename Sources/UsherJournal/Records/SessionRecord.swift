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

/// The first row of a session: enough to list it, to append to it, and to say how it ended.
package struct SessionHeader: Equatable, Sendable {
    /// The end of a session.
    ///
    /// A class, for a header is copied with each event, and this comes once.
    package final class End: Sendable {
        /// In a word, such as `expired`.
        package let reason: String
        /// Its time: milliseconds since 1970.
        package let time: Int64
        /// More for clients, such as the session's result: of a bounded size, and empty for nothing.
        package let details: [UInt8]

        /// Makes an ending.
        ///
        /// - Parameters:
        ///   - reason: In a word.
        ///   - time: When: milliseconds since 1970.
        ///   - details: More for clients.
        package init(reason: String, time: Int64, details: [UInt8] = []) {
            self.reason = reason
            self.time = time
            self.details = details
        }
    }

    /// The name of its app.
    package let app: String
    /// The time at which it was opened: milliseconds since 1970.
    package let created: Int64
    /// The revision of its newest entry.
    package var revision: Int
    /// The time of that entry: milliseconds since 1970.
    package var time: Int64
    /// Bytes of all its entries as they were appended.
    package var bytes: Int
    /// The number of answers that were stored under idempotency keys; only the newest are still there.
    package var answers: Int
    /// Random bits of its own, from which the ids are made that its effects tell others.
    package let salt: UInt64
    /// The time at which it has something to do without being asked, for a timer or an effect that is under way:
    /// milliseconds since 1970.
    package var wakeAt: Int64?
    /// The most coordinators and view models at once that had ended and stayed in memory, as far as its inputs have shown.
    package var leaked = 0
    /// The tokens that open it; nil for one that a build without tokens has opened, and which its id alone opens.
    package var access: SessionAccess?
    /// Its end; its entries are gone then.
    package var ending: End?

    /// Makes a header.
    ///
    /// - Parameters:
    ///   - app: The name of its app.
    ///   - created: When it was opened: milliseconds since 1970.
    ///   - revision: The revision of its newest entry.
    ///   - time: When that came: milliseconds since 1970.
    ///   - bytes: Bytes of all its entries.
    ///   - answers: How many answers were stored.
    ///   - salt: Random bits of its own.
    ///   - wakeAt: When it has something to do without being asked.
    ///   - access: The tokens that open it.
    ///   - ending: How it ended.
    package init(
        app: String, created: Int64, revision: Int, time: Int64, bytes: Int, answers: Int = 0,
        salt: UInt64 = 0, wakeAt: Int64? = nil, access: SessionAccess? = nil, ending: End? = nil
    ) {
        self.app = app
        self.created = created
        self.revision = revision
        self.time = time
        self.bytes = bytes
        self.answers = answers
        self.salt = salt
        self.wakeAt = wakeAt
        self.access = access
        self.ending = ending
    }

    /// The header of the same session after an entry that changes nothing else: no answer goes with it, and the session
    /// has to wake up no earlier or later for it.
    ///
    /// - Parameters:
    ///   - time: When the entry came: milliseconds since 1970.
    ///   - size: How many bytes it takes.
    package func followed(byEntryAt time: Int64, size: Int) -> SessionHeader {
        var header = self
        header.revision &+= 1
        header.time = time
        header.bytes &+= size
        return header
    }
}

extension SessionHeader.End: Equatable {
    package static func == (left: SessionHeader.End, right: SessionHeader.End) -> Bool {
        (left.reason, left.time) == (right.reason, right.time) && left.details == right.details
    }
}

extension SessionHeader {
    /// The bit that says that a time to wake follows.
    private static let wakes: UInt8 = 1
    /// The bit that says that an access follows.
    private static let hasAccess: UInt8 = 2
    /// The bit that says that a number of leaks follows.
    private static let hasLeaked: UInt8 = 4

    /// The header as a row's bytes.
    ///
    /// - Parameter key: The session.
    package func bytes(of key: JournalKey) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: app.utf8.count + (access == nil ? 40 : 80))
        writer.text(app)
        writer.time(created)
        writer.integer(revision)
        writer.time(time)
        writer.integer(bytes)
        writer.integer(answers)
        writer.littleEndian(salt, count: 8)
        writer.byte(
            (wakeAt == nil ? 0 : Self.wakes) | (access == nil ? 0 : Self.hasAccess) | (leaked == 0 ? 0 : Self.hasLeaked)
        )
        if let wakeAt { writer.time(wakeAt) }
        access?.write(into: &writer)
        if leaked != 0 { writer.integer(leaked) }
        if let ending {
            writer.text(ending.reason)
            writer.time(ending.time)
            if !ending.details.isEmpty { writer.bytes(ending.details) }
        }
        return writer.sealed(for: key)
    }

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes(of:)` once was.
    ///   - key: The session that it must belong to.
    /// - Throws: `EntryError`.
    package init(_ bytes: [UInt8], of key: JournalKey) throws(EntryError) {
        var reader = try ByteReader(bytes, of: key)
        self.init(
            app: try reader.text(), created: try reader.time(), revision: try reader.integer(),
            time: try reader.time(), bytes: try reader.integer(), answers: try reader.integer(),
            salt: try reader.littleEndian(count: 8))
        let parts = try reader.byte()
        guard parts <= Self.wakes | Self.hasAccess | Self.hasLeaked else { throw .malformed }
        if parts & Self.wakes != 0 { wakeAt = try reader.time() }
        if parts & Self.hasAccess != 0 { access = try SessionAccess(from: &reader) }
        if parts & Self.hasLeaked != 0 { leaked = try reader.integer() }
        if !reader.isAtEnd {
            ending = End(
                reason: try reader.text(), time: try reader.time(), details: reader.isAtEnd ? [] : try reader.bytes())
        }
        guard reader.isAtEnd else { throw .malformed }
    }
}

extension SessionHeader {
    /// The same without its access and its leaks, for a journal that keeps them apart.
    package var withoutColumns: SessionHeader {
        var header = self
        header.access = nil
        header.leaked = 0
        return header
    }

    /// The number of entries that the session has: none once it has ended.
    var entryCount: Int { ending == nil ? revision : 0 }
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
    /// Its inputs, those of the revisions 1, 2, 3 ….
    package let entries: [Entry]
    /// The answers under idempotency keys, the oldest first.
    package let answers: [KeyedAnswer]
    /// The version of the record; nil where one writer has the journal.
    package let token: RecordToken?

    /// Makes a record of entries that no journal has.
    ///
    /// - Parameters:
    ///   - head: The header.
    ///   - entries: The inputs, those of the revisions 1, 2, 3 ….
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
            && zip(entries, 1...).allSatisfy { entry, revision in entry.revision == revision }
    }
}
