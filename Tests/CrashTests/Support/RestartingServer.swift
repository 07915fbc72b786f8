import Glibc
import LocalhostClient
import Programs
import Synchronization
import Testing

/// A server of the app of bad handlers that somebody starts again after each crash, on the same port and journal.
final class RestartingServer {
    /// Whoever starts it again.
    enum Keeper: String, CaseIterable, Sendable {
        /// The server's own supervisor: connections wait meanwhile.
        case supervisor
        /// A loop of the shell: connections are refused while no process listens.
        case shellLoop
    }

    private(set) var port = 0
    private let keeper: Keeper
    private let options: [String]
    private let folder: TemporaryFolder
    private var program: Program?

    /// Starts it.
    ///
    /// - Parameters:
    ///   - keeper: Whoever starts it again.
    ///   - options: Those of `serve`, beside the journal and the port.
    init(_ keeper: Keeper, _ options: [String]) throws {
        self.keeper = keeper
        self.options = options
        folder = try TemporaryFolder()
        try start()
    }

    // A shell that is killed would leave its server behind.
    deinit { stop() }

    /// Starts it again after `stop`, on its port.
    func start() throws {
        var environment = Program.environment
        // The runtime's own report of a crash takes longer than the restart; a supervisor says so itself.
        environment["SWIFT_BACKTRACE"] = keeper == .supervisor ? nil : "enable=no"
        environment["USHER_ADMIN_TOKEN"] = LocalhostClient.operatorToken
        environment["USHER_TEST_REPLAY"] = folder("armed")
        // A shell cannot learn the port that the first of its servers has got.
        if keeper == .shellLoop, port == 0 { port = try Self.freePort() }
        let serve =
            ["\(Program.products)/CrashProgram", "serve", "--port", "\(port)", "--journal"]
            + ["sqlite:\(folder("journal.sqlite"))"] + options
        let command = keeper == .supervisor ? serve : ["bash", "-c", Self.loop] + serve + ["--no-supervisor"]
        let program = try Program(command, environment: environment, errors: .file(folder("log")))
        self.program = program
        port = try #require(program.readPort())
    }

    /// Says in the words of the supervisor's log that a process has died.
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

    /// Lets replays do their deeds from now on.
    func arm() throws {
        try folder.write([], to: "armed")
    }

    /// How often a process that served has died.
    var deaths: Int { log.split(separator: "\n").count { $0.contains("worker ended") } }

    var log: String { String(decoding: folder.bytes(of: "log"), as: UTF8.self) }

    /// Asks it to stop, and waits until it has.
    ///
    /// - Returns: Its exit status, or the signal that ended it, below zero.
    @discardableResult
    func stop() -> Int32? {
        program?.send(SIGTERM)
        return program?.finish().status
    }
}
