import UsherJournal

// Lists of sessions; each list comes from one snapshot.
extension Reader {
    /// Returns sessions whose last recorded use was at or before a time.
    func idle(since time: Int64, limit: Int) throws(JournalError) -> [SessionListing] {
        let rows = try run(ReadingStatements.idle, [.integer(time), .integer(max(0, limit))])
        return rows.indices.compactMap { listing(rows, $0) }
    }

    /// Returns an empty list: servers claim due work instead, and an inspection runs no work.
    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) -> [DueSession] { [] }

    /// The approximate number of bytes that ended sessions still use.
    var residue: Int { get throws(JournalError) { try number(ReadingStatements.residue) } }

    /// Deletes all traces of sessions that ended before a time.
    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int {
        try number(ReadingStatements.purge, [.integer(time), .integer(max(0, limit))])
    }

    /// Returns the session in a row that starts with the session's key, its header, and the header's separate columns.
    private func listing(_ rows: ResultRows, _ row: Int) -> SessionListing? {
        guard let key = rows.key(row, 0) else { return nil }
        let header = try? SessionHeader(
            rows.bytes(row, 1), access: rows.bytes(ifAny: row, 4), leaked: rows.integer(ifAny: row, 5), of: key)
        let isTrue = header.map {
            $0.revision == Int(rows.integer(row, 2)) && $0.answers == Int(rows.integer(row, 3))
        }
        return SessionListing(key: key, head: isTrue == true ? header : nil)
    }

    func sessions(matching query: SessionQuery) throws(JournalError) -> [FoundSession] {
        let rows = try run(ListStatements(query).list, ListStatements.parameters(of: query))
        return rows.indices.compactMap { row in
            listing(rows, row).map {
                FoundSession($0, created: rows.integer(row, 6), touched: rows.integer(row, 7))
            }
        }
    }

    /// Returns the number of sessions that match a query, up to a limit.
    func count(matching query: SessionQuery, limit: Int) throws(JournalError) -> Int {
        try number(ListStatements(query).count, ListStatements.parameters(of: query.fromTheFirst(limit: limit)))
    }
}
