import Glibc
import LocalhostClient
import Programs
import Synchronization
import Testing

/// A server of the app with bad handlers, which is restarted after each crash on the same port and journal.
final class RestartingServer {
    /// The program that restarts the server.
    enum Keeper: String, CaseIterable, Sendable {
        /// The server's own supervisor, with which connections wait during the restart.
        case supervisor
        /// A shell loop, with which connections are refused while no process listens.
        case shellLoop
    }

    private(set) var port = 0
    private let keeper: Keeper
    private let options: [String]
    private let folder: TemporaryFolder
    private var program: Program?

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - keeper: The program that restarts the server.
    ///   - options: The options of `serve`, besides the journal and the port.
    init(_ keeper: Keeper, _ options: [String]) throws {
        self.keeper = keeper
        self.options = options
        folder = try TemporaryFolder()
        try start()
    }

    // If the shell were killed, its server would continue.
    deinit { stop() }

    /// Starts the server again after `stop`, on its previous port.
    func start() throws {
        var environment = Program.environment
        // The runtime's crash report takes longer than the restart. A supervisor turns it off itself.
        environment["SWIFT_BACKTRACE"] = keeper == .supervisor ? nil : "enable=no"
        environment["USHER_ADMIN_TOKEN"] = LocalhostClient.operatorToken
        environment["USHER_TEST_REPLAY"] = folder("armed")
        // The shell cannot find out the port of its first server.
        if keeper == .shellLoop, port == 0 { port = try Self.freePort() }
        let serve =
            ["\(Program.products)/CrashProgram", "serve", "--port", "\(port)", "--journal"]
            + ["sqlite:\(folder("journal.sqlite"))"] + options
        let command = keeper == .supervisor ? serve : ["bash", "-c", Self.loop] + serve + ["--no-supervisor"]
        let program = try Program(command, environment: environment, errors: .file(folder("log")))
        self.program = program
        port = try #require(program.readPort())
    }

    /// A loop that logs the end of a process like the supervisor.
    private static let loop = """
        trap 'end=1; kill -TERM $child' TERM
        while true; do
            "$0" "$@" &
            child=$!
            wait $child; status=$?
            if [ "$end" ]; then wait $child; exit; fi
            echo "worker ended $status" >&2
        done
        """

    private static func freePort() throws -> Int {
        let serve = ["\(Program.products)/CrashProgram", "serve", "--port", "0", "--journal", "memory"]
        return try #require(try Program(serve + ["--no-supervisor"], errors: .nowhere).readPort())
    }

    /// Makes replays run the bad handlers from now on.
    func arm() throws {
        try folder.write([], to: "armed")
    }

    /// The number of server processes that have died.
    var deaths: Int { log.split(separator: "\n").count { $0.contains("worker ended") } }

    var log: String { String(decoding: folder.bytes(of: "log"), as: UTF8.self) }

    /// Asks the server to stop, and waits for its end.
    ///
    /// - Returns: The exit status, or the negative number of the signal that ended it.
    @discardableResult
    func stop() -> Int32? {
        program?.send(SIGTERM)
        return program?.finish().status
    }
}
