import UsherJournal

/// A segment of the write buffer: it is filled, flushed and deleted as a whole.
struct Segment {
    let number: Int
    /// The position of its first row.
    let position: Int64
    /// The sessions that have entries in this segment, in the order of the first, and of `rows` once it is sealed; each is
    /// flushed with all it has.
    private(set) var sessions: [JournalKey] = []
    /// The number of entries in each of its rows in the table.
    private(set) var rows: [Int] = []
    /// The number of its entries, and of their bytes.
    private(set) var size = (entries: 0, bytes: 0)
    /// The number of sessions that were flushed, or left as they are damaged; and of rows that were deleted.
    var progress = (sessions: 0, rows: 0)
    /// True where it has entries of sessions that have ended: residue, once its rows are deleted.
    var hasResidue = false

    init(number: Int, from position: Int64) {
        self.number = number
        self.position = position
    }

    /// The position of the row after its last one.
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

    /// Puts the sessions into the order of `rows`: those that share a page there are flushed together, and it is written once.
    mutating func sortSessions() { sessions.sort() }

    mutating func addRow(of entries: Int) { rows.append(entries) }

    /// The number of rows that are next to be deleted, with about so many entries; at least one while there are any.
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
