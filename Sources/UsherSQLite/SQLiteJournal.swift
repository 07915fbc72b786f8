package import UsherJournal

/// A journal in an SQLite file, which only one process at a time can serve.
package enum SQLiteJournal {
    /// Opens a journal, and recovers a log that a crash has left.
    ///
    /// - Parameters:
    ///   - path: The file, in an existing directory.
    ///   - durability: The crashes that an acknowledged change survives.
    ///   - purpose: The purpose. A file is created or changed only for serving.
    ///   - now: Returns the time of day in milliseconds since 1970.
    /// - Throws: `SQLiteJournalError`.
    package static func open(
        _ path: String, durability: Durability, for purpose: Purpose = .serving, now: @escaping @Sendable () -> Int64
    ) throws(SQLiteJournalError) -> BatchedJournal {
        try open(path, durability: durability, for: purpose, SQLiteSettings(), now: now)
    }

    static func open(
        _ path: String, durability: Durability, for purpose: Purpose, _ settings: SQLiteSettings,
        now: @escaping @Sendable () -> Int64, didCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(SQLiteJournalError) -> BatchedJournal {
        let database = try Database.journal(
            at: path, for: purpose, pageSize: settings.pageSize, fileSystem: settings.fileSystem)
        let storage = try SQLiteStorage(database, settings)
        let journal = BatchedJournal(
            storage, holding: try count(storage, path), durability: durability, isReadOnly: purpose == .inspecting,
            now: now, didCommit: didCommit)
        guard let journal else { throw .other(path: path, reason: "the system has no thread left for it") }
        return journal
    }

    private static func count(_ storage: SQLiteStorage, _ path: String) throws(SQLiteJournalError) -> Int {
        do throws(JournalError) { return try storage.count() } catch {
            throw SQLiteJournalError(error, path: path, while: "its sessions cannot be counted")
        }
    }
}
