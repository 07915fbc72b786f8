import JournalSubject
import LocalhostClient
import PostgresCluster
import Programs
import Testing
import UsherJournal
import UsherPostgres

@Suite("The making of the tables", .blocking)
struct MigrationTests {
    private let cluster: PostgresCluster
    private let name: String
    private let roles: JournalRoles

    init() throws {
        cluster = try PostgresCluster.shared
        name = try cluster.makeDatabase()
        // One that has to be quoted.
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

    /// The sentence with which a migration is refused; empty where it is not.
    private func refusal(as role: String = "usher_owner", finishing: Bool = false) throws -> String {
        let location = try location(as: role)
        do throws(PostgresJournalError) {
            try Migration.run(on: location, finishing: finishing)
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// The roles' rights on the tables: how many of each there are.
    private func rights(of role: String) throws -> String {
        try cluster.run(
            """
            SELECT string_agg(privilege_type || ' ' || count, ', ' ORDER BY privilege_type) FROM (
                SELECT privilege_type, count(*) FROM information_schema.role_table_grants
                WHERE grantee = '\(role)' AND table_schema = 'usher' GROUP BY privilege_type) t
            """, on: name)
    }

    @Test func `they are made once, and an upgrade that there is not is finished`() throws {
        #expect(try refusal(finishing: true).contains("has no tables for a journal"))
        #expect(try Migration.run(on: location()) == .made)
        #expect(try Migration.run(on: location()) == .upToDate)
        #expect(try Migration.run(on: location(), finishing: true) == .finished)
        #expect(try Migration.run(on: location()) == .upToDate)
    }

    @Test func `tables of the first format get what they have not, once, and keep their rows`() async throws {
        try Migration.run(on: location())
        let journal = Subject(try PostgresJournal.open(location()), in: try TemporaryFolder())
        var author = Author(1)
        await journal.keep(author.create())
        await journal.close()
        try cluster.run(
            """
            ALTER TABLE usher.sessions DROP COLUMN access, DROP COLUMN subject, DROP COLUMN app, DROP COLUMN created,
                DROP COLUMN leaked;
            DROP INDEX usher.sessions_touched_order;
            CREATE INDEX sessions_touched_idx ON usher.sessions (touched) WHERE ended IS NULL;
            DELETE FROM usher.format; INSERT INTO usher.format VALUES (1)
            """, on: name)
        #expect(throws: PostgresJournalError.self) { try PostgresJournal.open(location()) }
        #expect(try refusal(finishing: true).contains("is of format 1; bring it up to date"))
        #expect(try Migration.run(on: location()) == .upgraded)
        #expect(try Migration.run(on: location()) == .upToDate)
        let again = Subject(try PostgresJournal.open(location()), in: try TemporaryFolder())
        #expect(try await again.head(of: author.key) == author.head)
        var other = Author(2, access: SessionAccess(owner: TokenHash(of: [1]), subject: "kim"))
        await again.keep(other.create())
        #expect(try await again.sessions(of: "kim", limit: 2).map(\.key) == [other.key])
        for order in SessionQuery.Order.allCases {
            let query = SessionQuery(by: order, of: "notes", limit: 3)
            #expect(Set(try await again.sessions(matching: query).map(\.key)) == [author.key, other.key])
        }
        await again.close()
    }

    @Test func `what older servers have opened meanwhile is listed once the upgrade is finished`() async throws {
        try Migration.run(on: location())
        let journal = Subject(try PostgresJournal.open(location()), in: try TemporaryFolder())
        var author = Author(1, app: "tudy")
        await journal.keep(author.create())
        try cluster.run("UPDATE usher.sessions SET app = NULL, created = NULL", on: name)
        let query = SessionQuery(by: .created, of: "tudy", limit: 3)
        #expect(try await journal.sessions(matching: query).isEmpty)
        #expect(try await journal.sessions(matching: SessionQuery(limit: 3)).map(\.created) == [1_000])
        #expect(try Migration.run(on: location(), finishing: true) == .finished)
        #expect(try await journal.sessions(matching: query).map(\.created) == [1_000])
        await journal.keep(author.append())
        #expect(!author.tail.isBroken)
        await journal.close()
    }

    @Test func `the roles that are there get their rights, and get them again`() throws {
        #expect(try Migration.run(on: location(), granting: roles) == .made)
        #expect(try rights(of: roles.inspection) == "\n")
        try makeRoles()
        for _ in 0..<2 {
            #expect(try Migration.run(on: location(), granting: roles) == .upToDate)
            #expect(try rights(of: roles.application) == "DELETE 11, INSERT 11, SELECT 11, UPDATE 11\n")
            #expect(try rights(of: roles.inspection) == "SELECT 11\n")
            try cluster.run("REVOKE SELECT ON usher.sessions FROM look_\(name)", on: name)
        }
    }

    @Test func `a server runs with the one role, and the other reads`() async throws {
        try makeRoles()
        try Migration.run(on: location(), granting: JournalRoles(application: roles.inspection, inspection: "none"))
        let journal = try PostgresJournal.open(location(as: roles.inspection))
        await journal.close()
        #expect(throws: ClusterError.self) {
            try cluster.run("TRUNCATE usher.work", on: name, as: roles.inspection)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `of several at the same time one makes them, and none fails`() async throws {
        try makeRoles()
        let results = try await withThrowingTaskGroup(of: MigrationResult.self) { group in
            for _ in 0..<8 {
                group.addTask { try Migration.run(on: location(), granting: roles) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.filter { $0 == .made }.count == 1)
        #expect(results.filter { $0 == .upToDate }.count == 7)
        #expect(try rights(of: roles.inspection) == "SELECT 11\n")
    }

    @Test func `a format that is newer, or a role without rights, is told what to do`() throws {
        let role = "role_\(name)"
        try cluster.run("CREATE ROLE \(role) LOGIN", on: name)
        #expect(try refusal(as: role).contains("permission denied for database \(name); migrate with the role"))
        try Migration.run(on: location())
        #expect(try refusal(as: role).contains("permission denied for schema usher; migrate with the role"))
        try cluster.run("INSERT INTO usher.format VALUES (9)", on: name)
        #expect(try refusal().contains("of format 9, which is newer than this build; start the build that made it"))
    }

    @Test func `a role that does not own the tables can grant nothing`() throws {
        try makeRoles()
        try Migration.run(on: location(), granting: roles)
        #expect(throws: PostgresJournalError.self) {
            try Migration.run(on: location(as: roles.inspection), granting: roles)
        }
    }

    @Test func `tables of others under these names are left alone`() throws {
        try cluster.run("CREATE SCHEMA usher; CREATE TABLE usher.entries ()", on: name)
        #expect(try refusal().contains("its schema usher has other tables than a journal's"))
    }
}
