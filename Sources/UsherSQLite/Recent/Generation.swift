internal import UsherJournal

/// A part of the table of recent entries: it is filled, filed and deleted as a whole.
struct Generation {
    let number: Int
    /// Where its first row is.
    let position: Int64
    /// The sessions that have entries of this generation, in the order of the first; it may be filed with an older one.
    private(set) var sessions: [JournalKey] = []
    /// How many entries each of its rows in the table holds.
    private(set) var rows: [Int] = []
    /// How many entries it has, and how many bytes these take.
    private(set) var size = (entries: 0, bytes: 0)
    /// How many sessions were filed, or left as they are stuck; and how many rows were deleted.
    var progress = (sessions: 0, rows: 0)
    /// Whether entries of sessions that have ended are in it.
    var hasScraps = false

    init(number: Int, from position: Int64) {
        self.number = number
        self.position = position
    }

    /// Where the row after its last one goes.
    var end: Int64 { position + Int64(rows.count) }

    var isFiled: Bool { progress.sessions == sessions.count }

    var isDeleted: Bool { isFiled && progress.rows == rows.count }

    func isFull(by limits: RecentLimits) -> Bool {
        size.entries >= limits.entries || size.bytes >= limits.bytes
    }

    mutating func add(_ entries: Int, bytes: Int) {
        size.entries += entries
        size.bytes += bytes
    }

    mutating func add(_ session: JournalKey) { sessions.append(session) }

    mutating func takeBackSession() { _ = sessions.popLast() }

    mutating func addRow(of entries: Int) { rows.append(entries) }

    /// How many rows are next to be deleted that hold so many entries; at least one while there are any.
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
