import UsherJournal

/// Erases secrets that a replay does not need: reads entries and answers, and writes them back without the secrets.
///
/// A row changes only if no other write has replaced the row, so an erasure can be repeated until there is a response.
struct Erasure {
    private typealias Rewritten = (key: JournalKey, revision: Int, mark: UInt64, content: [UInt8])

    private let erasures: [(key: JournalKey, revision: Int, token: RecordToken)]
    private let link: DatabaseLink
    private let deadline: Int64

    /// Creates the erasure with a time limit by the `MonotonicClock`.
    init(_ writes: [GroupedWrite], on link: DatabaseLink, by deadline: Int64) {
        erasures = writes.compactMap { write -> (key: JournalKey, revision: Int, token: RecordToken)? in
            guard case .erase(let revision)? = write.changes.first?.action else { return nil }
            return (write.key, revision, write.base ?? RecordToken(revision: 0, mark: 0))
        }
        self.link = link
        self.deadline = deadline
    }

    /// Erases the secrets, and returns the sessions that still exist.
    func run() throws(PostgresFailure) -> Set<JournalKey> {
        let parameters: [Parameter] = [
            .keys(erasures.map(\.key)), .integers(erasures.map(\.revision)), .integers(erasures.map(\.token.revision)),
            .integers(erasures.map(\.token.entryMark)),
        ]
        let rows = try link.run(SingleStatements.erasable, parameters, by: deadline)
        var present: Set<JournalKey> = []
        var entries: [Rewritten] = []
        for row in rows.indices {
            guard let key = rows.key(row, 0), rows.integer(row, 1) != 0 else { continue }
            present.insert(key)
            // If a session has ended, or its history has started over, the session's answers stay unchanged.
            guard !rows.isNull(row, 2) else { continue }
            let revision = Int(rows.integer(row, 2))
            let place = SealedRow.entry(key, revision: revision)
            // A damaged entry stays unchanged, so that an operator can examine the entry.
            guard let opened = try? link.seal.open(rows.bytes(row, 4), of: place),
                let content = try? RecordUpdate.erased(entry: opened, of: key)
            else { continue }
            entries.append((key, revision, rows.mark(row, 3), try link.seal.seal(content, for: place)))
        }
        try rewrite(entries)
        return present
    }

    private func rewrite(_ rows: [Rewritten]) throws(PostgresFailure) {
        guard !rows.isEmpty else { return }
        let parameters: [Parameter] = [
            .keys(rows.map(\.key)), .integers(rows.map(\.revision)), .integers(rows.map(\.mark)),
            .bytes(ofEach: rows.map(\.content)),
        ]
        _ = try link.run(SingleStatements.rewrite, parameters, by: deadline)
    }
}
