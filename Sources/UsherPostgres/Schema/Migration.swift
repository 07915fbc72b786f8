import UsherProcess

package enum MigrationResult: Equatable, Sendable {
    case made
    /// The tables already existed, in this build's format.
    case upToDate
}

/// The roles to which a migration grants privileges, if the roles exist.
package struct JournalRoles: Sendable {
    /// The servers' role, which reads and changes rows, but cannot drop or truncate tables.
    package var application: String
    /// The role for inspection, which only reads.
    package var inspection: String

    package init(application: String = "usher_app", inspection: String = "usher_look") {
        self.application = application
        self.inspection = inspection
    }
}

/// Creates a journal's tables and grants privileges, as the owner of the tables; a server never runs a migration.
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

    /// Creates missing tables and grants privileges; only one of several concurrent migrations creates the tables.
    ///
    /// - Parameters:
    ///   - location: The database, with a role that may create a schema, or that owns the existing schema.
    ///   - roles: The roles that get privileges, if the roles exist.
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
                advice: "run \"migrate\" as the role that owns the tables and may create a schema in this database")
        }
    }

    private func run() throws(PostgresFailure) -> MigrationResult {
        let isMade = try ServerFitness.format(on: connection, by: deadline) == nil ? try make() : false
        try ServerFitness.check(format: try ServerFitness.format(on: connection, by: deadline) ?? 0)
        try grant()
        return isMade ? .made : .upToDate
    }

    /// Creates the tables; returns `false` if another migration has meanwhile created them.
    private func make() throws(PostgresFailure) -> Bool {
        do throws(PostgresFailure) {
            try connection.execute(Schema.creation, by: deadline)
            return true
        } catch {
            guard Self.duplicates.contains(error.state) else { throw error }
            guard try ServerFitness.format(on: connection, by: deadline) != nil else {
                throw PostgresFailure(
                    .configuration, "its schema \"usher\" has tables that are not a journal's (\(error.message))")
            }
            return false
        }
    }

    /// The SQLSTATEs of the errors for a schema or table that already exists, or that another transaction has just
    /// created.
    private static let duplicates = ["23505", "42P06", "42P07"]

    private func grant() throws(PostgresFailure) {
        var grants = ""
        if let role = try quoted(roles.application) { grants += Schema.grants(of: Schema.changing, to: role) }
        if let role = try quoted(roles.inspection) { grants += Schema.grants(of: Schema.reading, to: role) }
        guard !grants.isEmpty else { return }
        // Locks the table `format`, because the database refuses two concurrent grants on the same table.
        try connection.execute("LOCK TABLE usher.format IN SHARE ROW EXCLUSIVE MODE; \(grants)", by: deadline)
    }

    /// Returns a role's quoted name; nil if there is no such role.
    private func quoted(_ role: String) throws(PostgresFailure) -> String? {
        let rows = try connection.run(Self.role, [.text(role)], by: deadline)
        return rows.count > 0 ? rows.text(0, 0) : nil
    }

    private static let role = "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = $1::text"
}
