import Foundation
import LocalhostClient
import Programs
import Testing
import UsherProcess

/// A server of the app with bad handlers, on one journal.
final class BadServer {
    private(set) var port = 0
    private let options: [String]
    private let folder: TemporaryFolder
    private var program: Program?
    /// The connections whose responses nobody waits for.
    private var connections: [RawConnection] = []

    /// Starts a server.
    ///
    /// - Parameter options: The options of `serve`, besides the journal and the port.
    init(_ options: [String] = []) throws {
        self.options = options
        folder = try TemporaryFolder()
        try start()
    }

    /// Starts the server again.
    func start() throws {
        let program = try launch()
        port = try #require(program.readPort())
    }

    /// Starts the server again, even if it may end before it prints its port.
    @discardableResult
    func launch() throws -> Program {
        let program = try Program(
            [
                "\(Program.products)/CrashProgram", "serve", "--port", "0", "--journal", "sqlite:\(journal)",
                "--no-supervisor",
            ] + options,
            environment: environment)
        self.program = program
        return program
    }

    /// Runs `check` on the journal, which no server has open.
    func check() throws -> ProgramEnd {
        try Program(
            ["\(Program.products)/CrashProgram", "check", "--journal", "sqlite:\(journal)"], environment: environment
        ).finish()
    }

    private var environment: [String: String] {
        var environment = Program.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["USHER_ADMIN_TOKEN"] = LocalhostClient.operatorToken
        environment["USHER_TEST_REPLAY"] = folder("armed")
        return environment
    }

    private var journal: String { folder("journal.sqlite") }

    /// Makes the replays from the next start on run the bad handlers.
    func arm() throws {
        try folder.write([], to: "armed")
    }

    // MARK: Requests

    /// Opens a session.
    func open() throws -> String {
        let answer = try LocalhostClient(port: port).request("POST", "/sessions", body: #"{"app":"crash"}"#)
        return try #require(answer["Location"]?.split(separator: "/").last.map(String.init))
    }

    /// Sends an input, and waits for its answer.
    func send(_ id: String, _ input: String) throws {
        let answer = try LocalhostClient(port: port).request("POST", "/sessions/\(id)/events", body: input)
        try #require(answer.status == 200)
    }

    /// Sends an input without waiting for its response.
    func leave(_ id: String, _ input: String) throws {
        try begin("POST", "/sessions/\(id)/events", input)
    }

    /// Opens a session without waiting for the response.
    func leave(creating body: String) throws {
        try begin("POST", "/sessions", body)
    }

    /// Ends a session without waiting for the response.
    func delete(_ id: String) throws {
        try begin("DELETE", "/sessions/\(id)", "")
    }

    /// Reads a session without waiting for the response.
    @discardableResult
    func look(_ id: String) throws -> RawConnection {
        try begin("GET", "/sessions/\(id)", nil)
    }

    @discardableResult
    private func begin(_ method: String, _ path: String, _ body: String?) throws -> RawConnection {
        let connection = try RawConnection(port: port)
        connections.append(connection)
        let fields = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        try connection.send("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n\(body ?? "")")
        return connection
    }

    // MARK: The end

    /// Kills the server.
    func kill(by signal: Int32 = SIGKILL) {
        program?.send(signal)
        _ = program?.finish()
    }

    /// Waits until the server has ended by itself.
    func finish() throws -> ProgramEnd {
        try #require(program).finish()
    }

    /// Asks the server to stop, and waits for its end.
    func stop() throws -> ProgramEnd {
        try #require(program).send(SIGTERM)
        return try finish()
    }

    /// The content of the server's flight record.
    var remains: FlightRecord.Remains { FlightRecord.read("\(journal)-slots") }

    /// Returns the only mark in the flight record.
    func onlyMark() throws -> FlightMark {
        let remains = remains
        #expect(remains.complaint == nil)
        try #require(remains.marks.count == 1)
        return remains.marks[0]
    }

    /// Overwrites the flight record.
    func writeRecord(_ text: String) throws {
        let isOwners: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard
            FileManager.default.createFile(
                atPath: "\(journal)-slots", contents: Data(text.utf8), attributes: isOwners)
        else { throw CocoaError(.fileWriteUnknown) }
    }
}
