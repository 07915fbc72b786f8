import UsherJournal

extension SQLiteStorage {
    /// The builds that have served the journal; no other can serve it now.
    func builds() throws(JournalError) -> [JournalBuild] {
        try statements[.builds].all { row in
            JournalBuild(
                UInt64(bitPattern: row.integer(0)), seen: row.integer(1),
                confirmed: row.isNull(2) ? nil : row.integer(2))
        }
    }

    /// Notes that a server of a build is at work, in a transaction of its own.
    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) throws(JournalError) {
        try transaction { () throws(JournalError) in
            try statements[.noteBuild].run(
                .integer(Int64(bitPattern: build)), .integer(time), isConfirmed ? .integer(time) : .null)
        }
    }
}
