import UsherJournal

extension SQLiteStorage {
    /// Returns a session's rows from the newest response up to a slot, which is at most the header's slot.
    func rows(of key: JournalKey, through slot: Int) throws(JournalError) -> [SessionRow] {
        let header = try bufferedHeader(of: key)
        var rows: [SessionRow] = try statements[.rows].all(.key(key), .integer(slot)) { row in
            (slot: Int(row.integer(0)), content: SecretRow.unwrapping(row.bytes(1)))
        }
        // If the row of the session's header is missing, does not add the header, because the session is damaged.
        if let header, let index = rows.firstIndex(where: { $0.slot == 0 }) {
            rows[index].content = header.bytes(of: key)
        }
        return rows
    }

    func outline(of key: JournalKey) throws(JournalError) -> RecordOutline? {
        guard let (header, others) = try headerAndRows(of: key) else { return nil }
        let head = try intact { () throws(EntryError) in try SessionHeader(header, of: key) }
        let answers = try answers(among: others)
        guard answers.last.map({ $0.slot == -head.answers }) ?? true else { throw .corrupt(.incomplete) }
        return RecordOutline(head: head, answers: answers.map(\.content))
    }

    /// The maximum number of rows in a slice, each with several small entries or one larger entry.
    private static let sliceRows = 64
    /// The maximum number of entries in a slice that come from the write buffer.
    private static let sliceEntries = 512

    /// Returns a slice of a session's entries, first from the table `rows` and then from the write buffer.
    func entries(of key: JournalKey, after revision: Int) throws(JournalError) -> [[UInt8]] {
        let rows: [SessionRow] = try statements[.slice].all(
            .key(key), .integer(revision &+ 1), .integer(Self.sliceRows)
        ) { row in
            (slot: Int(row.integer(0)), content: SecretRow.unwrapping(row.bytes(1)))
        }
        var entries: [[UInt8]] = []
        for (index, row) in rows.enumerated() {
            var run = try intact { () throws(EntryError) in try EntryRun.entries(of: row.content) }
            var slot = row.slot
            // The first row may start before the slice, if buffered entries were flushed since the previous slice.
            if index == 0, slot <= revision {
                run.removeFirst(min(run.count, revision - slot + 1))
                slot = revision + 1
            }
            guard run.isEmpty || slot == revision + entries.count + 1 else { throw .corrupt(.incomplete) }
            entries += run
        }
        guard rows.count < Self.sliceRows, let session = buffer.sessions[key] else { return entries }
        return entries + session.entries(after: revision + entries.count, limit: Self.sliceEntries)
    }

    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        guard let (bytes, others) = try headerAndRows(of: key) else { return nil }
        let header = try intact { () throws(EntryError) in try SessionHeader(bytes, of: key) }
        let stored = try answers(among: others)
        // A repeated request whose stored response was lost would run again, so no response may be missing.
        guard stored.count == min(header.answers, KeyedAnswer.limit),
            stored.last.map({ $0.slot == -header.answers }) ?? true
        else { throw .corrupt(.incomplete) }
        return try intact { () throws(EntryError) in
            try stored.map { row throws(EntryError) in try KeyedAnswer(row.content, of: key) }
                .last { $0.key == idempotencyKey }
        }
    }

    func opening(under idempotencyKey: String) throws(JournalError) -> KeyedOpening? {
        let found = try statements[.opening].first(.text(idempotencyKey)) { row in (row.key(0), row.bytes(1)) }
        guard let (session, bytes) = found else { return nil }
        guard let session else { throw .corrupt(.malformed) }
        return try KeyedOpening(bytes, of: session, under: idempotencyKey)
    }

    /// Returns a session's header as bytes, and its responses' rows in the order of slots; nil if there is no session.
    private func headerAndRows(
        of key: JournalKey
    ) throws(JournalError) -> (header: [UInt8], others: [SessionRow])? {
        let rows = try rows(of: key, through: 0)
        let isListed = try isListed(key)
        guard !rows.isEmpty || isListed else { return nil }
        guard isListed, let header = rows.first(where: { $0.slot == 0 }) else { throw .corrupt(.incomplete) }
        return (header.content, rows.filter { $0.slot != 0 })
    }

    /// Returns the responses among some rows, oldest first.
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
    func count() throws(JournalError) -> Int {
        try statements[.count].first { Int($0.integer(0)) } ?? 0
    }

    /// Returns sessions whose last recorded use is not after a time, oldest use first.
    func idle(since time: Int64, limit: Int) throws(JournalError) -> [SessionListing] {
        try listings(statements.idle, [.integer(time), .integer(max(0, limit))]) { $1 }
    }

    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) throws(JournalError) -> [DueSession] {
        // Empty bytes sort before all keys.
        let start = place.map { SQLValue.key($0.key) } ?? .bytes([])
        return try statements[.due].all(
            .integer(time), .integer(place?.time ?? .min), start, .integer(max(0, limit)),
            .integer(Int64(bitPattern: build))
        ) { row in
            row.key(1).map { DueSession(time: row.integer(0), key: $0) }
        }
    }

    /// Returns the sessions that a statement lists, including those whose header is damaged.
    func listings<Listed>(
        _ statement: ListStatement, _ values: [SQLValue], _ listed: (Statement, SessionListing) -> Listed
    ) throws(JournalError) -> [Listed] {
        do throws(JournalError) {
            return try statement.rows.all(values) { row in
                row.key(0).map { listed(row, listing(of: $0, row.bytes(1))) }
            }
        } catch .corrupt {
            // Reads each header separately, so that a damaged page does not hide other sessions.
            var failure: JournalError?
            let all = try statement.keys.all(values) { row in
                row.key(0).map { key in
                    do throws(JournalError) {
                        return listed(row, listing(of: key, try content(0, of: key)))
                    } catch {
                        if case .unavailable = error { failure = error }
                        return listed(row, listing(of: key, nil))
                    }
                }
            }
            if let failure { throw failure }
            return all
        }
    }

    private func listing(of key: JournalKey, _ header: [UInt8]?) -> SessionListing {
        guard !buffer.isDamaged(key) else { return SessionListing(key: key, head: nil) }
        let stored = header.flatMap { try? SessionHeader($0, of: key) }
        return SessionListing(key: key, head: buffer.header(of: key) ?? stored)
    }
}
