/// The entries of several sessions as bytes, in the order of their arrival.
///
/// A list of the entries' sessions and lengths is stored separately, with a checksum, so that the session of a damaged
/// entry is known. The list is stored twice, so that damage to one copy of the list is harmless.
package struct EntryGroup: Sendable {
    /// The entries' concatenated bytes.
    package private(set) var entries: [UInt8] = []
    package private(set) var count = 0
    private var sessions = Self.emptySessions

    private static var emptySessions: ByteWriter { ByteWriter(reservingCapacity: 0) }
    /// The key for the checksum of the list of sessions, because the list belongs to no single session.
    private static let seal = JournalKey(high: 0, low: 0)

    package init() {}

    /// Adds an entry, which must be the result of `Entry.bytes(of:)`.
    package mutating func append(_ entry: [UInt8], of key: JournalKey) {
        sessions.littleEndian(key.high, count: 8)
        sessions.littleEndian(key.low, count: 8)
        sessions.integer(entry.count)
        entries += entry
        count += 1
    }

    /// Empties the group, and returns its entries, and the list of their sessions and lengths.
    ///
    /// The list has a checksum. Each entry has its own.
    package mutating func take() -> (sessions: [UInt8], entries: [UInt8]) {
        let taken = (sessions.sealed(for: Self.seal), entries)
        removeAll()
        return taken
    }

    package mutating func removeAll() {
        self = EntryGroup()
    }

    /// Splits a group into entries.
    ///
    /// - Parameters:
    ///   - sessions: The list of sessions and lengths that `take` has returned, or a copy of this list.
    ///   - entries: The entries that `take` has returned. The function checks only their lengths.
    /// - Throws: `EntryError` if the entries cannot be assigned to sessions.
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

/// Consecutive entries of one session in one row, without a checksum, because each entry has its own checksum.
package enum EntryRun {
    /// The first byte of a run; in an entry, the first byte is the version, which has another value.
    private static let mark: UInt8 = 2

    /// Joins results of `Entry.bytes(of:)`, in the order of revisions; a single entry stays unchanged.
    package static func bytes(_ entries: ArraySlice<[UInt8]>) -> [UInt8] {
        if let entry = entries.first, entries.count == 1 { return entry }
        var run = ByteWriter(marking: mark, reservingCapacity: entries.reduce(0) { $0 + $1.count + 3 })
        for entry in entries { run.bytes(entry) }
        return run.unsealed
    }

    /// Returns a Boolean value that indicates whether a row's content is a run of several entries.
    package static func isRun(_ content: [UInt8]) -> Bool { content.first == mark }

    /// Returns the entries of a row.
    ///
    /// - Throws: `EntryError` if a run is malformed. The function does not check the entries themselves.
    package static func entries(of content: [UInt8]) throws(EntryError) -> [[UInt8]] {
        guard isRun(content) else { return [content] }
        var reader = ByteReader(unsealed: content.dropFirst())
        var entries: [[UInt8]] = []
        while !reader.isAtEnd { entries.append(try reader.bytes()) }
        return entries
    }
}
