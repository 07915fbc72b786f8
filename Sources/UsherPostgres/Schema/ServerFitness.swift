import UsherJournal

/// The demands on a server of the database, which each has to meet that a connection is made to: a standby that takes over
/// may be set otherwise than the primary was.
struct ServerFitness: Sendable {
    private let durability: Durability

    /// The oldest server of the database that this build was tried with.
    static let oldestVersion = 140_000

    /// - Parameter durability: The crashes that a change outlives; no matter where nothing is written.
    init(_ durability: Durability) {
        self.durability = durability
    }

    /// The reason why a server is not fit to hold a journal; nil for one that is.
    ///
    /// - Parameter deadline: By the `MonotonicClock`.
    /// - Throws: `PostgresFailure`.
    func refusal(of connection: PostgresConnection, by deadline: Int64) throws(PostgresFailure) -> String? {
        if let reason = Self.refusal(ofVersion: connection.version) { return reason }
        guard durability == .sync else { return nil }
        let rows = try connection.execute(
            "SELECT current_setting('fsync'), current_setting('full_page_writes')", by: deadline)
        for (column, name) in ["fsync", "full_page_writes"].enumerated()
        where rows.count > 0 && rows.text(0, column) != "on" {
            return """
                its server has \(name) off, and may lose what it has acknowledged; switch it on, or say \
                --durability relaxed
                """
        }
        return nil
    }

    /// The reason why a version is too old; nil for one that is not.
    static func refusal(ofVersion version: Int) -> String? {
        guard version < oldestVersion else { return nil }
        return "its server is PostgreSQL \(version / 10_000), and 14 is the oldest that will do"
    }

    /// Sees to it that the server of a new connection is fit, and has tables of this build's format.
    ///
    /// - Parameter deadline: By the `MonotonicClock`.
    /// - Throws: `PostgresFailure`.
    func check(_ connection: PostgresConnection, by deadline: Int64) throws(PostgresFailure) {
        if let reason = try refusal(of: connection, by: deadline) { throw PostgresFailure(.configuration, reason) }
        let rows = try connection.execute("SELECT max(version) FROM usher.format", by: deadline)
        let format = rows.count > 0 ? rows.text(0, 0) : ""
        guard format == "\(Schema.version)" else {
            throw PostgresFailure(.configuration, "its tables are of format \(format), and not \(Schema.version)")
        }
    }
}
