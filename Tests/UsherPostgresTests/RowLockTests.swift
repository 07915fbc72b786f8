import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherProcess

@testable import UsherPostgres

/// Tests with a forgotten transaction that locks the row of one session.
@Suite("A locked row", .blocking, .timeLimit(.minutes(5)))
struct RowLockTests {
    private let database: JournalDatabase
    private let proxy: DatabaseProxy
    private let journal: PostgresJournal

    init() throws {
        database = try JournalDatabase()
        proxy = try DatabaseProxy(before: database.cluster)
        journal = try database.open("first", through: proxy)
    }

    /// Creates sessions that one connection writes.
    private func begin(_ count: Int) async -> [Author] {
        var authors = (1...count).map { Author(UInt64($0) * 2) }
        for index in authors.indices { await journal.keep(authors[index].create()) }
        return authors
    }

    /// Submits changes that form one statement, because an earlier change has no response yet.
    private func submit(_ changes: [AuthoredChange], behind first: AuthoredChange) -> [PendingCommit] {
        proxy.freeze()
        defer { proxy.thaw() }
        return ([first] + changes).map { journal.submit($0) }
    }

    /// Locks a session's row as long as the connection exists.
    private func lock(_ author: Author) throws -> PostgresConnection {
        let connection = try PostgresConnection(to: database.location())
        try connection.execute(
            "BEGIN; SELECT FROM usher.sessions WHERE session = '\(author.key.uuid)' FOR UPDATE",
            by: MonotonicClock.now + DatabaseLink.patience)
        return connection
    }

    @Test func `of the changes in a statement, only the change of the locked session fails`() async throws {
        var authors = await begin(6)
        let lock = try lock(authors[2])
        defer { extendLifetime(lock) }
        let first = authors[0].append()
        let changes = (1...5).map { authors[$0].append() }
        for commit in submit(changes, behind: first) { await commit.wait() }
        #expect(authors.map { $0.tail.failure == nil } == [true, true, false, true, true, true])
        guard case .unavailable = authors[2].tail.failure else {
            Issue.record("it has surely not happened: \(String(describing: authors[2].tail.failure))")
            return
        }
    }

    @Test func `if one statement notes the use of several sessions, only the note for the locked session fails`()
        async throws
    {
        var authors = await begin(4)
        let lock = try lock(authors[2])
        defer { extendLifetime(lock) }
        let first = authors[0].append()
        let changes = (1...3).map { authors[$0].touch(.max) }
        for commit in submit(changes, behind: first) { await commit.wait() }
        #expect(authors.map { $0.tail.failure == nil } == [true, true, false, true])
    }
}
