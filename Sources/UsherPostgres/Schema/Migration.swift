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
    private let name: String
    private let deadline = MonotonicClock.now + Self.patience

    private static let patience: Int64 = 60_000_000_000

    private init(on location: PostgresLocation, granting roles: JournalRoles) throws(PostgresJournalError) {
        name = "\(location)"
        self.roles = roles
        do throws(PostgresFailure) { connection = try PostgresConnection(to: location) } catch {
            throw .unreachable("\(location)", reason: error.message)
        }
        try StartCheck(location).checkVersion(connection)
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
        let migration = try Migration(on: location, granting: roles)
        let isMade = try migration.format() == nil ? try migration.make() : false
        guard let format = try migration.format() else { throw .missing(migration.name) }
        guard format == Schema.version else { throw .format(migration.name, found: format) }
        try migration.grant()
        return isMade ? .made : .upToDate
    }

    /// The format of the tables that are there.
    ///
    /// - Returns: nil where there are none.
    private func format() throws(PostgresJournalError) -> Int? {
        let found = try execute("SELECT to_regclass('usher.format') IS NOT NULL")
        guard found.count > 0, found.text(0, 0) == "t" else { return nil }
        let version = try execute("SELECT max(version) FROM usher.format")
        return version.count > 0 ? Int(version.text(0, 0)) ?? 0 : 0
    }

    /// Makes the tables.
    ///
    /// - Returns: False where another has made them meanwhile.
    private func make() throws(PostgresJournalError) -> Bool {
        do throws(PostgresFailure) {
            try connection.execute(Schema.creation, by: deadline)
            return true
        } catch {
            guard Self.duplicates.contains(error.state) else { throw refusal(error) }
            guard try format() != nil else {
                throw .unfit(name, reason: "its schema usher has other tables than a journal's (\(error.message))")
            }
            return false
        }
    }

    /// There is such a schema or table, or another transaction has just made one.
    private static let duplicates = ["23505", "42P06", "42P07"]

    private func grant() throws(PostgresJournalError) {
        var grants = ""
        if let role = try quoted(roles.application) { grants += Schema.grants(of: Schema.changing, to: role) }
        if let role = try quoted(roles.inspection) { grants += Schema.grants(of: Schema.reading, to: role) }
        guard !grants.isEmpty else { return }
        // The database refuses two grants on one table at the same time.
        try execute("LOCK TABLE usher.format IN SHARE ROW EXCLUSIVE MODE; \(grants)")
    }

    /// A role's name as statements take it; nil where there is no such role.
    private func quoted(_ role: String) throws(PostgresJournalError) -> String? {
        var parameters = Parameters()
        parameters.bytes(role.utf8)
        do throws(PostgresFailure) {
            let rows = try connection.run(Self.role, parameters, by: deadline)
            return rows.count > 0 ? rows.text(0, 0) : nil
        } catch {
            throw refusal(error)
        }
    }

    private static let role = PostgresStatement(
        name: "role", sql: "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname = $1::text")

    @discardableResult
    private func execute(_ sql: String) throws(PostgresJournalError) -> ResultRows {
        do throws(PostgresFailure) { return try connection.execute(sql, by: deadline) } catch { throw refusal(error) }
    }

    private func refusal(_ failure: PostgresFailure) -> PostgresJournalError {
        guard failure.state == "42501" else { return .unreachable(name, reason: failure.message) }
        return .unfit(
            name,
            reason: """
                \(failure.message); migrate with the role that owns the tables, and that may make a schema in this database
                """)
    }
}
