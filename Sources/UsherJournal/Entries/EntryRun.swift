/// Entries of one session with revisions in a row, put together as the content of one row.
///
/// Each has its own checksum, so that the run needs none.
package enum EntryRun {
    /// What a run begins with, where an entry has its version.
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

    /// Whether a row's content is a run of several entries.
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
