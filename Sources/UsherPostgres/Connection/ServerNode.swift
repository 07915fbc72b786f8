import UsherJournal
import UsherProcess

/// This server's identity among the servers on the journal, with the statements that register the server and renew its
/// lease.
struct ServerNode: Sendable {
    /// The random number of this process, which is also the number of the process's first lease.
    let number: Int64
    /// The name, which stays the same after a restart.
    let name: String
    let build: String
    /// The number that all processes under the same supervisor share; nil without a supervisor.
    let lineage: UInt64?

    init(_ server: SharingServer) {
        number = Self.newNumber()
        (name, build, lineage) = (server.name, server.build, server.lineage)
    }

    /// Returns a random number that no process and no lease has had.
    static func newNumber() -> Int64 { Int64.random(in: .min ... .max) }

    /// Registers this process in place of an earlier process under the same name, and returns the database's time of
    /// day.
    static let register = """
        INSERT INTO usher.nodes
        VALUES ($1::int8, $2::text, $3::text, now(), clock_timestamp() + interval '15 s', $4::int8)
        ON CONFLICT (name) DO UPDATE SET node = excluded.node, build = excluded.build, since = excluded.since,
            until = excluded.until, lineage = excluded.lineage
        RETURNING \(time)
        """

    /// Returns the SQL condition that a row of `usher.nodes`, named `row` in the statement, belongs to a running
    /// server.
    ///
    /// A lease lasts 15 s. If a lease ends in more than 20 s, a former primary with another clock wrote it, and the
    /// lease would be valid for much too long. The difference of 5 s allows for a clock that is set back.
    static func isAlive(_ row: String) -> String {
        "\(row).until BETWEEN now() AND clock_timestamp() + interval '20 s'"
    }

    /// Renews a lease, or starts a lease with the number `$5`.
    ///
    /// A new lease starts if the old lease has expired, is about to expire, or was written by another clock, because
    /// other servers may then claim the old lease's work. The row with this server's name may belong to another
    /// process, for example after a failover to a lagging standby. In that case, this process takes over the name after
    /// the other process's lease has expired. Until then, the statement changes nothing and returns no row. The
    /// returned row has the lease's number and the time of day.
    static let beat = """
        INSERT INTO usher.nodes AS n
        VALUES ($5::int8, $2::text, $3::text, now(), clock_timestamp() + interval '15 s', $4::int8)
        ON CONFLICT (name) DO UPDATE SET
            node = CASE WHEN n.node = $1::int8
                    AND n.until - clock_timestamp() BETWEEN interval '5 s' AND interval '15 s'
                THEN n.node ELSE $5::int8 END,
            since = CASE WHEN n.node IN ($1::int8, $5::int8) THEN n.since ELSE excluded.since END,
            build = excluded.build, until = excluded.until, lineage = excluded.lineage
            WHERE n.node IN ($1::int8, $5::int8) OR NOT (\(isAlive("n")))
        RETURNING node, \(time)
        """

    /// The SQL expression for the database's time of day, in milliseconds since 1970.
    static let time = "(extract(epoch FROM clock_timestamp()) * 1000)::int8"

    /// Writes this server's row again without a change.
    ///
    /// The database responds to this write only after all earlier writes are replicated, so later reads return only
    /// data that survives a failover. If the row is missing, the statement inserts it with an expired lease.
    private static let fence = """
        INSERT INTO usher.nodes AS n VALUES ($1::int8, $2::text, $3::text, now(), now() - interval '1 s', $4::int8)
        ON CONFLICT (name) DO UPDATE SET until = n.until
        """

    /// Returns the end of the lease of the server with a name, the remaining milliseconds, and the server's lineage.
    static let namesake = """
        SELECT (extract(epoch FROM until) * 1000000)::int8, (extract(epoch FROM until - now()) * 1000)::int8, lineage
        FROM usher.nodes WHERE name = $1::text
        """

    static let deregister = "DELETE FROM usher.nodes WHERE node = $1::int8"

    func parameters(of lease: Int64) -> [Parameter] {
        [.integer(lease), .text(name), .text(build), .integer(lineage)]
    }

    /// Prepares a new connection: sets its options, reads the epoch again, and runs `fence`.
    ///
    /// Without an epoch, commits wait for the disk.
    func prepare(
        _ connection: PostgresConnection, under lease: Int64, _ epoch: DatabaseEpoch?, by deadline: Int64
    ) throws(PostgresFailure) {
        try connection.execute(
            """
            SET synchronous_commit = \(epoch == nil ? "on" : "off"); SET lock_timeout = 5000; SET statement_timeout = 0;
            SET default_transaction_isolation = 'read committed'; SET client_min_messages = warning
            """, by: deadline)
        try epoch?.refresh(on: connection, by: deadline)
        try connection.run(Self.fence, parameters(of: lease), by: deadline)
    }
}
