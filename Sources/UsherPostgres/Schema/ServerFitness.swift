import UsherJournal

/// The demands on a server of the database, which each has to meet that a connection is made to: a standby that takes over
/// may be set otherwise than the primary was.
struct ServerFitness: Sendable {
    private let durability: Durability

    /// The oldest server of the database that this build was tried with.
    static let oldestVersion = 140_000

    /// - Parameter durability: The crashes that a change outlives; `relaxed` where nothing is written.
    init(_ durability: Durability) {
        self.durability = durability
    }

    /// Sees to it that the server of a new connection is fit, and has tables of this build's format.
    ///
    /// - Parameter deadline: By the `MonotonicClock`.
    /// - Throws: `PostgresFailure`.
    func check(_ connection: PostgresConnection, by deadline: Int64) throws(PostgresFailure) {
        try Self.checkVersion(of: connection)
        if durability == .sync { try checkSettings(of: connection, by: deadline) }
        guard let format = try Self.format(on: connection, by: deadline) else {
            throw PostgresFailure(
                .configuration,
                """
                it has no tables for a journal; make them with usher-postgres migrate --journal …, as their owner
                """)
        }
        try Self.check(format: format)
    }

    /// Sees to it that the server is new enough.
    static func checkVersion(of connection: PostgresConnection) throws(PostgresFailure) {
        guard connection.version < oldestVersion else { return }
        throw PostgresFailure(
            .configuration,
            "its server is PostgreSQL \(connection.version / 10_000), and 14 is the oldest that will do")
    }

    /// Sees to it that tables have this build's format.
    static func check(format: Int) throws(PostgresFailure) {
        guard format != Schema.version else { return }
        throw PostgresFailure(
            .configuration,
            """
            it has format \(format), and this build reads only format \(Schema.version); start the build that made the \
            journal, or name another database
            """)
    }

    /// The format of the tables; nil where there are none.
    static func format(
        on connection: PostgresConnection, by deadline: Int64
    ) throws(PostgresFailure) -> Int? {
        guard try connection.text("to_regclass('usher.format')", by: deadline) != "" else { return nil }
        return Int(try connection.text("(SELECT max(version) FROM usher.format)", by: deadline)) ?? 0
    }

    private func checkSettings(
        of connection: PostgresConnection, by deadline: Int64
    ) throws(PostgresFailure) {
        for name in ["fsync", "full_page_writes"]
        where try connection.text("current_setting('\(name)')", by: deadline) != "on" {
            throw PostgresFailure(
                .configuration,
                """
                its server has \(name) off, and may lose what it has acknowledged; switch it on, or say \
                --durability relaxed
                """)
        }
    }
}
