import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

/// Tests with a pooler that lets surplus connections wait, and refuses none.
@Suite("A journal behind a pooler with a small pool", .blocking, .timeLimit(.minutes(5)))
struct SmallPoolTests {
    @Test func `a journal works with the number of connections that the pooler allows`() async throws {
        let database = try JournalDatabase()
        let pooler = try ConnectionPooler(before: database.cluster, mode: "session", size: 3)
        let location = try PostgresLocation(pooler.uri(of: database.name))
        let journal = try PostgresJournal(location, as: SharingServer("usher", connections: 3))
        // One of the three connections may be the one that listens.
        let connections = try #require(journal.peers?.connections)
        #expect(connections.wanted == 5 && (2...3).contains(connections.granted))
        var authors = (UInt64(1)...12).map { Author($0) }
        for index in authors.indices {
            await journal.keep(authors[index].create(), authors[index].append())
            #expect(authors[index].tail.failure == nil)
        }
        for author in authors { #expect(try await journal.record(of: author.key)?.entries.count == 2) }
        // The journal is unreachable for a moment if the thread that renews the lease must wait for the pooler.
        while journal.peers?.isReachable != true, !Task.isCancelled { await Task.yield() }
        await journal.close()
    }
}
