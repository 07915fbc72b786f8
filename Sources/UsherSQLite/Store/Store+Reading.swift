internal import UsherJournal

extension Store {
    typealias Row = (slot: Int, content: [UInt8])

    /// A session's rows from its newest answer to a slot, with its recent entries among them.
    func rows(of key: JournalKey, through slot: Int) throws(JournalError) -> [Row] {
        let head = try recentHead(of: key)
        let stored: [Row] = try statements.rows.all(.key(key), .integer(slot)) { row in
            (slot: Int(row.integer(0)), content: SecretRow.unwrapping(row.bytes(1)))
        }
        var rows: [Row] = []
        for row in stored { rows += try split(row) }
        guard let head, let session = recent.sessions[key] else { return rows }
        // What else there is of a session without a head is damaged, and stays so.
        if let index = rows.firstIndex(where: { $0.slot == 0 }) { rows[index].content = head.bytes(of: key) }
        return rows + session.rows.filter { $0.slot <= slot }
    }

    /// The entries of a row, each as if it had a row of its own.
    private func split(_ row: Row) throws(JournalError) -> [Row] {
        guard row.slot > 0, EntryRun.isRun(row.content) else { return [row] }
        let entries = try intact { () throws(EntryError) in try EntryRun.entries(of: row.content) }
        return entries.enumerated().map { (slot: row.slot &+ $0, content: $1) }
    }

    /// All that is kept of a session.
    ///
    /// - Returns: nil for a session that there is not.
    func record(of key: JournalKey) throws(JournalError) -> SessionRecord? {
        guard let (head, others) = try headAndRows(of: key, through: .max) else { return nil }
        let entries = others.filter { $0.slot > 0 }
        let answers = try answers(others)
        let record = try SessionRecord(
            head: head, entries: entries.map(\.content), answers: answers.map(\.content), of: key)
        guard zip(entries, 1...).allSatisfy({ entry, revision in entry.slot == revision }),
            answers.last.map({ $0.slot == -record.head.answers }) ?? true
        else { throw .corrupt(.incomplete) }
        return record
    }

    /// The answer that a session keeps under an idempotency key.
    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        guard let (bytes, others) = try headAndRows(of: key, through: 0) else { return nil }
        let head = try intact { () throws(EntryError) in try SessionHeader(bytes, of: key) }
        let kept = try answers(others)
        // An answer that is missing must not pass for one that never was: the request would be done again.
        guard kept.count == min(head.answers, KeyedAnswer.limit), kept.last.map({ $0.slot == -head.answers }) ?? true
        else { throw .corrupt(.incomplete) }
        return try intact { () throws(EntryError) in
            try kept.map { row throws(EntryError) in try KeyedAnswer(row.content, of: key) }
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

    /// The head's bytes, and the other rows of a session in the order of their slots.
    ///
    /// - Returns: nil for a session that there is not.
    private func headAndRows(
        of key: JournalKey, through slot: Int
    ) throws(JournalError) -> (head: [UInt8], others: [Row])? {
        let rows = try rows(of: key, through: slot)
        let isListed = try isListed(key)
        guard !rows.isEmpty || isListed else { return nil }
        guard isListed, let head = rows.first(where: { $0.slot == 0 }) else { throw .corrupt(.incomplete) }
        return (head.content, rows.filter { $0.slot != 0 })
    }

    /// The answers among rows, the oldest first.
    private func answers(_ rows: [Row]) throws(JournalError) -> [Row] {
        let answers = rows.filter { $0.slot < 0 }
        guard zip(answers, answers.dropFirst()).allSatisfy({ $0.slot + 1 == $1.slot }) else {
            throw .corrupt(.incomplete)
        }
        return answers.reversed()
    }
}
