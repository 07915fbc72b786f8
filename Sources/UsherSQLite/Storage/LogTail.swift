import CSQLite

/// The end of the write-ahead log behind a commit that has failed.
///
/// SQLite writes a commit's frames before it has them synchronized. Where that fails, or anything after it, the frames may
/// be whole: the next start would find them, and with them what was refused. So the first of them is overwritten before
/// anything else is answered, by a commit that says nothing new; a frame's checksum goes on from the one before, so the rest
/// is void. It is cut off, for between later frames it would look like a log that was damaged.
struct LogTail {
    /// True while the log may end in frames that were refused.
    private(set) var isUncertain = false

    /// Notes that a commit has failed.
    mutating func note(_ failure: SQLiteFailure) {
        switch failure.primaryCode {
        // The frame that makes a commit is the last: without room, or the right, for all of them it was not written.
        case SQLITE_FULL, SQLITE_READONLY, SQLITE_BUSY, SQLITE_LOCKED: return
        default: isUncertain = true
        }
    }

    /// Makes sure that the log ends in what was acknowledged.
    ///
    /// - Throws: `SQLiteFailure` where nobody knows what the next start will find.
    mutating func cutOff(on database: Database) throws(SQLiteFailure) {
        guard isUncertain else { return }
        database.rollBack()
        // The log that begins anew has no old frames at all; where it cannot, the next commit overwrites the first of them.
        database.checkpoint(truncating: true)
        do throws(SQLiteFailure) {
            try database.execute("BEGIN IMMEDIATE; PRAGMA user_version = \(Format.version); COMMIT")
        } catch {
            database.rollBack()
            throw error
        }
        try database.truncateLog()
        isUncertain = false
    }
}
