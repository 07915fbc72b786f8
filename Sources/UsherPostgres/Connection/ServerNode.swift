import UsherJournal
import UsherProcess

/// This server among those on the journal: what tells it from others, and how it takes and renews its place.
struct ServerNode: Sendable {
    /// The number of this start, at random; its first lease has it too.
    let number: Int64
    /// Its name, the same after a restart.
    let name: String
    /// Its build.
    let build: String
    /// The number that all starts under the same supervisor have; nil without one.
    let lineage: Int64?

    /// Makes a server's identity.
    init(name: String, build: String, lineage: UInt64? = nil) {
        number = Self.newNumber()
        self.name = name
        self.build = build
        self.lineage = lineage.map { Int64(bitPattern: $0) }
    }

    /// A number that no start and no lease had before.
    static func newNumber() -> Int64 { Int64.random(in: .min ... .max) }

    /// Takes the place of an earlier start under the same name; returns the time of day.
    static let register = PostgresStatement(
        name: "register",
        sql: """
            INSERT INTO usher.nodes
            VALUES ($1::int8, $2::text, $3::text, now(), clock_timestamp() + interval '15 s', $4::int8)
            ON CONFLICT (name) DO UPDATE SET node = excluded.node, build = excluded.build, since = excluded.since,
                until = excluded.until, lineage = excluded.lineage
            RETURNING \(time)
            """)

    /// The condition that a row of `usher.nodes` is a living server's.
    ///
    /// A lease that ends later than any can has been written by another clock, that of a primary which is gone: by that
    /// it would last for as long as the two differ. Five seconds are left for a clock that is set back.
    ///
    /// - Parameter row: The row's name in the statement.
    static func isAlive(_ row: String) -> String {
        "\(row).until BETWEEN now() AND clock_timestamp() + interval '20 s'"
    }

    /// Renews a lease, or begins another under the number `$5` where it has run out, or nearly, or was written by another
    /// clock.
    ///
    /// Then others may have claimed, or be claiming, what the first owned. The place of another start under the same name
    /// is taken where that one's lease has run out: it may be one before this, which a standby that lagged has brought back.
    /// While it lives nothing is changed, and no row returned. The row has the lease's number, and the time of day.
    static let beat = PostgresStatement(
        name: "beat",
        sql: """
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
            """)

    /// The database's time of day, in milliseconds since 1970, as an expression.
    static let time = "(extract(epoch FROM clock_timestamp()) * 1000)::int8"

    /// Writes this server's place as it is, behind all that was written before.
    ///
    /// The database answers only once all of that is replicated, so what is read afterwards is what a failover would keep. A
    /// place that is gone comes back as one whose lease has run out.
    private static let fence = PostgresStatement(
        name: "fence",
        sql: """
            INSERT INTO usher.nodes AS n VALUES ($1::int8, $2::text, $3::text, now(), now() - interval '1 s', $4::int8)
            ON CONFLICT (name) DO UPDATE SET until = n.until
            """)

    /// The lease of a server under a name, what is left of it in milliseconds, and the server's lineage.
    static let namesake = PostgresStatement(
        name: "namesake",
        sql: """
            SELECT (extract(epoch FROM until) * 1000000)::int8, (extract(epoch FROM until - now()) * 1000)::int8, lineage
            FROM usher.nodes WHERE name = $1::text
            """)

    static let deregister = PostgresStatement(
        name: "deregister", sql: "DELETE FROM usher.nodes WHERE node = $1::int8")

    /// The parameters of a place among the servers.
    ///
    /// - Parameter lease: The number of the lease.
    func parameters(of lease: Int64) -> Parameters {
        var parameters = Parameters()
        parameters.integer(lease)
        parameters.bytes(name.utf8)
        parameters.bytes(build.utf8)
        if let lineage { parameters.integer(lineage) } else { parameters.null() }
        return parameters
    }

    /// Makes a new connection fit for use: its settings, and the fence.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - lease: The number of the lease now.
    ///   - epoch: The name of the database's run, where commits are not waited for: it is read anew.
    ///   - deadline: By the `MonotonicClock`.
    /// - Throws: `PostgresFailure`.
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
