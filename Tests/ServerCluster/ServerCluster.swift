package import LocalhostClient
private import Programs

/// Three servers on one journal, each behind a proxy of its own before the database, and HAProxy before them.
///
/// All that it starts ends with it.
package final class ServerCluster: Sendable {
    package let database: ClusterDatabase
    package let servers: [ClusterServer]
    private let front: FrontProxy

    /// Starts it.
    ///
    /// - Parameters:
    ///   - setup: How the servers are started.
    ///   - database: The journal's; a new one unless told.
    ///   - routing: How HAProxy chooses a server.
    ///   - count: The number of servers.
    package init(
        _ setup: ServerSetup = ServerSetup(), on database: ClusterDatabase? = nil,
        routing: FrontProxy.Routing = .roundRobin, count: Int = 3
    ) throws {
        let database = try database ?? ClusterDatabase()
        self.database = database
        servers = try (1...count).map { try ClusterServer("server\($0)", setup, on: database) }
        front = try FrontProxy(before: servers.map(\.port), routing: routing)
    }

    /// The port of HAProxy.
    package var port: Int { front.port }

    /// A client of all servers, by HAProxy.
    package func client(timeout: Int = 30) -> LocalhostClient { LocalhostClient(port: port, timeout: timeout) }

    /// The state of a session as another process rebuilds it from the database, which knows no tree of a server's.
    package func replay(_ session: String) throws -> String {
        let end = try Program.run([
            "\(Program.products)/ClusterProgram", "replay", "--journal", database.uri(as: "usher_owner"),
            "--journal-key",
            "none", session,
        ])
        guard end.status == 0 else { throw ServerClusterError(reason: end.error) }
        return end.output
    }

    /// What the servers have logged, for a test that fails.
    package var log: String { servers.map { "== \($0.name)\n\($0.log)" }.joined() }

    /// The number of the lease that a server has, or had last.
    package func lease(of server: ClusterServer) throws -> Int {
        try number("SELECT node FROM usher.nodes WHERE name = '\(server.name)'")
    }

    /// The number that a query returns.
    package func number(_ sql: String) throws -> Int {
        Int(try database.run(sql).prefix { $0.isNumber || $0 == "-" }) ?? 0
    }
}
