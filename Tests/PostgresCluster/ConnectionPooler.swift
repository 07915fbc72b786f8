private import Foundation
private import Programs

/// PgBouncer before a cluster, on a Unix socket of its own.
public final class ConnectionPooler {
    private let folder: String
    private let program: Program

    /// Starts it.
    ///
    /// - Parameters:
    ///   - cluster: The cluster.
    ///   - mode: When it gives a connection to others: `transaction` or `session`.
    ///   - size: The connections that it makes to a database at most; others wait.
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

    /// The URI of a database behind it, for its owner.
    public func uri(of database: String) -> String {
        "postgres:///\(database)?host=\(folder)&user=usher_owner"
    }
}
