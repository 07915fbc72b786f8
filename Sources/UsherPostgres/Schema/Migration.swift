import UsherProcess

/// The result of a migration.
package enum MigrationResult: Equatable, Sendable {
    /// The tables were made.
    case made
    /// They were there already, of this build's format.
    case upToDate
}

/// The roles that a migration grants rights to, where the database has them.
package struct JournalRoles: Sendable {
    /// The role of servers, which reads and changes rows, and can neither drop nor truncate tables.
    package var application: String
    /// The role of those who look at the journal: it reads.
    package var inspection: String

    /// Names the roles.
    ///
    /// - Parameters:
    ///   - application: The role of servers.
    ///   - inspection: The role of those who look at the journal.
    package init(application: String = "usher_app", inspection: String = "usher_look") {
        self.application = application
        self.inspection = inspection
    }
}

/// The making of a journal's tables, as their owner, with the rights of others on them; a server never does it.
package struct Migration {
    private let connection: PostgresConnection
    private let roles: JournalRoles
    private let deadline = MonotonicClock.now + Self.patience

    private static let patience: Int64 = 60_000_000_000

    private init(on location: PostgresLocation, granting roles: JournalRoles) throws(PostgresFailure) {
        self.roles = roles
        connection = try PostgresConnection(to: location)
        try ServerFitness.checkVersion(of: connection)
    }

    /// Makes the tables where there are none, and grants the rights on them; of several that do so at the same time one
    /// makes them.
    ///
    /// - Parameters:
    ///   - location: The database, with a role that may make a schema in it, or that owns the one which is there.
    ///   - roles: The roles that get rights, where they are there.
    /// - Returns: The result.
    /// - Throws: `PostgresJournalError`.
    @discardableResult
    package static func run(
        on location: PostgresLocation, granting roles: JournalRoles = JournalRoles()
    ) throws(PostgresJournalError) -> MigrationResult {
        do throws(PostgresFailure) {
            return try Migration(on: location, granting: roles).run()
        } catch {
            throw PostgresJournalError(
                error, at: location,
                advice: "migrate with the role that owns the tables, and that may make a schema in this database")
        }
    }

    private func run() throws(PostgresFailure) -> MigrationResult {
        let isMade = try ServerFitness.format(on: connection, by: deadline) == nil ? try make() : false
        try ServerFitness.check(format: try ServerFitness.format(on: connection, by: deadline) ?? 0)
        try grant()
        return isMade ? .made : .upToDate
    }

    /// Makes the tables.
    ///
    /// - Returns: False where another has made them meanwhile.
    private func make() throws(PostgresFailure) -> Bool {
        do throws(PostgresFailure) {
            try connection.execute(Schema.creation, by: deadline)
            return true
        } catch {
            guard Self.duplicates.contains(error.state) else { throw error }
            guard try ServerFitness.format(on: connection, by: deadline) != nil else {
                throw PostgresFailure(
                    .configuration, "its schema usher has other tables than a journal's (\(error.message))")
            }
            return false
        }
    }

    /// There is such a schema or table, or another transaction has just made one.
    private static let duplicates = ["23505", "42P06", "42P07"]

    private func grant() throws(PostgresFailure) {
        var grants = ""
        if let role = try quoted(roles.application) { grants += Schema.grants(of: Schema.changing, to: role) }
        if let role = try quoted(roles.inspection) { grants += Schema.grants(of: Schema.reading, to: role) }
        guard !grants.isEmpty else { return }
        // The database refuses two grants on one table at the same time.
        try connection.execute("LOCK TABLE usher.format IN SHARE ROW EXCLUSIVE MODE; \(grants)", by: deadline)
    }

    /// A role's name as statements take it; nil where there is no such role.
    private func quoted(_ role: String) throws(PostgresFailure) -> String? {
        let rows = try connection.run(Self.role, Parameters(role), by: deadline)
        return rows.count > 0 ? rows.text(0, 0) : nil
    }

    private static let role = PostgresStatement(
        name: "role", sql: "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = $1::text")
}
