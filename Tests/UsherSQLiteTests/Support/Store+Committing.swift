import UsherJournal

@testable import UsherSQLite

extension Store {
    /// Applies changes and commits them, on the calling thread.
    func commit(_ changes: Change...) throws {
        try connection.execute("BEGIN IMMEDIATE")
        for change in changes { try apply(change) }
        try connection.execute("COMMIT")
    }
}
