import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

@Suite("Inspection of a journal while servers run", .blocking)
struct InspectionTests {
    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    @Test func `an inspection shows the journal as it was when the inspection began`() async throws {
        let (first, second) = (try database.open("first"), try database.open("second"))
        var (author, foreign, gone) = (Author(1), Author(2), Author(3))
        let opening = KeyedAnswer(key: "o", fingerprint: nil, revision: 1, body: [])
        await first.keep(author.create(opening: opening), author.append(answerUnder: "k"), gone.create())
        await second.keep(foreign.create())
        try await first.add(.of(author.key))
        let inspection = try PostgresInspection(database.location())
        var later = Author(4)
        await first.keep(author.append(), author.end(), later.create())
        await second.keep(foreign.append(answerUnder: "k"), gone.forked().touch(9_000))
        try await second.add(.of(foreign.key))
        #expect(try await first.purge(endedBefore: .max, limit: 10) == 1)

        #expect(inspection.count == 3)
        let sessions = try await inspection.sessions(after: nil, limit: 10)
        #expect(sessions.map(\.key) == [author.key, foreign.key, gone.key].sorted())
        #expect(try await inspection.sessions(after: sessions.first?.key, limit: 1).map(\.key) == [sessions[1].key])
        let record = try #require(try await inspection.record(of: author.key))
        #expect(record.entries.count == 2 && record.answers.map(\.key) == ["k"])
        #expect(try await inspection.head(of: foreign.key)?.header.revision == 1)
        #expect(try await inspection.answer(under: "k", of: author.key)?.revision == 2)
        #expect(try await inspection.answer(under: "k", of: foreign.key) == nil)
        #expect(try await inspection.opening(under: "o")?.session == author.key)
        #expect(try await inspection.record(of: later.key) == nil)
        #expect(try await inspection.guiltyInputs().count == 1)
        #expect(try await inspection.idle(since: 1_000, limit: 10).count == 3)
        #expect(try await first.guiltyInputs().count == 1)
        await inspection.close()
        #expect(try await first.record(of: author.key) == nil)
    }

    @Test func `a role with read access can inspect the journal and cannot write to it`() async throws {
        let journal = try database.open("first", sealing: .repeating(1))
        var author = Author(1)
        await journal.keep(author.create())
        let role = "look_\(database.name)"
        try database.run("CREATE ROLE \(role) LOGIN")
        #expect(try refusal(as: role).contains("permission denied for schema usher"))
        try Migration.run(on: database.location(), granting: JournalRoles(inspection: role))
        #expect(try refusal(as: role).contains("sealed with the key 72cd6e8422c407fb"))
        let inspection = try PostgresInspection(database.location(as: role), sealing: .repeating(1))
        #expect(try await inspection.record(of: author.key)?.entries.count == 1)
        #expect(inspection.submit(author.append()).outstanding == nil)
        guard case .unsupported = author.tail.failure else {
            Issue.record("it is \(String(describing: author.tail.failure))")
            return
        }
        await #expect(throws: JournalError.self) { try await inspection.add(.of(nil, .creation)) }
        await #expect(throws: JournalError.self) { try await inspection.purge(endedBefore: .max, limit: 1) }
        #expect(throws: ClusterError.self) {
            try database.cluster.run("DELETE FROM usher.entries", on: database.name, as: role)
        }
        #expect(try await journal.peers?.nodes().map(\.name) == ["first"])
    }

    /// Returns the error of an inspection without keys.
    private func refusal(as role: String) throws -> String {
        let location = try database.location(as: role)
        do throws(PostgresJournalError) {
            _ = try PostgresInspection(location)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `a read-only database can be inspected`() async throws {
        let journal = try database.open("first")
        var author = Author(1)
        await journal.keep(author.create())
        await journal.close()
        try database.run("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
        #expect(throws: PostgresJournalError.self) { try database.open("second") }
        let inspection = try PostgresInspection(database.location())
        #expect(try await inspection.record(of: author.key) != nil)
    }

    @Test func `an inspection fails if its connection is lost, and does not continue with a later state`() async throws
    {
        let journal = try database.open("first")
        var author = Author(1)
        await journal.keep(author.create())
        let inspection = try PostgresInspection(database.location())
        #expect(try await inspection.record(of: author.key) != nil)
        await journal.keep(author.append())
        try database.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE state = 'idle in transaction' AND datname = current_database()
            """)
        for words in ["; start the command again", ": its connection is lost; start the command again"] {
            do throws(JournalError) {
                _ = try await inspection.record(of: author.key)
                Issue.record("it reads on")
            } catch {
                #expect("\(error)".contains("cannot be read any further"))
                #expect("\(error)".hasSuffix(words))
            }
        }
    }
}
