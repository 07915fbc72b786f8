private import Glibc
package import LocalhostClient
package import PostgresCluster
private import Programs
private import Synchronization

/// One server of a cluster: a process, with a proxy of its own before the database.
package final class ClusterServer: Sendable {
    /// Its name among the servers on the journal.
    package let name: String
    /// What stands between it and the database, unless that has a standby.
    package let proxy: DatabaseProxy
    private let journal: String
    private let folder: TemporaryFolder
    private let state: Mutex<Run>

    private struct Run: ~Copyable {
        var setup: ServerSetup
        var program: Program?
        var port = 0
    }

    /// Starts it on a free port.
    init(_ name: String, _ setup: ServerSetup, on database: ClusterDatabase) throws {
        self.name = name
        state = Mutex(Run(setup: setup))
        proxy = try DatabaseProxy(before: database.cluster)
        // A proxy would take connections for a database that is not there, and the client library try no other then.
        let hasStandby = database.standby != nil
        journal = hasStandby ? database.uri(as: database.role) : proxy.uri(of: database.name, as: database.role)
        folder = try TemporaryFolder()
        try start()
    }

    // One that stands still would not end with this object otherwise.
    deinit { kill() }

    /// The port that it listens on, the same after each start.
    package var port: Int { state.withLock { $0.port } }

    /// The way in which it was started last.
    package var setup: ServerSetup { state.withLock { $0.setup } }

    /// All that it has written to its log so far.
    package var log: String { String(decoding: folder.bytes(of: "log"), as: UTF8.self) }

    /// Starts it, on the port that it had; once, for where the database is there nothing may keep it from that.
    package func start() throws {
        try state.withLock { run in
            (run.program, run.port) = try launch(run.setup, at: run.port)
        }
    }

    /// Starts it in another way than before.
    package func start(_ setup: ServerSetup) throws {
        state.withLock { $0.setup = setup }
        try start()
    }

    /// Has another process take its place and its port, as an update does; needs a supervisor.
    package func replace() throws {
        try state.withLock { run in
            var setup = run.setup
            setup.options.append("--replace")
            let (program, port) = try launch(setup, at: run.port)
            _ = run.program?.finish()
            (run.program, run.port) = (program, port)
        }
    }

    private func launch(_ setup: ServerSetup, at port: Int) throws -> (Program, Int) {
        let program = try Program(
            [
                setup.path, "serve", "--port", "\(port)", "--journal", journal, "--journal-key", "none", "--node", name,
                "--state", folder.path,
            ] + setup.options, environment: setup.environment, errors: .file(folder("log")))
        guard let port = program.readPort() else {
            throw ServerClusterError(reason: "\(name) does not start: \(log)")
        }
        return (program, port)
    }

    /// Kills it, as a crash of its machine does.
    package func kill() {
        state.withLock { run in
            run.program?.kill()
            run.program = nil
        }
    }

    /// Asks it to stop, and waits until it has.
    ///
    /// - Returns: Its exit status, or the signal that ended it, below zero.
    @discardableResult
    package func stop() -> Int32? {
        state.withLock { run in
            defer { run.program = nil }
            run.program?.send(SIGTERM)
            return run.program?.finish().status
        }
    }

    /// Stops its processors, until it thaws.
    package func freeze() { state.withLock { $0.program?.send(SIGSTOP) } }

    /// Lets it go on.
    package func thaw() { state.withLock { $0.program?.send(SIGCONT) } }

    /// A client that talks to it alone.
    package func client(timeout: Int = 30) -> LocalhostClient { LocalhostClient(port: port, timeout: timeout) }
}

/// How the servers of a cluster are started.
package struct ServerSetup: Sendable {
    /// The executable: one that was built with the tests, or a path.
    package var program = "ClusterProgram"
    /// Options of `serve`, beside the journal, the port and the name; no proxy has to be told before a stop.
    package var options = ["--no-supervisor", "--drain-time", "0s"]
    /// The variables of their environment.
    package var environment: [String: String]

    fileprivate var path: String { program.hasPrefix("/") ? program : "\(Program.products)/\(program)" }

    /// Makes the usual setup.
    ///
    /// - Parameter backend: The port of the backend for effects.
    package init(backend: Int? = nil) {
        environment = Program.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["USHER_ADMIN_TOKEN"] = LocalhostClient.operatorToken
        environment["USHER_TEST_BACKEND"] = backend.map { "\($0)" }
    }
}

/// Why there is no cluster of servers.
package struct ServerClusterError: Error {
    package let reason: String
}
