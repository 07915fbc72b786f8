import Dispatch

/// A lock on a table, which is held by a client that is no server.
final class StrangersLock: Sendable {
    private let database: JournalDatabase
    private let table: String

    /// Waits until the lock is held.
    init(on table: String, in database: JournalDatabase) throws {
        self.database = database
        self.table = table
        DispatchQueue.global().async {
            // Releasing the lock ends the connection.
            _ = try? database.run("BEGIN; LOCK TABLE \(table); SELECT pg_sleep(120); COMMIT")
        }
        while try number("granted AND mode = 'AccessExclusiveLock'") == 0 { try Task.checkCancellation() }
    }

    deinit { try? release() }

    /// Returns the number of other clients that wait for the table.
    func others() throws -> Int { try number("NOT granted") }

    /// Waits until a number of other clients wait for the table.
    func waitForOthers(_ count: Int) throws { while try others() < count { try Task.checkCancellation() } }

    /// Releases the lock.
    func release() throws {
        try database.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'BEGIN; LOCK TABLE \(table);%'
            """)
        while try number("granted AND mode = 'AccessExclusiveLock'") > 0 { try Task.checkCancellation() }
    }

    private func number(_ condition: String) throws -> Int {
        let count = try database.run(
            """
            SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
            WHERE datname = current_database() AND relation = '\(table)'::regclass AND \(condition)
            """)
        return Int(count.prefix { $0.isNumber }) ?? 0
    }
}
