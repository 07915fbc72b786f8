import UsherJournal

@testable import UsherSQLite

extension Subject {
    /// What is in memory of the table of recent entries, once all that was submitted before is done.
    func recent() async throws -> Recent? {
        guard let journal = journal as? SQLiteJournal else { return nil }
        return try await journal.desk.ask { worker, continuation in
            continuation.resume(returning: .success(worker.store.recent))
        }
    }
}
