import Dispatch

/// A lock on a table that somebody holds who is no server.
final class StrangersLock: Sendable {
    private let database: JournalDatabase
    private let table: String

    /// Waits until it is held.
    init(on table: String, in database: JournalDatabase) throws {
        self.database = database
        self.table = table
        DispatchQueue.global().async {
            // Whoever releases it ends the connection.
            _ = try? database.run("BEGIN; LOCK TABLE \(table); SELECT pg_sleep(120); COMMIT")
        }
        while try number("granted AND mode = 'AccessExclusiveLock'") == 0 { try Task.checkCancellation() }
    }

    deinit { try? release() }

    /// The number of those that wait for the table.
    func others() throws -> Int { try number("NOT granted") }

    /// Waits until so many wait for the table.
    func waitForOthers(_ count: Int) throws { while try others() < count { try Task.checkCancellation() } }

    /// Lets go of it.
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
