import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

@Suite("What is wrong with a database is said at the start", .blocking)
struct StartCheckTests {
    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    /// The sentence with which a start is refused; empty where it is not.
    private func refusal(
        _ uri: String, _ durability: Durability = .sync, node: String = "usher", lineage: UInt64? = nil
    ) -> String {
        var settings = PostgresJournal.Settings()
        (settings.durability, settings.node, settings.lineage) = (durability, node, lineage)
        do throws(PostgresJournalError) {
            _ = try PostgresJournal.open(PostgresLocation(uri), settings)
            return ""
        } catch {
            return "\(error)"
        }
    }

    private var uri: String { database.cluster.uri(of: database.name) }

    @Test func `one that is fit is opened, by either name of the scheme`() {
        #expect(refusal(uri) == "")
        #expect(refusal("postgresql" + uri.dropFirst("postgres".count), node: "other") == "")
    }

    @Test func `one that is not there cannot be reached`() {
        let nowhere = "postgres:///usher?host=/tmp/usher-no-such-folder"
        #expect(
            refusal(nowhere).hasPrefix("the journal postgres:///tmp/usher-no-such-folder/usher cannot be reached: "))
        #expect(refusal(database.cluster.uri(of: "none")).contains("does not exist"))
    }

    @Test func `one without tables, or of another format, says what to do`() throws {
        let empty = try database.cluster.makeDatabase()
        #expect(
            refusal(database.cluster.uri(of: empty)).contains(
                "has no tables for a journal; make them with usher-postgres migrate"))
        for format in [9, 1] {
            try database.run("UPDATE usher.format SET version = \(format)")
            #expect(refusal(uri).contains("has format \(format), and this build reads only format 4"))
        }
    }

    @Test func `a role without rights is told which it needs`() throws {
        let role = "role_\(database.name)"
        try database.run("CREATE ROLE \(role) LOGIN")
        let uri = database.cluster.uri(of: database.name, as: role)
        #expect(refusal(uri).contains("permission denied for schema usher"))
        try database.run(
            "GRANT USAGE ON SCHEMA usher TO \(role); GRANT SELECT ON ALL TABLES IN SCHEMA usher TO \(role)")
        #expect(
            refusal(uri).contains(
                "permission denied for table nodes; let the tables' owner run usher-postgres migrate"))
        try database.run("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA usher TO \(role)")
        #expect(refusal(uri) == "")
    }

    @Test func `two servers have two names, and that of one which has ended is free`() async throws {
        let journal = try database.open("first")
        #expect(refusal(uri, node: "first").contains("another server runs there under the name first"))
        await journal.close()
        #expect(refusal(uri, node: "first") == "")
    }

    @Test func `a name is free once nobody renews its lease, however far ahead that ends`() throws {
        // By the clock of a database that is gone.
        try database.run("INSERT INTO usher.nodes VALUES (5, 'first', '1', now(), now() + interval '40 s', NULL)")
        let start = ContinuousClock.now
        #expect(refusal(uri, node: "first") == "")
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `a worker takes the place at once of the one before it under the same supervisor`() async throws {
        let first = try database.open("first", lineage: 7)
        #expect(refusal(uri, node: "first").contains("another server runs there"))
        #expect(refusal(uri, node: "first", lineage: 8).contains("another server runs there"))
        let second = try database.open("first", lineage: 7)
        #expect(try await second.peers?.nodes().map(\.name) == ["first"])
        // The first is displaced, should it not have ended after all.
        let displaced = try #require(first.peers)
        while displaced.isReachable { _ = try await displaced.nodes() }
        #expect(!displaced.mayBeginWork)
        #expect(second.peers?.mayBeginWork == true)
        await first.close()
        #expect(try await second.peers?.nodes().count == 1)
    }

    @Test func `one that may lose what it acknowledges is refused, unless that is wanted`() throws {
        let careless = try PostgresCluster(setting: ["fsync=off"])
        let name = try careless.makeDatabase()
        let uri = careless.uri(of: name)
        try Migration.run(on: PostgresLocation(uri))
        #expect(refusal(uri).contains("has fsync off"))
        #expect(refusal(uri, .relaxed) == "")
    }

    @Test(arguments: ["transaction", "session"])
    func `a pooler is refused that shares connections, and one that keeps sessions is not`(mode: String) async throws {
        let pooler = try ConnectionPooler(before: database.cluster, mode: mode)
        let refusal = refusal(pooler.uri(of: database.name))
        #expect(refusal.contains("a pooler stands before it") == (mode == "transaction"))
        #expect(refusal.isEmpty == (mode == "session"))
    }
}
