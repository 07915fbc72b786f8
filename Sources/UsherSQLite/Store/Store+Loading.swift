internal import UsherJournal

extension Store {
    /// Reads the table of recent entries.
    ///
    /// - Throws: `SQLiteJournalError` where rows are missing, or nobody can tell whose an entry is.
    func loadRecent() throws(SQLiteJournalError) {
        var heads: [JournalKey: Result<SessionHeader?, EntryError>] = [:]
        do throws(JournalError) {
            for row in try statements.recent.all(read: RecentRow.init) {
                if recent.isEmpty { recent.start(at: row.position) }
                guard row.position == recent.young.end, let group = row.group else {
                    throw .corrupt(.incomplete)
                }
                for (key, entry) in group {
                    if heads[key] == nil { heads[key] = try liveHead(of: key) }
                    recent.load(entry, of: key, on: heads[key] ?? .success(nil))
                }
                recent.loadRow(of: group.count)
            }
        } catch {
            throw .corrupt(path: connection.path, reason: "its newest inputs cannot be read (\(error))")
        }
        recent.endLoading()
    }

    /// The head in `rows` that a session's recent entries follow on: nil where they count no more.
    private func liveHead(of key: JournalKey) throws(JournalError) -> Result<SessionHeader?, EntryError> {
        do throws(JournalError) {
            guard let head = try head(of: key), head.ending == nil else { return .success(nil) }
            return .success(head)
        } catch .corrupt(let error) {
            return .failure(error)
        }
    }
}

/// A row of the table of recent entries, as it was read.
private struct RecentRow {
    let position: Int64
    /// nil where it cannot be told which entry is whose.
    let group: [(key: JournalKey, entry: [UInt8])]?

    init(_ row: Statement) {
        position = row.integer(0)
        group = Self.group(row, 1) ?? Self.group(row, 3)
    }

    private static func group(_ row: Statement, _ column: Int32) -> [(key: JournalKey, entry: [UInt8])]? {
        try? EntryGroup.read(sessions: row.bytes(column), entries: row.bytes(2))
    }
}
