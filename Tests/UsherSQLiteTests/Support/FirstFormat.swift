@testable import UsherSQLite

extension Database {
    /// Makes a journal of the first format of one of this build: without what the later ones have brought.
    func makeFirstFormat() throws(SQLiteFailure) {
        let tables = ["recent", "guilty", "subjects"].map { "DROP TABLE \($0)" }
        let indexes = ["app", "app_created", "app_touched", "created", "leaked", "leaked_created", "leaked_touched"]
            .map { "DROP INDEX sessions_\($0)" }
        let columns = ["leaked", "created", "app"].map { "ALTER TABLE sessions DROP COLUMN \($0)" }
        try execute((tables + indexes + columns + ["PRAGMA user_version = 1"]).joined(separator: "; "))
    }
}
