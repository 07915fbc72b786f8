import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

@Suite("The number of sessions that servers share", .blocking)
struct SessionCountTests {
    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    private func open(_ sessions: ClosedRange<UInt64>, in journal: PostgresJournal) async {
        for number in sessions {
            var author = Author(number)
            await journal.keep(author.create())
        }
    }

    @Test func `once a minute, one server counts the sessions for all servers`() async throws {
        let first = try database.open("first")
        let second = try database.open("second")
        await open(1...7, in: first)
        #expect(second.count == 0)
        try await first.peers?.learnCount()
        try await second.peers?.learnCount()
        #expect(first.count == 7 && second.count == 7)
        // Until the next count, each server adds only its own sessions.
        await open(8...9, in: second)
        for journal in [first, second] { try await journal.peers?.learnCount() }
        #expect(first.count == 7 && second.count == 9)
        try database.run("UPDATE usher.chores SET until = now() - interval '1 s' WHERE name = 'count'")
        for journal in [second, first] { try await journal.peers?.learnCount() }
        #expect(first.count == 9 && second.count == 9)
    }

    @Test func `while another server counts the sessions, the previous count is not taken for a new count`()
        async throws
    {
        let first = try database.open("first")
        let second = try database.open("second")
        await open(1...7, in: first)
        for journal in [first, second] { try await journal.peers?.learnCount() }
        await open(8...9, in: second)
        // This imitates a third server that counts.
        try database.run("UPDATE usher.chores SET until = now() + interval '50 s' WHERE name = 'count'")
        try await second.peers?.learnCount()
        #expect(second.count == 9)
    }

    @Test func `a slow count of the sessions delays neither reads nor servers that start`() async throws {
        let first = try database.open("first")
        await open(1...7, in: first)
        try await first.peers?.learnCount()
        try database.run("UPDATE usher.chores SET until = now() - interval '1 s' WHERE name = 'count'")
        let lock = try StrangersLock(on: "usher.sessions", in: database)
        let count = Task { try await first.peers?.learnCount() }
        try lock.waitForOthers(1)
        _ = try await first.peers?.nodes()
        let second = try database.open("second")
        #expect(second.count == 7)
        #expect(try lock.others() == 1)
        try lock.release()
        try await count.value
        #expect(first.count == 7)
    }
}
