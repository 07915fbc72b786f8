import Synchronization

/// The name of a database's run, which changes with each crash of the database.
///
/// Only a journal that can lose acknowledged changes in a crash needs the name. All servers on the database read the
/// same name. A crash ends all connections, so reading the name on each new connection is enough.
final class DatabaseEpoch: Sendable {
    private let state = Mutex("")

    /// Reads the timeline, the database server's start time, and the time when statistics were reset (also by a crash).
    private static let query = """
        SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)
            || '-' || (extract(epoch FROM pg_postmaster_start_time()) * 1000)::int8
            || '-' || (extract(epoch FROM stats_reset) * 1000)::int8
        FROM pg_stat_wal
        """

    var name: String { state.withLock(\.self) }

    func refresh(on connection: PostgresConnection, by deadline: Int64) throws(PostgresFailure) {
        let rows = try connection.execute(Self.query, by: deadline)
        guard rows.count > 0 else { return }
        let name = rows.text(0, 0)
        state.withLock { $0 = name }
    }
}
