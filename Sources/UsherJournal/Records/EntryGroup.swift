/// Entries of any sessions in the order in which they came, put together as bytes.
///
/// Of which sessions they are, and how long each is, stands apart from them, with a checksum; so a damaged entry is
/// known by its session, and with two copies of that a damaged copy does no harm either.
package struct EntryGroup: Sendable {
    /// The entries' bytes, one behind the other.
    package private(set) var entries: [UInt8] = []
    /// The number of entries.
    package private(set) var count = 0
    private var sessions = Self.emptySessions

    private static var emptySessions: ByteWriter { ByteWriter(reservingCapacity: 0) }
    /// The key that the sessions are sealed for, which are not those of one.
    private static let seal = JournalKey(high: 0, low: 0)

    /// Makes an empty group.
    package init() {}

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - entry: What `Entry.bytes(of:)` has returned.
    ///   - key: Its session.
    package mutating func append(_ entry: [UInt8], of key: JournalKey) {
        sessions.littleEndian(key.high, count: 8)
        sessions.littleEndian(key.low, count: 8)
        sessions.integer(entry.count)
        entries += entry
        count += 1
    }

    /// Takes the group as bytes, and leaves an empty one.
    ///
    /// - Returns: The sessions with their entries' lengths, sealed, and the entries.
    package mutating func take() -> (sessions: [UInt8], entries: [UInt8]) {
        let taken = (sessions.sealed(for: Self.seal), entries)
        removeAll()
        return taken
    }

    /// Takes all entries out.
    package mutating func removeAll() {
        self = EntryGroup()
    }

    /// Takes a group apart.
    ///
    /// - Parameters:
    ///   - sessions: What `take` has returned, or a copy of it.
    ///   - entries: What `take` has returned; of these nothing is checked but their length.
    /// - Throws: `EntryError` where it cannot be told which entry is whose.
    package static func read(
        sessions: [UInt8], entries: [UInt8]
    ) throws(EntryError) -> [(key: JournalKey, entry: [UInt8])] {
        var reader = try ByteReader(sessions, of: seal)
        var read: [(key: JournalKey, entry: [UInt8])] = []
        var rest = entries[...]
        while !reader.isAtEnd {
            let key = JournalKey(high: try reader.littleEndian(count: 8), low: try reader.littleEndian(count: 8))
            let count = try reader.integer()
            guard count <= rest.count else { throw .truncated }
            read.append((key, Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty else { throw .malformed }
        return read
    }
}

/// Entries of one session with revisions in a row, put together as the content of one row.
///
/// Each has its own checksum, so that the run needs none.
package enum EntryRun {
    /// The first byte of a run, where an entry has its version.
    private static let mark: UInt8 = 2

    /// Puts entries together.
    ///
    /// - Parameter entries: What `Entry.bytes(of:)` has returned, in the order of revisions.
    /// - Returns: A single entry as it is.
    package static func bytes(_ entries: ArraySlice<[UInt8]>) -> [UInt8] {
        if let entry = entries.first, entries.count == 1 { return entry }
        var run = ByteWriter(marking: mark, reservingCapacity: entries.reduce(0) { $0 + $1.count + 3 })
        for entry in entries { run.bytes(entry) }
        return run.unsealed
    }

    /// True where a row's content is a run of several entries.
    ///
    /// - Parameter content: The content.
    package static func isRun(_ content: [UInt8]) -> Bool { content.first == mark }

    /// The entries of a row.
    ///
    /// - Parameter content: What `bytes` has returned.
    /// - Throws: `EntryError` where a run cannot be taken apart; the entries themselves are not checked.
    package static func entries(of content: [UInt8]) throws(EntryError) -> [[UInt8]] {
        guard isRun(content) else { return [content] }
        var reader = ByteReader(unsealed: content.dropFirst())
        var entries: [[UInt8]] = []
        while !reader.isAtEnd { entries.append(try reader.bytes()) }
        return entries
    }
}
