import Foundation
import LocalhostClient
import Programs

/// A server that is killed and started again on the same journal.
final class Crashing {
    private let program: String
    private let folder: URL
    private let tracing: [String]
    private let environment: [String: String]
    private let isSupervised: Bool
    /// The disk of the folder, if it has its own.
    private let disk: SmallDisk?
    private(set) var port = 0
    private var process: Program?

    /// Creates the folder for the journal, without starting a server.
    ///
    /// - Parameters:
    ///   - program: The server's executable in this package; by default `usher`.
    ///   - tracing: A command that runs the server, such as one that kills it at a system call.
    ///   - isSupervised: Whether there is a supervisor with a worker; otherwise there is one process, which the tests
    ///     kill.
    ///   - environment: Additional environment variables of the server.
    ///   - disk: The disk of the folder; by default the folder for temporary files.
    ///   - files: The files in the folder before the first start, by name.
    init(
        _ program: String = "usher", tracing: [String] = [], isSupervised: Bool = false, on disk: SmallDisk? = nil,
        environment: [String: String] = [:], holding files: [String: [UInt8]] = [:]
    ) throws {
        self.program = program
        self.isSupervised = isSupervised
        self.tracing = tracing
        self.environment = environment
        self.disk = disk
        let place = disk.map { URL(filePath: $0.folder.path) } ?? FileManager.default.temporaryDirectory
        folder = place.appending(path: "usher-crash-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files {
            let path = folder.appending(path: name).path
            // The server refuses a journal that other users may read.
            let permissions = [FileAttributeKey.posixPermissions: 0o600]
            guard FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: permissions) else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server.
    ///
    /// - Parameter isTraced: Whether the tracing command runs the server.
    /// - Returns: Whether the server listens.
    @discardableResult
    func start(isTraced: Bool = false) throws -> Bool {
        try start(isTraced ? tracing : [], ["--port", "0"])
    }

    /// Starts the server again on its previous port.
    ///
    /// - Returns: Whether the server listens.
    func startAgain() throws -> Bool {
        try start([], ["--port", "\(port)"])
    }

    /// Starts a server that takes over, and waits until the previous one has ended.
    ///
    /// - Parameter options: Additional options of the new server.
    /// - Returns: Whether the previous server has ended by itself; if the new one failed, the previous one continues.
    func replace(_ options: [String] = []) throws -> Bool {
        let before = process
        guard try start([], ["--port", "\(port)", "--replace"] + options) else {
            process = before
            return false
        }
        return before?.finish().status == 0
    }

    private func start(_ tracing: [String], _ options: [String]) throws -> Bool {
        let command =
            ["\(Program.products)/\(program)", "serve", "--journal", "sqlite:\(journal)"] + options
            + (isSupervised ? [] : ["--no-supervisor"])
        let known = ["USHER_ADMIN_TOKEN": LocalhostClient.operatorToken]
        let variables = Program.environment.merging(known.merging(environment) { $1 }) { _, given in given }
        let process = try Program(tracing + command, environment: variables, errors: .nowhere)
        self.process = process
        guard let port = process.readPort() else {
            _ = process.finish()
            return false
        }
        self.port = port
        return true
    }

    /// Runs `usher check` on the journal, which no server has open.
    func check() throws -> ProgramEnd {
        try Program.run(["\(Program.products)/usher", "check", "--journal", "sqlite:\(journal)"])
    }

    private var journal: String { folder.appending(path: "journal.sqlite").path }

    /// The supervisor's worker; nil if there is none.
    var worker: Int32? { process?.children.first }

    /// Kills the server like `kill -9`, and waits until it is gone.
    func kill() {
        process?.send(SIGKILL)
        _ = process?.finish()
    }

    /// Kills only the supervisor; its worker, which is no child of this process, may continue.
    func killSupervisor() {
        process?.kill()
    }

    /// Asks the server to end, and waits for its end.
    ///
    /// - Returns: Whether it ended by itself instead of by a kill.
    func stop() -> Bool {
        process?.send(SIGTERM)
        return process.map { $0.finish().status >= 0 } ?? false
    }
}
