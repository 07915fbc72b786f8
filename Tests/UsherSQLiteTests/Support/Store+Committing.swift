import UsherJournal

@testable import UsherSQLite

extension Store {
    /// Applies changes and commits them, on the calling thread.
    func commit(_ changes: JournalChange...) throws {
        try begin()
        for change in changes { try apply(change) }
        try commit()
    }
}
