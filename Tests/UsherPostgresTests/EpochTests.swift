import JournalSubject
import LocalhostClient
import PostgresCluster
import Programs
import Testing
import UsherJournal
import UsherPostgres

@Suite("The epoch of a journal in a database", .blocking)
struct EpochTests {
    @Test(.timeLimit(.minutes(5)))
    func `with relaxed durability, all servers have the same epoch, and a crash of the database changes it`()
        async throws
    {
        let database = try JournalDatabase(in: PostgresCluster())
        let servers = try ["one", "two"].map { try database.open($0, durability: .relaxed) }
        let epoch = try #require(servers[0].epoch)
        #expect(servers[1].epoch == epoch)
        var author = Author(1)
        await servers[0].keep(author.create())
        // If a server process is killed, PostgreSQL assumes a crash and restarts.
        let process = try database.run("SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' LIMIT 1")
        #expect(try Program.run(["kill", "-KILL", String(process.dropLast())]).status == 0)
        while servers[0].epoch == epoch { _ = try? await servers[0].record(of: author.key) }
        while servers[1].epoch != servers[0].epoch { _ = try? await servers[1].record(of: author.key) }
    }

    @Test func `a journal that cannot lose acknowledged changes has no epoch`() throws {
        #expect(try JournalDatabase().open("one").epoch == nil)
    }
}
