import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

/// Tests with a primary and its promoted standby, both of which accept writes.
@Suite("Several hosts of a database", .blocking, .timeLimit(.minutes(5)))
struct SeveralHostsTests {
    private let first: PostgresCluster
    private let second: PostgresCluster
    private let database: JournalDatabase

    init() throws { try self.init(setting: []) }

    private init(setting settings: [String]) throws {
        first = try PostgresCluster()
        database = try JournalDatabase(in: first)
        second = try PostgresCluster(setting: settings)
        try second.follow(first)
    }

    private func open() throws -> PostgresJournal {
        let uri = "postgres:///\(database.name)?host=\(first.folder),\(second.folder)&user=usher_owner"
        return try PostgresJournal(PostgresLocation(uri), as: SharingServer("usher"))
    }

    /// Promotes the standby; each commit on the old primary waits for a standby that does not exist.
    private func failOver() throws {
        try second.promote()
        try first.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'", on: "postgres")
        try first.run("SELECT pg_reload_conf()", on: "postgres")
        while try first.run("SHOW synchronous_standby_names", on: "postgres") != "nobody\n" {
            try Task.checkCancellation()
        }
    }

    /// Returns the number of sessions in a cluster.
    private func count(in cluster: PostgresCluster) throws -> String {
        try cluster.run("SELECT count(*) FROM usher.sessions", on: database.name)
    }

    @Test func `a server connects to the host whose commits are replicated, even if an old primary is listed first`()
        async throws
    {
        try failOver()
        let journal = try open()
        var author = Author(1)
        await journal.keep(author.create())
        #expect(author.tail.failure == nil)
        #expect(try count(in: second) == "1\n")
        #expect(try count(in: first) == "0\n")
    }

    @Test func `a connection to an old primary is replaced by a connection to the new primary`() async throws {
        let journal = try open()
        var number: UInt64 = 1
        var author = Author(number)
        await journal.keep(author.create())
        #expect(try count(in: first) == "1\n")
        try failOver()
        try first.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'usher'", on: "postgres")
        repeat {
            try Task.checkCancellation()
            // The sessions of the same connection.
            number += 4
            author = Author(number)
            await journal.keep(author.create())
        } while author.tail.failure != nil
        // The connection that reads must notice the failover itself.
        var record = try? await journal.record(of: author.key)
        while record == nil {
            try Task.checkCancellation()
            record = try? await journal.record(of: author.key)
        }
        #expect(try Int(count(in: second).dropLast()) ?? 0 >= 2)
    }

    @Test func `a standby whose setting fsync is off is not used after it has taken over`() async throws {
        let careless = try Self(setting: ["fsync=off"])
        let journal = try careless.open()
        var author = Author(1)
        await journal.keep(author.create())
        // Replication is asynchronous.
        while try careless.count(in: careless.second) != "1\n" { try Task.checkCancellation() }
        try careless.first.stop()
        try careless.second.promote()
        var failure: JournalError?
        repeat {
            try Task.checkCancellation()
            let change = author.append()
            await journal.keep(change)
            failure = author.tail.failure
            author = author.forked()
        } while failure?.says("\"fsync\" is off") != true
        #expect(try careless.second.run("SELECT count(*) FROM usher.entries", on: careless.database.name) == "1\n")
    }
}

extension JournalError {
    /// Returns `true` if the error's text contains a part.
    fileprivate func says(_ words: String) -> Bool { "\(self)".contains(words) }
}
