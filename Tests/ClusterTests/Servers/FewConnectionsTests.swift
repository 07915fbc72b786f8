import LocalhostClient
import PostgresCluster
import Programs
import ServerCluster
import Testing

/// Tests of a database that grants a server fewer connections than it asks for.
@Suite("Servers with few database connections", .blocking, .timeLimit(.minutes(5)))
struct FewConnectionsTests {
    private let database: ClusterDatabase

    init() throws { database = try ClusterDatabase() }

    private func limit(to count: Int) throws {
        try database.run("ALTER ROLE \(database.role) CONNECTION LIMIT \(count)")
    }

    private static func expectService(by server: ClusterServer, sessions: Int = 40) throws {
        let client = server.client()
        for number in 1...sessions {
            let opened = try client.request("POST", "/sessions", body: #"{"app":"ledger"}"#)
            try #require(opened.status == 201, "session \(number): \(opened.text)")
            let path = "/sessions/\(try #require(LoadClient.id(of: opened)))"
            let answer = try client.request("POST", "\(path)/events", body: #"{"event":{"add":{"number":1}}}"#)
            try #require(answer.status == 200, "session \(number): \(answer.text)")
            #expect(try client.request("GET", path).status == 200)
        }
        #expect(try client.request("GET", "/readyz").status == 200)
    }

    @Test(arguments: [1, 2, 3, 5])
    func `a server works with as many connections as the database grants, and logs their number`(
        count: Int
    ) throws {
        try limit(to: count)
        let cluster = try ServerCluster(on: database, count: 1)
        try Self.expectService(by: cluster.servers[0])
        #expect(cluster.log.contains("database connections granted=\"\(count)\" wanted=\"6\""), "\(cluster.log)")
    }

    @Test func `a server that gets all the connections it requests logs their number`() throws {
        let cluster = try ServerCluster(on: database, count: 1)
        #expect(cluster.log.contains("database connections granted=\"6\" wanted=\"6\""), "\(cluster.log)")
        try limit(to: 2)
        #expect(try database.signal("pg_terminate_backend") >= 6)
        #expect(cluster.servers[0].becomes(ready: true))
    }

    @Test func `a server without any connection is not ready, and works again as soon as it gets one connection`()
        throws
    {
        let cluster = try ServerCluster(on: database, count: 1)
        let server = cluster.servers[0]
        try Self.expectService(by: server, sessions: 4)
        try limit(to: 0)
        _ = try database.signal("pg_terminate_backend")
        #expect(server.becomes(ready: false))
        // The status is 504 if the request used a cut connection, because its outcome is unknown.
        let answer = try server.client().request("POST", "/sessions", body: #"{"app":"ledger"}"#)
        #expect([503, 504].contains(answer.status), "\(answer.status) \(answer.text)")
        try limit(to: 1)
        #expect(server.becomes(ready: true))
        try Self.expectService(by: server)
    }
}
