internal import UsherJournal

extension Store {
    /// How many sessions have not ended.
    func count() throws(JournalError) -> Int {
        try statements.count.first { Int($0.integer(0)) } ?? 0
    }

    /// Sessions that have not ended, in the order of their keys.
    func sessions(after key: JournalKey?, limit: Int) throws(JournalError) -> [SessionListing] {
        // No bytes come before all keys.
        let start = key.map(Value.key) ?? .bytes([])
        return try statements.list.all(start, .integer(max(0, limit)), read: listing)
    }

    /// Sessions that were touched longest ago.
    func idle(since time: Int64, limit: Int) throws(JournalError) -> [SessionListing] {
        try statements.idle.all(.integer(time), .integer(max(0, limit)), read: listing)
    }

    /// Sessions that have something to do without being asked.
    func due(by time: Int64, limit: Int) throws(JournalError) -> [SessionListing] {
        try statements.due.all(.integer(time), .integer(max(0, limit)), read: listing)
    }

    private func listing(_ row: Statement) -> SessionListing? {
        guard let key = row.key(0) else { return nil }
        guard !recent.isStuck(key) else { return SessionListing(key: key, head: nil) }
        return SessionListing(key: key, head: recent.head(of: key) ?? (try? SessionHeader(row.bytes(1), of: key)))
    }
}
