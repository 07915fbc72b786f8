import UsherJournal

@testable import UsherSQLite

extension Subject {
    /// Opens a journal's file.
    init(
        opening name: String = "journal.db", in folder: Folder, _ durability: Durability = .sync,
        for purpose: Purpose = .serving, _ hooks: Hooks = Hooks(), now: @escaping @Sendable () -> Int64 = { 0 }
    ) throws {
        let journal = try SQLiteJournal(path: folder(name), durability: durability, for: purpose, hooks, now: now)
        self.init(journal, in: folder)
    }

    func close() async { await journal.close() }
}

/// The error with which a file is refused.
func refusal(_ name: String = "journal.db", in folder: Folder, for purpose: Purpose = .serving) -> SQLiteJournalError? {
    do throws(SQLiteJournalError) {
        _ = try SQLiteJournal(path: folder(name), durability: .sync, for: purpose, now: { 0 })
        return nil
    } catch {
        return error
    }
}
