private import Foundation
private import Programs

/// PgBouncer in front of a cluster, on its own Unix socket.
public final class ConnectionPooler {
    private let folder: String
    private let program: Program

    /// Starts PgBouncer.
    ///
    /// - Parameters:
    ///   - cluster: The cluster.
    ///   - mode: The unit after which a connection may be used by others: `transaction` or `session`.
    ///   - size: The maximum number of connections to a database; others wait.
    public init(before cluster: PostgresCluster, mode: String, size: Int = 20) throws {
        folder = try cluster.makeFolder()
        let settings = """
            [databases]
            * = host=\(cluster.folder) user=usher_owner
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(folder)
            listen_port = 5432
            auth_type = any
            pool_mode = \(mode)
            default_pool_size = \(size)
            """
        try settings.write(toFile: "\(folder)/settings", atomically: false, encoding: .utf8)
        program = try Program(PostgresCluster.unprivileged + ["/usr/sbin/pgbouncer", "\(folder)/settings"])
        var line = ""
        repeat { line = program.readErrorLine() } while !line.isEmpty && !line.contains("process up")
        guard !line.isEmpty else { throw ClusterError(reason: "PgBouncer does not start") }
    }

    /// Returns the URI of a database behind PgBouncer, for its owner.
    public func uri(of database: String) -> String {
        "postgres:///\(database)?host=\(folder)&user=usher_owner"
    }
}
