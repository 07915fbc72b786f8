import UsherJournal

extension SQLiteStorage {
    /// A session's rows from its newest answer to a slot, with its buffered entries among them.
    func rows(of key: JournalKey, through slot: Int) throws(JournalError) -> [SessionRow] {
        let header = try bufferedHeader(of: key)
        let stored: [SessionRow] = try statements.rows.all(.key(key), .integer(slot)) { row in
            (slot: Int(row.integer(0)), content: SecretRow.unwrapping(row.bytes(1)))
        }
        var rows: [SessionRow] = []
        for row in stored { rows += try split(row) }
        guard let header, let session = buffer.sessions[key] else { return rows }
        // A session without a row for its header is damaged, whatever else there is of it, and stays so.
        if let index = rows.firstIndex(where: { $0.slot == 0 }) { rows[index].content = header.bytes(of: key) }
        return rows + session.rows.filter { $0.slot <= slot }
    }

    /// The entries of a row, each as if it had a row of its own.
    private func split(_ row: SessionRow) throws(JournalError) -> [SessionRow] {
        guard row.slot > 0, EntryRun.isRun(row.content) else { return [row] }
        let entries = try intact { () throws(EntryError) in try EntryRun.entries(of: row.content) }
        return entries.enumerated().map { (slot: row.slot &+ $0, content: $1) }
    }

    /// The record of a session.
    ///
    /// - Returns: nil for a session that there is not.
    func record(of key: JournalKey) throws(JournalError) -> SessionRecord? {
        guard let (header, others) = try headerAndRows(of: key, through: .max) else { return nil }
        let entries = others.filter { $0.slot > 0 }
        let answers = try answers(among: others)
        let record = try SessionRecord(
            head: header, entries: entries.map(\.content), answers: answers.map(\.content), of: key)
        guard zip(entries, 1...).allSatisfy({ entry, revision in entry.slot == revision }),
            answers.last.map({ $0.slot == -record.head.answers }) ?? true
        else { throw .corrupt(.incomplete) }
        return record
    }

    /// The answer that is stored of a session under an idempotency key.
    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        guard let (bytes, others) = try headerAndRows(of: key, through: 0) else { return nil }
        let header = try intact { () throws(EntryError) in try SessionHeader(bytes, of: key) }
        let stored = try answers(among: others)
        // An answer that is missing must not pass for one that never was: the request would be done again.
        guard stored.count == min(header.answers, KeyedAnswer.limit),
            stored.last.map({ $0.slot == -header.answers }) ?? true
        else { throw .corrupt(.incomplete) }
        return try intact { () throws(EntryError) in
            try stored.map { row throws(EntryError) in try KeyedAnswer(row.content, of: key) }
                .last { $0.key == idempotencyKey }
        }
    }

    /// The session that was opened under an idempotency key.
    func opening(under idempotencyKey: String) throws(JournalError) -> KeyedOpening? {
        let found = try statements.opening.first(.text(idempotencyKey)) { row in (row.key(0), row.bytes(1)) }
        guard let (session, bytes) = found else { return nil }
        guard let session else { throw .corrupt(.malformed) }
        let answer = try intact { () throws(EntryError) in try KeyedAnswer(bytes, of: session) }
        guard answer.key == idempotencyKey else { throw .corrupt(.malformed) }
        return KeyedOpening(session: session, answer: answer)
    }

    /// The header's bytes, and the other rows of a session in the order of their slots.
    ///
    /// - Returns: nil for a session that there is not.
    private func headerAndRows(
        of key: JournalKey, through slot: Int
    ) throws(JournalError) -> (header: [UInt8], others: [SessionRow])? {
        let rows = try rows(of: key, through: slot)
        let isListed = try isListed(key)
        guard !rows.isEmpty || isListed else { return nil }
        guard isListed, let header = rows.first(where: { $0.slot == 0 }) else { throw .corrupt(.incomplete) }
        return (header.content, rows.filter { $0.slot != 0 })
    }

    /// The answers among rows, the oldest first.
    private func answers(among rows: [SessionRow]) throws(JournalError) -> [SessionRow] {
        let answers = rows.filter { $0.slot < 0 }
        guard zip(answers, answers.dropFirst()).allSatisfy({ $0.slot + 1 == $1.slot }) else {
            throw .corrupt(.incomplete)
        }
        return answers.reversed()
    }
}

// Lists.
extension SQLiteStorage {
    /// The number of sessions that have not ended.
    func count() throws(JournalError) -> Int {
        try statements.count.first { Int($0.integer(0)) } ?? 0
    }

    /// Sessions that have not ended, in the order of their keys.
    func sessions(after key: JournalKey?, limit: Int) throws(JournalError) -> [SessionListing] {
        // No bytes come before all keys.
        let start = key.map(SQLValue.key) ?? .bytes([])
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
        guard !buffer.isDamaged(key) else { return SessionListing(key: key, head: nil) }
        return SessionListing(key: key, head: buffer.header(of: key) ?? (try? SessionHeader(row.bytes(1), of: key)))
    }
}
