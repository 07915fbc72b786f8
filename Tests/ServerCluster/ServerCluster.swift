package import LocalhostClient
private import Programs

/// Three servers on one journal, each with its own proxy in front of the database, and HAProxy in front of them.
///
/// All their processes end with this object.
package final class ServerCluster: Sendable {
    package let database: ClusterDatabase
    package let servers: [ClusterServer]
    private let front: FrontProxy

    /// Starts a cluster.
    ///
    /// - Parameters:
    ///   - setup: The servers' setup.
    ///   - database: The journal's database; by default a new one.
    ///   - routing: The rule by which HAProxy chooses a server.
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

    /// Returns a client that uses all servers, through HAProxy.
    package func client(timeout: Int = 30) -> LocalhostClient { LocalhostClient(port: port, timeout: timeout) }

    /// Returns the state of a session as another process, without any tree in memory, rebuilds it from the database.
    package func replay(_ session: String) throws -> String {
        let end = try Program.run([
            "\(Program.products)/ClusterProgram", "replay", "--journal", database.uri(as: "usher_owner"),
            "--journal-key",
            "none", session,
        ])
        guard end.status == 0 else { throw ServerClusterError(reason: end.error) }
        return end.output
    }

    /// The servers' logs, for tests that fail.
    package var log: String { servers.map { "== \($0.name)\n\($0.log)" }.joined() }

    /// Returns the number of a server's current or last lease.
    package func lease(of server: ClusterServer) throws -> Int {
        try number("SELECT node FROM usher.nodes WHERE name = '\(server.name)'")
    }

    /// Returns the number that a query returns.
    package func number(_ sql: String) throws -> Int {
        Int(try database.run(sql).prefix { $0.isNumber || $0 == "-" }) ?? 0
    }
}
