private import Foundation
private import Glibc
private import Programs
private import Synchronization

/// A PostgreSQL cluster for this process only, in a temporary folder, with a Unix socket and no port.
///
/// The cluster ends with the process, however the process ends, because the script that runs it notices when a pipe
/// closes.
public final class PostgresCluster: Sendable {
    /// The shared cluster of this process, which is created on first use.
    public static var shared: PostgresCluster {
        get throws { try cluster.get() }
    }

    private static let cluster = Result { try PostgresCluster() }

    /// The folder with the socket.
    public let folder: String
    private let lifeline: Int32
    private let databases = Atomic(0)

    /// The folder of PostgreSQL's programs in Debian.
    public static let programs = "/usr/lib/postgresql/15/bin"

    /// A script that creates the folder as the user that runs the server, which must not be root.
    private static let script = """
        set -eu
        folder=$1 programs=$2
        shift 2
        exec 2>"$folder/log"
        "$programs/initdb" --auth=trust --username=usher_owner --encoding=UTF8 --no-locale --no-sync \
            "$folder/data" >/dev/null
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

    /// Creates a cluster.
    ///
    /// - Parameter settings: Settings such as `fsync=off`.
    public init(setting settings: [String] = []) throws {
        // The files of hundreds of databases are created faster in memory. A whole run writes 4 GB.
        folder = try Self.newFolder("\(TemporaryFolder.inMemory(for: 8 << 30) ?? "/tmp")/usher-postgres.XXXXXX")
        let pipe = "\(folder)/lifeline"
        let isMade = try Program.run(["mkfifo", pipe]).status == 0
        // If a child process kept the pipe open, the cluster would outlive this process.
        lifeline = unsafe isMade ? open(pipe, O_RDWR | O_CLOEXEC) : -1
        guard lifeline >= 0 else { throw ClusterError(reason: "there is no pipe at \(pipe)") }
        let arguments = [folder, Self.programs] + settings.flatMap { ["-c", $0] }
        let server = try Program(Self.unprivileged + ["sh", "-c", Self.script, "sh"] + arguments, input: pipe)
        guard server.readLine() == "ready" else {
            throw ClusterError(reason: (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "")
        }
        // Retains the object forever, because the server must not end with it.
        _ = unsafe Unmanaged.passRetained(server)
    }

    deinit { close(lifeline) }

    /// The words that are put before a command to run it as a user that may run the server, which root may not.
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

    /// Creates a folder that is deleted with the cluster, for programs that run beside it.
    func makeFolder() throws -> String { try Self.newFolder("\(folder)/XXXXXX") }

    /// Stops the server without a checkpoint, as a crash does; all connections are lost.
    public func stop() throws {
        try control(["stop", "--mode=immediate"])
    }

    /// Starts the stopped server with its previous options.
    public func start() throws {
        // `restart` also starts a stopped server, with its previous options.
        try control(["restart", "--log=\(folder)/log"])
    }

    /// Promotes the standby.
    public func promote() throws { try control(["promote"]) }

    /// Turns this server into a standby: replaces its files by a copy of another server's, and follows that server.
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

    /// Makes commits wait for a standby, or not, and returns when they do.
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

    /// Stops the server without a checkpoint, as a crash does, and starts it again; all connections are lost.
    public func crash() throws {
        try control(["restart", "--mode=immediate", "--log=\(folder)/log"])
    }

    /// Creates an empty database.
    ///
    /// - Parameter tablespace: The name of the tablespace for its files.
    /// - Returns: The database's name.
    public func makeDatabase(tablespace: String? = nil) throws -> String {
        let name = "test\(databases.add(1, ordering: .relaxed).newValue)"
        let place = tablespace.map { "TABLESPACE \($0)" } ?? ""
        try run("CREATE DATABASE \(name) \(place)", on: "postgres")
        return name
    }

    /// Returns the URI of a database; by default for the database's owner.
    public func uri(of name: String, as role: String = "usher_owner") -> String {
        "postgres:///\(name)?host=\(folder)&user=\(role)"
    }

    /// Returns those of some texts that files of tables or of the write-ahead log contain, after everything is written.
    ///
    /// - Parameter texts: Texts of which none contains another.
    public func textsInFiles(of texts: [String]) throws -> Set<String> {
        try run("CHECKPOINT", on: "postgres")
        let options = ["--recursive", "--only-matching", "--no-filename", "--text", "--fixed-strings"]
        let patterns = texts.map { "--regexp=\($0)" }
        let folders = ["base", "pg_wal"].map { "\(folder)/data/\($0)" }
        let end = try Program.run(["grep"] + options + patterns + folders)
        // The status is 1 if nothing was found, and 2 if a file was deleted in the meantime.
        guard end.status <= 2 else { throw ClusterError(reason: end.error) }
        return Set(end.output.split(separator: "\n").map(String.init))
    }

    /// Creates a tablespace in a folder, which may be on another disk.
    ///
    /// - Parameter folder: An empty folder, which the server owns from then on.
    public func makeTablespace(_ name: String, in folder: String) throws {
        let end = try Program.run(["chown", "--reference=\(self.folder)", folder])
        guard end.status == 0 else { throw ClusterError(reason: end.error) }
        try run("CREATE TABLESPACE \(name) LOCATION '\(folder)'", on: "postgres")
    }

    /// Runs statements.
    ///
    /// - Returns: Their output as text.
    @discardableResult
    public func run(_ sql: String, on database: String, as role: String = "usher_owner") throws -> String {
        try Self.run(sql, at: uri(of: database, as: role))
    }

    /// Runs statements.
    ///
    /// - Parameter uri: The URI of a database.
    /// - Returns: Their output as text.
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

/// The reason why there is no cluster or database.
public struct ClusterError: Error {
    /// The message of PostgreSQL's program.
    public let reason: String
}
