import UsherJournal

private struct GuiltyRow {
    let number: Int64
    /// The input; nil if the row is damaged.
    let input: GuiltyInput?

    init(_ row: Statement) {
        number = row.integer(0)
        let session = row.key(1)
        // A malformed key must not be read as a missing session, because only a creation has no session.
        let isWhole = session != nil || row.isNull(1)
        input = isWhole ? try? GuiltyInput(row.bytes(2), of: session) : nil
    }
}

extension SQLiteStorage {
    func add(_ input: GuiltyInput) throws(JournalError) {
        try transaction { () throws(JournalError) in
            let session = input.identity.session.map { SQLValue.key($0) } ?? .null
            try statements[.insertGuilty].run(session, .bytes(input.bytes))
            try statements[.trimGuilty].run(.integer(GuiltyInput.limit))
        }
    }

    /// Returns the guilty inputs of undamaged rows, oldest first.
    func guiltyInputs() throws(JournalError) -> [GuiltyInput] {
        try statements[.guilty].all { GuiltyRow($0).input }
    }

    /// Deletes guilty inputs and unreadable rows, in a separate transaction.
    func forget(_ selection: GuiltyInput.Selection) throws(JournalError) {
        let gone = try statements[.guilty].all(read: GuiltyRow.init).filter { $0.input.map(selection.contains) ?? true }
        guard !gone.isEmpty else { return }
        try transaction { () throws(JournalError) in
            for row in gone { try statements[.deleteGuilty].run(.integer(row.number)) }
        }
    }
}
