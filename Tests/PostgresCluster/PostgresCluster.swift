private import Foundation
private import Glibc
private import Programs
private import Synchronization

/// A cluster of PostgreSQL's that this process has for itself: in a temporary folder, with a Unix socket and no port.
///
/// It goes with the process, however that ends: the script that runs it reads a pipe which then closes.
public final class PostgresCluster: Sendable {
    /// The one cluster of this process, made when it is first asked for.
    public static var shared: PostgresCluster {
        get throws { try cluster.get() }
    }

    private static let cluster = Result { try PostgresCluster() }

    /// The folder with the socket.
    public let folder: String
    private let lifeline: Int32
    private let databases = Atomic(0)

    /// PostgreSQL's programs, where Debian has them.
    public static let programs = "/usr/lib/postgresql/15/bin"

    /// Makes the folder as the user who runs the server, for that must not be root.
    private static let script = """
        set -eu
        folder=$1 programs=$2
        shift 2
        exec 2>"$folder/log"
        "$programs/initdb" --auth=trust --username=usher_owner --encoding=UTF8 --no-locale "$folder/data" >/dev/null
        "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=400 \
            -c shared_buffers=64MB -c max_wal_size=256MB -c log_min_messages=warning "$@" >/dev/null &
        server=$!
        until "$programs/pg_isready" --quiet --host "$folder"; do kill -0 $server; sleep 0.1; done
        echo ready
        cat >/dev/null || true
        # It may have been restarted, and be another process by now.
        "$programs/pg_ctl" stop --silent --mode=immediate -D "$folder/data" >/dev/null || true
        wait $server || true
        rm -rf "$folder"
        """

    /// Makes a cluster.
    ///
    /// - Parameter settings: Such as `fsync=off`.
    public init(setting settings: [String] = []) throws {
        folder = try Self.newFolder("/tmp/usher-postgres.XXXXXX")
        let pipe = "\(folder)/lifeline"
        let isMade = try Program.run(["mkfifo", pipe]).status == 0
        // No program that this process starts may keep it open: then the cluster would outlive the process.
        lifeline = unsafe isMade ? open(pipe, O_RDWR | O_CLOEXEC) : -1
        guard lifeline >= 0 else { throw ClusterError(reason: "there is no pipe at \(pipe)") }
        let arguments = [folder, Self.programs] + settings.flatMap { ["-c", $0] }
        let server = try Program(Self.unprivileged + ["sh", "-c", Self.script, "sh"] + arguments, input: pipe)
        guard server.readLine() == "ready" else {
            throw ClusterError(reason: (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "")
        }
        // It is not this process's to end: it ends by itself.
        _ = unsafe Unmanaged.passRetained(server)
    }

    deinit { close(lifeline) }

    /// The words before a command that has it run as somebody who may run the server: not as root.
    static let unprivileged: [String] = {
        guard (try? Program.run(["id", "-u"]).output) == "0\n" else { return [] }
        let hasUser = (try? Program.run(["id", "postgres"]).status) == 0
        return ["setpriv", "--reuid=\(hasUser ? "postgres" : "nobody")", "--regid=65534", "--clear-groups"]
    }()

    private static func newFolder(_ pattern: String) throws -> String {
        let end = try Program.run(unprivileged + ["mktemp", "-d", pattern])
        guard end.status == 0 else { throw ClusterError(reason: end.error) }
        return end.output.trimmingCharacters(in: .newlines)
    }

    /// Makes a folder that goes with the cluster, for what runs beside it.
    func makeFolder() throws -> String { try Self.newFolder("\(folder)/XXXXXX") }

    /// Ends the server without a checkpoint, as a crash does; all connections are lost.
    public func stop() throws {
        try control(["stop", "--mode=immediate"])
    }

    /// Starts the server that was stopped, as it was started first.
    public func start() throws {
        // What starts one that is not there, with the options that it had.
        try control(["restart", "--log=\(folder)/log"])
    }

    /// Has a standby take over.
    public func promote() throws { try control(["promote"]) }

    /// Takes the place of a standby: its files become a copy of another server's, which it follows from then on.
    public func follow(_ primary: PostgresCluster) throws {
        let script = """
            set -eu
            cp "$1/data/postmaster.opts" "$1/options"
            rm -rf "$1/data"
            "$3/pg_basebackup" --pgdata="$1/data" --host="$2" --username=usher_owner --write-recovery-conf \
                --checkpoint=fast
            cp "$1/options" "$1/data/postmaster.opts"
            """
        try? stop()
        let arguments = [folder, primary.folder, Self.programs]
        let end = try Program.run(Self.unprivileged + ["sh", "-c", script, "sh"] + arguments)
        guard end.status == 0 else { throw ClusterError(reason: end.error) }
        try start()
    }

    /// Has commits wait for a standby, or not; returns once they do.
    public func waitForStandby(_ waits: Bool) throws {
        try run("ALTER SYSTEM SET synchronous_standby_names = '\(waits ? "*" : "")'", on: "postgres")
        try run("SELECT pg_reload_conf()", on: "postgres")
        let state = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'"
        while waits, try run(state, on: "postgres") != "1\n" { usleep(20_000) }
    }

    private func control(_ words: [String]) throws {
        let command = ["\(Self.programs)/pg_ctl"] + words + ["--silent", "-D", "\(folder)/data"]
        let end = try Program.run(Self.unprivileged + command, errors: .nowhere)
        guard end.status == 0 else { throw ClusterError(reason: "pg_ctl \(words) fails") }
    }

    /// Ends the server without a checkpoint, as a crash does, and starts it again; all connections are lost.
    public func crash() throws {
        try control(["restart", "--mode=immediate", "--log=\(folder)/log"])
    }

    /// Makes an empty database.
    ///
    /// - Parameter tablespace: The place of its files, by its name.
    /// - Returns: Its name.
    public func makeDatabase(tablespace: String? = nil) throws -> String {
        let name = "test\(databases.add(1, ordering: .relaxed).newValue)"
        let place = tablespace.map { "TABLESPACE \($0)" } ?? ""
        try run("CREATE DATABASE \(name) \(place)", on: "postgres")
        return name
    }

    /// The URI of a database, for its owner unless another role is named.
    public func uri(of name: String, as role: String = "usher_owner") -> String {
        "postgres:///\(name)?host=\(folder)&user=\(role)"
    }

    /// The files of tables and of the write-ahead log that have a text in them, once all is written.
    public func files(containing text: String) throws -> [String] {
        try run("CHECKPOINT", on: "postgres")
        let folders = ["base", "pg_wal"].map { "\(folder)/data/\($0)" }
        let end = try Program.run(
            ["grep", "--recursive", "--files-with-matches", "--text", "--fixed-strings", text] + folders)
        // One is for nothing that was found, two for a file that went meanwhile.
        guard end.status <= 2 else { throw ClusterError(reason: end.error) }
        return end.output.split(separator: "\n").map(String.init)
    }

    /// Makes a place for files of databases, in a folder that may be on another disk.
    ///
    /// - Parameter folder: An empty folder; it is the server's from then on.
    public func makeTablespace(_ name: String, in folder: String) throws {
        let end = try Program.run(["chown", "--reference=\(self.folder)", folder])
        guard end.status == 0 else { throw ClusterError(reason: end.error) }
        try run("CREATE TABLESPACE \(name) LOCATION '\(folder)'", on: "postgres")
    }

    /// Runs statements.
    ///
    /// - Returns: What they returned, as text.
    @discardableResult
    public func run(_ sql: String, on database: String, as role: String = "usher_owner") throws -> String {
        try Self.run(sql, at: uri(of: database, as: role))
    }

    /// Runs statements.
    ///
    /// - Parameter uri: The URI of a database.
    /// - Returns: What they returned, as text.
    @discardableResult
    public static func run(_ sql: String, at uri: String) throws -> String {
        let end = try Program.run([
            "\(programs)/psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
            "--command", sql, uri,
        ])
        guard end.status == 0 else { throw ClusterError(reason: end.error) }
        return end.output
    }
}

/// Why there is no cluster, or no database.
public struct ClusterError: Error {
    /// In the words of PostgreSQL's programs.
    public let reason: String
}
