private import Glibc
package import LocalhostClient
package import PostgresCluster
private import Programs
private import Synchronization

/// One server of a cluster: a process with its own proxy in front of the database.
package final class ClusterServer: Sendable {
    /// The server's name in the journal.
    package let name: String
    /// The proxy between the server and the database, which is used unless the database has a standby.
    package let proxy: DatabaseProxy
    private let journal: String
    private let folder: TemporaryFolder
    private let state: Mutex<Run>

    private struct Run: ~Copyable {
        var setup: ServerSetup
        var program: Program?
        var port = 0
    }

    /// Starts the server on a free port.
    init(_ name: String, _ setup: ServerSetup, on database: ClusterDatabase) throws {
        self.name = name
        state = Mutex(Run(setup: setup))
        proxy = try DatabaseProxy(before: database.cluster)
        // The proxy accepts connections even if the database is down, so the client library would not try the standby.
        let hasStandby = database.standby != nil
        journal = hasStandby ? database.uri(as: database.role) : proxy.uri(of: database.name, as: database.role)
        folder = try TemporaryFolder()
        try start()
    }

    // A frozen process would not end with this object.
    deinit { kill() }

    /// The port that the server listens on, which is the same after each start.
    package var port: Int { state.withLock { $0.port } }

    /// The setup of the last start.
    package var setup: ServerSetup { state.withLock { $0.setup } }

    /// The server's log so far.
    package var log: String { String(decoding: folder.bytes(of: "log"), as: UTF8.self) }

    /// Starts the server on its previous port.
    ///
    /// There is only one attempt, because nothing may prevent the start while the database is available.
    package func start() throws {
        try state.withLock { run in
            (run.program, run.port) = try launch(run.setup, at: run.port)
        }
    }

    /// Starts the server with another setup.
    package func start(_ setup: ServerSetup) throws {
        state.withLock { $0.setup = setup }
        try start()
    }

    /// Replaces the process, as an update does; this requires a supervisor.
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

    /// Kills the server, as a crash of its machine does.
    package func kill() {
        state.withLock { run in
            run.program?.kill()
            run.program = nil
        }
    }

    /// Asks the server to stop, and waits for its end.
    ///
    /// - Returns: The exit status, or the negative number of the signal that ended the server.
    @discardableResult
    package func stop() -> Int32? {
        state.withLock { run in
            defer { run.program = nil }
            run.program?.send(SIGTERM)
            return run.program?.finish().status
        }
    }

    /// Freezes the server until it is thawed.
    package func freeze() { state.withLock { $0.program?.send(SIGSTOP) } }

    /// Lets a frozen server continue.
    package func thaw() { state.withLock { $0.program?.send(SIGCONT) } }

    /// Returns a client that uses only this server.
    package func client(timeout: Int = 30) -> LocalhostClient { LocalhostClient(port: port, timeout: timeout) }
}

/// The command line and the environment of a cluster's servers.
package struct ServerSetup: Sendable {
    /// The executable: the name of a program that was built with the tests, or a path.
    package var program = "ClusterProgram"
    /// The options of `serve`, besides the journal, the port and the name.
    ///
    /// There is no drain time, because no proxy must notice a stop.
    package var options = ["--no-supervisor", "--drain-time", "0s"]
    /// The servers' environment variables.
    package var environment: [String: String]

    fileprivate var path: String { program.hasPrefix("/") ? program : "\(Program.products)/\(program)" }

    /// Creates the usual setup.
    ///
    /// - Parameter backend: The port of the backend for effects.
    package init(backend: Int? = nil) {
        environment = Program.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["USHER_ADMIN_TOKEN"] = LocalhostClient.operatorToken
        environment["USHER_TEST_BACKEND"] = backend.map { "\($0)" }
    }
}

/// The reason why a cluster of servers cannot be started.
package struct ServerClusterError: Error {
    package let reason: String
}
