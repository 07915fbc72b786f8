import Foundation
import LocalhostClient
import Programs
import Testing
import UsherProcess

/// A server of the app of bad handlers, on one journal.
final class BadServer {
    private(set) var port = 0
    private let options: [String]
    private let folder: TemporaryFolder
    private var program: Program?
    /// Connections on which nobody waits for an answer.
    private var connections: [RawConnection] = []

    /// Starts it.
    ///
    /// - Parameter options: Those of `serve`, beside the journal and the port.
    init(_ options: [String] = []) throws {
        self.options = options
        folder = try TemporaryFolder()
        try start()
    }

    /// Starts it again.
    func start() throws {
        let program = try launch()
        port = try #require(program.readPort())
    }

    /// Starts it again, where it may well end before it says on which port it listens.
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

    /// Lets `check` look at its journal, which nobody serves.
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

    /// Lets replays do their deeds from the next start on.
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

    /// Sends an input, and does not wait.
    func leave(_ id: String, _ input: String) throws {
        try begin("POST", "/sessions/\(id)/events", input)
    }

    /// Opens a session, and does not wait.
    func leave(creating body: String) throws {
        try begin("POST", "/sessions", body)
    }

    /// Ends a session, and does not wait.
    func delete(_ id: String) throws {
        try begin("DELETE", "/sessions/\(id)", "")
    }

    /// Looks at a session, and does not wait.
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

    /// Kills it.
    func kill(by signal: Int32 = SIGKILL) {
        program?.send(signal)
        _ = program?.finish()
    }

    /// Waits until it has died.
    func finish() throws -> ProgramEnd {
        try #require(program).finish()
    }

    /// Asks it to stop, and waits until it has.
    func stop() throws -> ProgramEnd {
        try #require(program).send(SIGTERM)
        return try finish()
    }

    /// What its flight record holds.
    var remains: FlightRecord.Remains { FlightRecord.read("\(journal)-slots") }

    /// The only mark in its flight record.
    func onlyMark() throws -> FlightMark {
        let remains = remains
        #expect(remains.complaint == nil)
        try #require(remains.marks.count == 1)
        return remains.marks[0]
    }

    /// Puts something else in the place of the flight record.
    func writeRecord(_ text: String) throws {
        let isOwners: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard
            FileManager.default.createFile(
                atPath: "\(journal)-slots", contents: Data(text.utf8), attributes: isOwners)
        else { throw CocoaError(.fileWriteUnknown) }
    }
}
