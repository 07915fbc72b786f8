import Synchronization

/// The name of a database's run, for a journal whose acknowledged changes a crash can take back: after one it is another.
///
/// All servers on the database read the same. A crash ends all connections, so it is read on each new one.
final class DatabaseEpoch: Sendable {
    private let state = Mutex("")

    /// The timeline, the time of the server's start, and that of the last crash: statistics do not outlive one.
    private static let query = """
        SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)
            || '-' || (extract(epoch FROM pg_postmaster_start_time()) * 1000)::int8
            || '-' || (extract(epoch FROM stats_reset) * 1000)::int8
        FROM pg_stat_wal
        """

    init() {}

    /// The name, as it was read last.
    var name: String { state.withLock(\.self) }

    /// Reads it.
    ///
    /// - Throws: `PostgresFailure`.
    func refresh(on connection: PostgresConnection, by deadline: Int64) throws(PostgresFailure) {
        let rows = try connection.execute(Self.query, by: deadline)
        guard rows.count > 0 else { return }
        let name = rows.text(0, 0)
        state.withLock { $0 = name }
    }
}
