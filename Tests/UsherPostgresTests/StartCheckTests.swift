import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

@Suite("Checks of a database before a server starts", .blocking)
struct StartCheckTests {
    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    /// Returns the error of a start; empty if it succeeds.
    private func refusal(
        _ uri: String, _ durability: Durability = .sync, node: String = "usher", lineage: UInt64? = nil
    ) -> String {
        let server = SharingServer(node, lineage: lineage, durability: durability)
        do throws(PostgresJournalError) {
            _ = try PostgresJournal(PostgresLocation(uri), as: server)
            return ""
        } catch {
            return "\(error)"
        }
    }

    private var uri: String { database.cluster.uri(of: database.name) }

    @Test func `a suitable database is opened, with either scheme of its URI`() {
        #expect(refusal(uri) == "")
        #expect(refusal("postgresql" + uri.dropFirst("postgres".count), node: "other") == "")
    }

    @Test func `a missing database is reported as unreachable`() {
        let nowhere = "postgres:///usher?host=/tmp/usher-no-such-folder"
        #expect(
            refusal(nowhere).hasPrefix("the journal postgres:///tmp/usher-no-such-folder/usher cannot be reached: "))
        #expect(refusal(database.cluster.uri(of: "none")).contains("does not exist"))
    }

    @Test func `a database that lacks tables or has another format is refused, and the error names the remedy`() throws
    {
        let empty = try database.cluster.makeDatabase()
        #expect(
            refusal(database.cluster.uri(of: empty)).contains(
                "has no tables for a journal; create them with \"usher-postgres migrate"))
        for format in [9, 1] {
            try database.run("UPDATE usher.format SET version = \(format)")
            #expect(refusal(uri).contains("has format \(format), and this build reads only format 4"))
        }
    }

    @Test func `if the role lacks a right, the start fails, and the error names the right`() throws {
        let role = "role_\(database.name)"
        try database.run("CREATE ROLE \(role) LOGIN")
        let uri = database.cluster.uri(of: database.name, as: role)
        #expect(refusal(uri).contains("permission denied for schema usher"))
        try database.run(
            "GRANT USAGE ON SCHEMA usher TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA usher TO \(role)")
        #expect(
            refusal(uri).contains(
                "permission denied for table nodes; let the tables' owner run \"usher-postgres migrate"))
        try database.run("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA usher TO \(role)")
        #expect(refusal(uri) == "")
    }

    @Test func `two servers cannot have the same name, but the name of a closed server can be used again`() async throws
    {
        let journal = try database.open("first")
        #expect(refusal(uri, node: "first").contains("another server uses the name first there"))
        await journal.close()
        #expect(refusal(uri, node: "first") == "")
    }

    @Test
    func
        `if a server's lease is no longer renewed, the server's name can be used again, however far ahead the lease ends`()
        throws
    {
        // The row was written by the clock of a database that is gone.
        try database.run("INSERT INTO usher.nodes VALUES (5, 'first', '1', now(), now() + interval '40 s', NULL)")
        let start = ContinuousClock.now
        #expect(refusal(uri, node: "first") == "")
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `under the same supervisor, a new worker gets its predecessor's name at once`() async throws {
        let first = try database.open("first", lineage: 7)
        #expect(refusal(uri, node: "first").contains("another server uses the name first"))
        #expect(refusal(uri, node: "first", lineage: 8).contains("another server uses the name first"))
        let second = try database.open("first", lineage: 7)
        #expect(try await second.peers?.nodes().map(\.name) == ["first"])
        // If the first server still runs, it is displaced.
        let displaced = try #require(first.peers)
        while displaced.isReachable { _ = try await displaced.nodes() }
        #expect(!displaced.mayBeginWork)
        #expect(second.peers?.mayBeginWork == true)
        await first.close()
        #expect(try await second.peers?.nodes().count == 1)
    }

    @Test func `a database that may lose acknowledged commits is refused, unless the options allow it`() throws {
        let careless = try PostgresCluster(setting: ["fsync=off"])
        let name = try careless.makeDatabase()
        let uri = careless.uri(of: name)
        try Migration.run(on: PostgresLocation(uri))
        #expect(refusal(uri).contains("\"fsync\" is off"))
        #expect(refusal(uri, .relaxed) == "")
    }

    @Test(arguments: ["transaction", "session"])
    func `a pooler that shares connections is refused, and a pooler with one connection per client is accepted`(
        mode: String
    ) async throws {
        let pooler = try ConnectionPooler(before: database.cluster, mode: mode)
        let refusal = refusal(pooler.uri(of: database.name))
        #expect(refusal.contains("it is behind a pooler that shares connections") == (mode == "transaction"))
        #expect(refusal.isEmpty == (mode == "session"))
    }
}
