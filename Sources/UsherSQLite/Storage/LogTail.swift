import CSQLite

/// The end of the write-ahead log after a failed commit.
///
/// SQLite writes a commit's frames before it synchronizes them. If the synchronization or a later step fails, the
/// frames may be complete, and the next start would apply a commit that was refused. Therefore, before any other
/// response, a commit without changes overwrites the first of these frames. This makes the other frames invalid,
/// because each checksum continues the checksum of the previous frame. The log is then truncated before the invalid
/// frames, because they would look like damage if later frames followed them.
struct LogTail {
    /// A Boolean value that indicates whether the log may end with frames of a refused commit.
    private(set) var isUncertain = false

    mutating func note(_ failure: SQLiteFailure) {
        switch failure.primaryCode {
        // If space or permission was missing, the last frame, which completes the commit, was not written.
        case SQLITE_FULL, SQLITE_READONLY, SQLITE_BUSY, SQLITE_LOCKED: return
        default: isUncertain = true
        }
    }

    /// Makes sure that the log ends with acknowledged commits.
    ///
    /// - Throws: `SQLiteFailure` if it is unknown what the next start will find.
    mutating func cutOff(on database: Database) throws(SQLiteFailure) {
        guard isUncertain else { return }
        database.rollBack()
        // A restarted log has no old frames. If the restart fails, the next commit overwrites the first old frame.
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
