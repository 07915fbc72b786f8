import JournalSubject
import LocalhostClient
import PostgresCluster
import Programs
import Testing
import UsherJournal
import UsherPostgres

@Suite("Migrations", .blocking)
struct MigrationTests {
    private let cluster: PostgresCluster
    private let name: String
    private let roles: JournalRoles

    init() throws {
        cluster = try PostgresCluster.shared
        name = try cluster.makeDatabase()
        // A name that must be quoted.
        roles = JournalRoles(application: "App \"of\" \(name)", inspection: "look_\(name)")
    }

    private func location(as role: String = "usher_owner") throws -> PostgresLocation {
        try PostgresLocation(cluster.uri(of: name, as: role.split(separator: " ").joined(separator: "%20")))
    }

    private func makeRoles() throws {
        try cluster.run(
            """
            CREATE ROLE "App ""of"" \(name)" LOGIN; CREATE ROLE look_\(name) LOGIN;
            """, on: name)
    }

    /// Returns the error of a migration; empty if it succeeds.
    private func refusal(as role: String = "usher_owner") throws -> String {
        let location = try location(as: role)
        do throws(PostgresJournalError) {
            try Migration.run(on: location)
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// Returns the number of each of a role's rights on the tables.
    private func rights(of role: String) throws -> String {
        try cluster.run(
            """
            SELECT string_agg(privilege_type || ' ' || count, ', ' ORDER BY privilege_type) FROM (
                SELECT privilege_type, count(*) FROM information_schema.role_table_grants
                WHERE grantee = '\(role)' AND table_schema = 'usher' GROUP BY privilege_type) t
            """, on: name)
    }

    @Test func `migrating twice creates the tables once`() throws {
        #expect(try Migration.run(on: location()) == .made)
        #expect(try Migration.run(on: location()) == .upToDate)
    }

    @Test func `a migration grants rights to existing roles, even if it is repeated`() throws {
        #expect(try Migration.run(on: location(), granting: roles) == .made)
        #expect(try rights(of: roles.inspection) == "\n")
        try makeRoles()
        for _ in 0..<2 {
            #expect(try Migration.run(on: location(), granting: roles) == .upToDate)
            #expect(try rights(of: roles.application) == "DELETE 13, INSERT 13, SELECT 13, UPDATE 13\n")
            #expect(try rights(of: roles.inspection) == "SELECT 13\n")
            try cluster.run("REVOKE SELECT ON usher.sessions FROM look_\(name)", on: name)
        }
    }

    @Test func `a server can run with the application's role, and the inspection role can only read`()
        async throws
    {
        try makeRoles()
        try Migration.run(on: location(), granting: JournalRoles(application: roles.inspection, inspection: "none"))
        let journal = try PostgresJournal(location(as: roles.inspection), as: SharingServer("usher"))
        await journal.close()
        #expect(throws: ClusterError.self) {
            try cluster.run("TRUNCATE usher.work", on: name, as: roles.inspection)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `if several migrations run at once, one migration creates the tables, and no migration fails`() async throws {
        try makeRoles()
        let results = try await withThrowingTaskGroup(of: MigrationResult.self) { group in
            for _ in 0..<8 {
                group.addTask { try Migration.run(on: location(), granting: roles) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.filter { $0 == .made }.count == 1)
        #expect(results.filter { $0 == .upToDate }.count == 7)
        #expect(try rights(of: roles.inspection) == "SELECT 13\n")
    }

    @Test func `if the format is not supported or the role lacks rights, the error names the remedy`() throws {
        let role = "role_\(name)"
        try cluster.run("CREATE ROLE \(role) LOGIN", on: name)
        #expect(try refusal(as: role).contains("permission denied for database \(name); run \"migrate\" as the role"))
        try Migration.run(on: location())
        #expect(try refusal(as: role).contains("permission denied for schema usher; run \"migrate\" as the role"))
        for format in [9, 1] {
            try cluster.run("UPDATE usher.format SET version = \(format)", on: name)
            #expect(try refusal().contains("has format \(format), and this build reads only format 4; start the build"))
        }
    }

    @Test func `a role that does not own the tables cannot grant rights`() throws {
        try makeRoles()
        try Migration.run(on: location(), granting: roles)
        #expect(throws: PostgresJournalError.self) {
            try Migration.run(on: location(as: roles.inspection), granting: roles)
        }
    }

    @Test func `tables of other programs in the schema usher are not changed`() throws {
        try cluster.run("CREATE SCHEMA usher; CREATE TABLE usher.entries ()", on: name)
        #expect(try refusal().contains("its schema \"usher\" has tables that are not a journal's"))
    }
}
