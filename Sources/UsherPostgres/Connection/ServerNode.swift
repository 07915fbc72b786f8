import UsherProcess

/// This server among those on the journal, with its lease.
///
/// Its beat is also the fence of a new connection: the database answers it only once all before it is replicated, so
/// what is read afterwards is what a failover would keep.
struct ServerNode: Sendable {
    /// Its number, random for each start.
    let number: Int64
    /// Its name, the same after a restart.
    let name: String
    /// Its build.
    let build: String

    /// Makes a server's identity.
    init(name: String, build: String) {
        number = Int64.random(in: .min ... .max)
        self.name = name
        self.build = build
    }

    /// In nanoseconds, the time that a beat is good for.
    static let lease: Int64 = 15_000_000_000

    /// Takes the place of an earlier start under the same name.
    static let register = PostgresStatement(
        name: "register",
        sql: """
            INSERT INTO usher.nodes VALUES ($1::int8, $2::text, $3::text, now(), now() + interval '15 s')
            ON CONFLICT (name) DO UPDATE
                SET node = excluded.node, build = excluded.build, since = excluded.since, until = excluded.until
            """)

    /// Writes in every case, also where another server has taken the name: else it would be no fence.
    static let beat = PostgresStatement(
        name: "beat",
        sql: """
            INSERT INTO usher.nodes AS n VALUES ($1::int8, $2::text, $3::text, now(), now() + interval '15 s')
            ON CONFLICT (name) DO UPDATE
                SET until = CASE WHEN n.node = excluded.node THEN excluded.until ELSE n.until END
            RETURNING node
            """)

    /// The lease of a server under a name, and what is left of it in milliseconds.
    static let namesake = PostgresStatement(
        name: "namesake",
        sql: """
            SELECT (extract(epoch FROM until) * 1000000)::int8, (extract(epoch FROM until - now()) * 1000)::int8
            FROM usher.nodes WHERE name = $1::text
            """)

    static let deregister = PostgresStatement(
        name: "deregister", sql: "DELETE FROM usher.nodes WHERE node = $1::int8")

    var parameters: Parameters {
        var parameters = Parameters()
        parameters.integer(number)
        parameters.bytes(name.utf8)
        parameters.bytes(build.utf8)
        return parameters
    }

    /// Makes a new connection fit for use: its settings, and the fence.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - epoch: The name of the database's run, where commits are not waited for: it is read anew.
    ///   - deadline: By the `MonotonicClock`.
    /// - Throws: `PostgresFailure`.
    func prepare(
        _ connection: PostgresConnection, _ epoch: DatabaseEpoch?, by deadline: Int64
    ) throws(PostgresFailure) {
        try connection.execute(
            """
            SET synchronous_commit = \(epoch == nil ? "on" : "off"); SET lock_timeout = 5000; SET statement_timeout = 0;
            SET default_transaction_isolation = 'read committed'
            """, by: deadline)
        try epoch?.refresh(on: connection, by: deadline)
        _ = try connection.run(Self.beat, parameters, by: deadline)
        guard !connection.wasWarned else {
            throw PostgresFailure(state: "01000", message: "it has made a commit that it has not replicated")
        }
    }
}
