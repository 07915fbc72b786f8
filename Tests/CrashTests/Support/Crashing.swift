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
    /// The disk that the folder is on, where that is one of its own.
    private let disk: SmallDisk?
    private(set) var port = 0
    private var process: Program?

    /// Makes a folder for the journal; nothing runs yet.
    ///
    /// - Parameters:
    ///   - program: The executable of this package that serves; `usher` unless told.
    ///   - tracing: A command that runs the server, such as one that kills it at a call to the system.
    ///   - isSupervised: True for a supervisor and its worker; else one process, which is what the tests kill.
    ///   - environment: Variables that the server finds beside those of this process.
    ///   - disk: Where the folder is; the system's place for temporary files unless told.
    ///   - files: What is in the folder before the first start, by name.
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
            // The server refuses a journal that others may read.
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

    /// Starts it.
    ///
    /// - Parameter isTraced: Whether the tracing command runs it.
    /// - Returns: Whether it got as far as to listen.
    @discardableResult
    func start(isTraced: Bool = false) throws -> Bool {
        try start(isTraced ? tracing : [], ["--port", "0"])
    }

    /// Starts it on the port that it had.
    ///
    /// - Returns: Whether it got as far as to listen.
    func startAgain() throws -> Bool {
        try start([], ["--port", "\(port)"])
    }

    /// Starts another one that takes over, and waits until the one before has ended.
    ///
    /// - Parameter options: Further ones of the new one's command line.
    /// - Returns: Whether the one before has ended by itself; without another, it goes on.
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

    /// Lets `usher check` look at the journal, which nobody serves.
    func check() throws -> ProgramEnd {
        try Program.run(["\(Program.products)/usher", "check", "--journal", "sqlite:\(journal)"])
    }

    private var journal: String { folder.appending(path: "journal.sqlite").path }

    /// The supervisor's worker; nil while there is none.
    var worker: Int32? { process?.children.first }

    /// Kills it, as an operator's `kill -9` or the system would; returns once it is gone.
    func kill() {
        process?.send(SIGKILL)
        _ = process?.finish()
    }

    /// Kills the supervisor alone; its worker is no child of this process, and may still run.
    func killSupervisor() {
        process?.kill()
    }

    /// Asks it to end, and waits until it has.
    ///
    /// - Returns: Whether it ended by itself, and not by a kill.
    func stop() -> Bool {
        process?.send(SIGTERM)
        return process.map { $0.finish().status >= 0 } ?? false
    }
}
