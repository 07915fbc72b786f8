import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal

@testable import UsherPostgres

/// Tests that commits wait for the standby, and that no state counts that is not replicated.
@Suite("Synchronous replication", .blocking)
struct ReplicationTests {
    private static let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

    /// Waits until a query returns true.
    private func wait(for condition: String, in database: JournalDatabase) throws {
        while try database.run("SELECT \(condition)") != "t\n" { try Task.checkCancellation() }
    }

    private func waitForStandbys(_ names: String, in database: JournalDatabase) throws {
        try database.run("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
        try database.run("SELECT pg_reload_conf()")
        try wait(for: "current_setting('synchronous_standby_names') = '\(names)'", in: database)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["notice", "error"])
    func `if a commit's wait for the standby is cancelled, the commit succeeds only after it is replicated`(
        least: String
    ) async throws {
        let database = try JournalDatabase(in: PostgresCluster())
        // The client gets the warning about such a commit, even if the role should get only errors.
        try database.run("ALTER ROLE usher_owner SET client_min_messages = \(least)")
        let journal = try database.open("first")
        var author = Author(1)
        await journal.keep(author.create())
        let before = author.tail.token
        try waitForStandbys("nobody", in: database)
        let commit = journal.submit(author.append())
        try wait(for: "count(*) = 1 \(Self.waiting) AND query LIKE '%INSERT INTO usher.entries%'", in: database)
        try database.run("SELECT pg_cancel_backend(pid) \(Self.waiting) AND query LIKE '%INSERT INTO usher.entries%'")
        // There is a lease renewal, and the new connection's fence: one waits for the standby, and the other for the
        // first.
        let fences = "FROM pg_stat_activity WHERE wait_event <> 'ClientRead' AND query LIKE 'INSERT INTO usher.nodes%'"
        try wait(for: "count(*) >= 2 \(fences)", in: database)
        #expect(commit.result == nil)
        #expect(commit.version == nil && before?.revision == 1)
        try waitForStandbys("", in: database)
        await commit.wait()
        #expect(author.tail.failure == nil)
        #expect(author.tail.token?.revision == 2)
        #expect(try await journal.record(of: author.key)?.entries.count == 2)
    }

    @Test func `a commit succeeds if the database sends a warning that does not concern replication`() async throws {
        let database = try JournalDatabase()
        // Lock the table that each renewal and fence writes, and the table of sessions.
        try database.run(
            """
            CREATE FUNCTION usher.warn() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RAISE WARNING 'database must be vacuumed soon'; RETURN NEW; END $$;
            CREATE TRIGGER warn AFTER UPDATE ON usher.nodes FOR EACH ROW EXECUTE FUNCTION usher.warn();
            CREATE TRIGGER warn AFTER INSERT ON usher.sessions FOR EACH ROW EXECUTE FUNCTION usher.warn()
            """)
        let journal = try database.open("first")
        var author = Author(1)
        await journal.keep(author.create())
        #expect(author.tail.failure == nil)
    }

    @Test(arguments: [
        ("01000", "SyncRepWaitForLSN", true), ("01000", "", true), ("01000", "GetNewTransactionId", false),
        ("00000", "SyncRepWaitForLSN", false), ("00000", "", false),
    ])
    func `a warning of unknown origin is treated as a failed replication`(
        state: String, function: String, counts: Bool
    ) {
        #expect(PostgresFailure.isUnreplicated(warning: state, from: function) == counts)
    }
}
