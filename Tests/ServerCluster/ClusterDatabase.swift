package import PostgresCluster
private import UsherPostgres

/// A database with the tables of a journal, and the servers' role, which may neither drop nor truncate tables.
package struct ClusterDatabase: Sendable {
    package let cluster: PostgresCluster
    /// The standby of the database; nil if there is none.
    package let standby: PostgresCluster?
    package let name: String
    package let role: String

    /// Creates a database.
    ///
    /// - Parameters:
    ///   - cluster: The cluster; by default, the one that all tests of the process share.
    ///   - standby: The cluster's standby.
    ///   - tablespace: The name of the tablespace for its files.
    package init(
        in cluster: PostgresCluster? = nil, standby: PostgresCluster? = nil, tablespace: String? = nil
    ) throws {
        let cluster = try cluster ?? PostgresCluster.shared
        self.cluster = cluster
        self.standby = standby
        name = try cluster.makeDatabase(tablespace: tablespace)
        role = "app_\(name)"
        try Migration.run(on: PostgresLocation(cluster.uri(of: name)))
        try run("CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA usher TO \(role)")
        try grant()
    }

    /// Runs statements as the owner.
    @discardableResult
    package func run(_ sql: String) throws -> String {
        // Use the server that accepts writes.
        try PostgresCluster.run(sql, at: uri(as: "usher_owner") + "&target_session_attrs=read-write")
    }

    /// Returns the database's URI for a role, with the standby's host.
    package func uri(as role: String) -> String {
        let folders = [cluster.folder] + (standby.map { [$0.folder] } ?? [])
        return "postgres:///\(name)?host=\(folders.joined(separator: ","))&user=\(role)"
    }

    /// Grants the servers' role its rights.
    package func grant() throws {
        try run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA usher TO \(role)")
    }

    /// Revokes the rights of the servers' role.
    package func revoke() throws {
        try run("REVOKE SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA usher FROM \(role)")
    }

    /// Ends the servers' connections, or cancels their statements.
    ///
    /// - Parameters:
    ///   - function: `pg_terminate_backend` or `pg_cancel_backend`.
    ///   - condition: A condition on the columns of `pg_stat_activity`.
    /// - Returns: The number of connections.
    package func signal(_ function: String, where condition: String = "true") throws -> Int {
        let count = try run(
            "SELECT count(\(function)(pid)) FROM pg_stat_activity WHERE usename = '\(role)' AND \(condition)")
        return Int(count.prefix { $0.isNumber }) ?? 0
    }
}
