import UsherJournal

extension SQLiteStorage {
    /// Returns the builds whose servers have used the journal; `isServing` is `false`, because only one server can use
    /// the journal.
    func builds() throws(JournalError) -> [JournalBuild] {
        try statements[.builds].all { row in
            JournalBuild(
                UInt64(bitPattern: row.integer(0)), seen: row.integer(1),
                confirmed: row.isNull(2) ? nil : row.integer(2))
        }
    }

    /// Records, in its own transaction, that a server of a build is running.
    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) throws(JournalError) {
        try transaction { () throws(JournalError) in
            try statements[.noteBuild].run(
                .integer(Int64(bitPattern: build)), .integer(time), isConfirmed ? .integer(time) : .null)
            try statements[.deleteOldHolds].run(.integer(time &- SessionHold.lifetime))
        }
    }
}
