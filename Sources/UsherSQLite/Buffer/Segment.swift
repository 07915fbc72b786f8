import UsherJournal

/// A segment of the write buffer, which is filled, flushed and deleted as a whole.
struct Segment {
    let number: Int
    let position: Int64
    /// The sessions with entries in this segment, in the order of their first entries; after sealing, in the order of
    /// keys.
    ///
    /// All entries of a session are flushed at once.
    private(set) var sessions: [JournalKey] = []
    /// The numbers of entries in the segment's rows.
    private(set) var rows: [Int] = []
    private(set) var size = (entries: 0, bytes: 0)
    /// The number of sessions that were flushed (or skipped, because they are damaged), and the number of rows that
    /// were deleted.
    var progress = (sessions: 0, rows: 0)
    /// A Boolean value that indicates whether the segment's rows may contain entries of ended sessions, which must also
    /// leave the write-ahead log after the rows are deleted.
    var hasResidue = false

    init(number: Int, from position: Int64) {
        self.number = number
        self.position = position
    }

    var end: Int64 { position + Int64(rows.count) }

    var isFlushed: Bool { progress.sessions == sessions.count }

    var isDeleted: Bool { isFlushed && progress.rows == rows.count }

    func isFull(by limits: WriteBufferLimits) -> Bool {
        size.entries >= limits.entries || size.bytes >= limits.bytes
    }

    mutating func add(_ entries: Int, bytes: Int) {
        size.entries += entries
        size.bytes += bytes
    }

    mutating func add(_ session: JournalKey) { sessions.append(session) }

    mutating func takeBackSession() { _ = sessions.popLast() }

    /// Sorts the sessions as in `rows`, so that sessions on the same page are flushed together.
    mutating func sortSessions() { sessions.sort() }

    mutating func addRow(of entries: Int) { rows.append(entries) }

    /// Returns the number of rows to delete next, with about `entries` entries in total; at least one row if there are
    /// any.
    func rowsToDelete(entries: Int) -> Int {
        var sum = 0
        var count = 0
        for row in rows[progress.rows...] {
            guard sum < max(1, entries) else { break }
            sum += row
            count += 1
        }
        return count
    }
}
