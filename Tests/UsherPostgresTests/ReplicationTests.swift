import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

/// A commit waits for the standby; nothing is believed that is not replicated.
@Suite("Synchronous replication", .blocking)
struct ReplicationTests {
    private static let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

    /// Waits until a query says true.
    private func wait(for condition: String, in database: JournalDatabase) throws {
        while try database.run("SELECT \(condition)") != "t\n" { try Task.checkCancellation() }
    }

    private func waitForStandbys(_ names: String, in database: JournalDatabase) throws {
        try database.run("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
        try database.run("SELECT pg_reload_conf()")
        try wait(for: "current_setting('synchronous_standby_names') = '\(names)'", in: database)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a commit whose wait for the standby was cancelled is no answer, and is believed once it is replicated`()
        async throws
    {
        let database = try JournalDatabase(in: PostgresCluster())
        let journal = try database.open("first")
        var author = Author(1)
        await journal.keep(author.create())
        let before = author.tail.token
        try waitForStandbys("nobody", in: database)
        let commit = try #require(journal.submit(author.append()))
        try wait(for: "count(*) = 1 \(Self.waiting) AND query LIKE '%INSERT INTO usher.entries%'", in: database)
        try database.run("SELECT pg_cancel_backend(pid) \(Self.waiting) AND query LIKE '%INSERT INTO usher.entries%'")
        // A beat and the new connection's fence: one waits for the standby, the other for that one.
        let fences = "FROM pg_stat_activity WHERE wait_event <> 'ClientRead' AND query LIKE 'INSERT INTO usher.nodes%'"
        try wait(for: "count(*) >= 2 \(fences)", in: database)
        #expect(!commit.isDone)
        #expect(author.tail.token == before)
        try waitForStandbys("", in: database)
        await commit.wait()
        #expect(author.tail.failure == nil)
        #expect(author.tail.token?.revision == 2)
        #expect(try await journal.record(of: author.key)?.entries.count == 2)
    }
}
