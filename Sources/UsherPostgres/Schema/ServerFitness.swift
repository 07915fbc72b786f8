import UsherJournal

/// The requirements for a database server.
///
/// Each new connection checks them, because a standby that becomes the primary may have other settings.
enum ServerFitness {
    /// The oldest version of the database server that this build was tested with.
    static let oldestVersion = 140_000

    /// Checks that the server of a new connection is fit, and that its tables have this build's format.
    ///
    /// `durability` is `relaxed` for connections that only read. The `MonotonicClock` measures the time limit.
    static func check(
        _ connection: PostgresConnection, for durability: Durability, by deadline: Int64
    ) throws(PostgresFailure) {
        try checkVersion(of: connection)
        if durability == .sync { try checkSettings(of: connection, by: deadline) }
        guard let format = try format(on: connection, by: deadline) else {
            throw PostgresFailure(
                .configuration,
                """
                it has no tables for a journal; create them with "usher-postgres migrate --journal …", as the \
                role that shall own them
                """)
        }
        try check(format: format)
    }

    static func checkVersion(of connection: PostgresConnection) throws(PostgresFailure) {
        guard connection.version < oldestVersion else { return }
        throw PostgresFailure(
            .configuration,
            "its server is PostgreSQL \(connection.version / 10_000); use version 14 or later")
    }

    static func check(format: Int) throws(PostgresFailure) {
        guard format != Schema.version else { return }
        throw PostgresFailure(
            .configuration,
            """
            it has format \(format), and this build reads only format \(Schema.version); start the build that created \
            the journal, or name another database
            """)
    }

    /// Returns the format of the tables; nil if there are no tables.
    static func format(
        on connection: PostgresConnection, by deadline: Int64
    ) throws(PostgresFailure) -> Int? {
        guard try connection.text("to_regclass('usher.format')", by: deadline) != "" else { return nil }
        return Int(try connection.text("(SELECT max(version) FROM usher.format)", by: deadline)) ?? 0
    }

    private static func checkSettings(
        of connection: PostgresConnection, by deadline: Int64
    ) throws(PostgresFailure) {
        for name in ["fsync", "full_page_writes"]
        where try connection.text("current_setting('\(name)')", by: deadline) != "on" {
            throw PostgresFailure(
                .configuration,
                """
                its server may lose acknowledged commits, because "\(name)" is off; turn "\(name)" on, or use \
                --durability relaxed
                """)
        }
    }
}
