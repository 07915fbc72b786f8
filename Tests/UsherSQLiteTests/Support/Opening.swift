import JournalSubject
import Programs
import UsherJournal

@testable import UsherSQLite

extension Subject {
    /// Opens a journal's file.
    init(
        opening name: String = "journal.db", in folder: TemporaryFolder, _ durability: Durability = .sync,
        for purpose: Purpose = .serving, _ settings: SQLiteSettings = SQLiteSettings(),
        now: @escaping @Sendable () -> Int64 = { 0 }, didCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws {
        let journal = try SQLiteJournal.open(
            folder(name), durability: durability, for: purpose, settings, now: now, didCommit: didCommit)
        self.init(journal, in: folder)
    }

    /// Reads the write buffer in memory, after everything that was submitted before.
    func buffer<Answer: Sendable>(_ look: @escaping @Sendable (WriteBuffer) -> Answer) async throws -> Answer? {
        guard let journal = journal as? BatchedJournal else { return nil }
        return try await journal.read { storage throws(JournalError) in
            (storage as? SQLiteStorage).map { look($0.buffer) }
        }
    }
}

extension SQLiteStorage {
    /// Opens a journal's file on the calling thread.
    convenience init(
        in folder: TemporaryFolder, _ name: String = "journal.db", pageSize: Int = 4096,
        _ limits: WriteBufferLimits = WriteBufferLimits()
    ) throws {
        var settings = SQLiteSettings()
        settings.buffer = limits
        try self.init(.journal(at: folder(name), for: .serving, pageSize: pageSize), settings)
    }

    /// Applies changes and commits them, on the calling thread.
    func commit(_ changes: AuthoredChange...) throws {
        try begin()
        for change in changes { try apply(change.next) }
        try commit()
    }

    /// Returns the number of rows in a table.
    func count(_ table: String) throws -> Int64 { try database.integer("SELECT count(*) FROM \(table)") }

    /// Flushes the write buffer, with about a number of entries in each transaction.
    ///
    /// - Parameter deleting: Whether to continue until the buffer's table is empty.
    func flushAll(_ entries: Int = 10, deleting: Bool = true) throws {
        buffer.seal()
        while let sealed = buffer.sealed, deleting || !sealed.isFlushed {
            try transaction { () throws(JournalError) in _ = try flushSome(deleting ? entries : 1) }
        }
    }
}

extension TemporaryFolder {
    /// Copies an open journal as a crash would leave it.
    func crash(_ name: String, to copy: String) throws {
        try write(bytes(of: name), to: copy)
        try write(bytes(of: name + "-wal"), to: copy + "-wal")
    }
}

/// Returns the error with which a file is refused.
func refusal(
    _ name: String = "journal.db", in folder: TemporaryFolder, for purpose: Purpose = .serving
) -> SQLiteJournalError? {
    do throws(SQLiteJournalError) {
        _ = try SQLiteJournal.open(folder(name), durability: .sync, for: purpose, now: { 0 })
        return nil
    } catch {
        return error
    }
}
