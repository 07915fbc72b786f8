import LocalhostClient
import PostgresCluster
import Programs
import ServerCluster
import Testing

/// What keeps a server from its place among others is said in one sentence, before it listens.
@Suite("Refused starts", .blocking, .timeLimit(.minutes(5)))
struct RefusedStartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ journal: String) throws -> ProgramEnd {
        let program = try Program([
            "\(Program.products)/ClusterProgram", "serve", "--no-supervisor", "--port", "0", "--journal", journal,
            "--journal-key", "none", "--node", "server1", "--state", folder.path,
        ])
        return program.finish()
    }

    @Test func `a second server with the same name does not start`() throws {
        let cluster = try ServerCluster(count: 1)
        let database = cluster.database
        let end = try start(database.cluster.uri(of: database.name, as: database.role))
        #expect(end.status == 1)
        #expect(
            end.error.contains("another server uses the name server1 there; give each server its own name with --node"))
        #expect(cluster.servers[0].becomes(ready: true))
    }

    @Test func `a server behind PgBouncer in transaction mode does not start`() throws {
        let database = try ClusterDatabase()
        let pooler = try ConnectionPooler(before: database.cluster, mode: "transaction")
        let end = try start(pooler.uri(of: database.name))
        #expect(end.status == 1)
        #expect(end.error.contains("it is behind a pooler that shares connections between transactions"))
    }
}
