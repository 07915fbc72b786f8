import Foundation
import LocalhostClient
import Programs
import ServerCluster
import Testing
import UsherProcess

/// Tests of `--replace` with limits, as an operator sees them.
///
/// The old build is `first` of `ReleaseProgram`, with three sessions, two of which are about to pay.
@Suite("Takeovers with limits for held and resumed sessions", .blocking, .timeLimit(.minutes(5)))
struct LimitedTakeoverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a build that would resume too many sessions does not take over, and the old server continues`() throws {
        let (old, client) = try start("first")
        let sessions = try open(with: client)
        let states = try sessions.map { try client.request("GET", "/sessions/\($0)").body }
        let refused = try takeOver("screen", "--max-resumed", "1").finish()
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(
            refused.error.hasSuffix(
                "usher: --replace: 2 of 3 sessions would be resumed, which exceeds --max-resumed 1; the running server "
                    + "continues, and \"check\" shows the causes\n"), "\(refused.error)")
        #expect(try sessions.map { try client.request("GET", "/sessions/\($0)").body } == states)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("backups")) == [])
        old.send(SIGTERM)
        let end = old.finish()
        #expect(end.status == 0 && end.error.contains("journal backed up"))
        #expect(!end.error.contains("handing over"), "\(end.error)")
    }

    @Test(arguments: [
        ("screen", ["--max-resumed", "2"]), ("screen", ["--max-resumed", "70%", "--max-held", "0", "--all"]),
        ("price", ["--max-resumed", "0", "--max-held", "0%", "--all"]),
    ])
    func `a build whose sessions are within the limits takes over`(build: String, limits: [String]) throws {
        let (old, client) = try start("first")
        let sessions = try open(with: client)
        let new = try takeOver(build, limits)
        try #require(new.readPort() == client.port)
        #expect(old.finish().status == 0)
        for session in sessions { #expect(try client.request("GET", "/sessions/\(session)").status == 200) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("backups")) == [])
        new.send(SIGTERM)
        let end = new.finish()
        #expect(end.status == 0 && end.error.contains("release checked"), "\(end.error)")
    }

    @Test func `after a takeover was refused because it would hold a session, an earlier build can still take over`()
        throws
    {
        let (old, client) = try start("first")
        try open(with: client)
        let refused = try takeOver("none", "--max-held", "0", "--all").finish()
        #expect(refused.status == 1)
        #expect(refused.error.contains("3 of 3 sessions would be held, which exceeds --max-held 0"), "\(refused.error)")
        let new = try takeOver("first", "--max-held", "0", "--all")
        try #require(new.readPort() == client.port)
        #expect(old.finish().status == 0)
    }

    @Test func `if there is no server to replace, no session is checked`() throws {
        let (program, _) = try start("first", "--replace", "--max-held", "0", "--all")
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.status == 0 && !end.error.contains("release checked"), "\(end.error)")
    }

    @Test func `a server whose journal cannot be copied is not replaced, and the reason is reported`() throws {
        let (old, client) = try start("first")
        // The folder for backups cannot be created.
        try Data().write(to: URL(filePath: folder("backups")))
        let refused = try takeOver("first", "--max-held", "5").finish()
        #expect(refused.status == 1)
        #expect(
            refused.error.contains("--replace: the journal could not be copied for the check: the backup was not made"),
            "\(refused.error)")
        #expect(try client.request("GET", "/healthz").status == 200)
        withExtendedLifetime(old) {}
    }

    @Test func `a supervisor whose version cannot copy the journal is not replaced`() throws {
        let place = LocalSocketPath(folder: folder("journal.sqlite-control"), name: "socket")
        let listener = try place.listen()
        let program = try takeOver("first", "--max-held", "5")
        var caller: LocalConnection?
        while caller == nil {
            _ = Descriptor.wait(for: [listener.descriptor])
            caller = listener.accept()
        }
        #expect(caller?.receive()?.text == "copy 1")
        caller = nil
        let end = program.finish()
        #expect(
            end.status == 1 && end.error.contains("its version cannot copy the journal for another server"),
            "\(end.error)")
    }

    @Test func `a server makes one copy of the journal at a time, and if its worker is killed, the copy ends`()
        throws
    {
        let (program, _) = try start("first")
        let place = LocalSocketPath(folder: folder("journal.sqlite-control"), name: "socket")
        func ask() throws -> LocalConnection {
            let connection = try #require(try place.connect())
            connection.send("copy 1")
            return connection
        }
        let worker = try #require(program.children.first)
        kill(worker, SIGSTOP)
        let first = try ask()
        #expect(try ask().receive()?.text == "busy")
        kill(worker, SIGKILL)
        #expect(first.receive()?.text == "")
        // The next worker becomes ready after some time.
        var answer: String?
        repeat { answer = try ask().receive()?.text } while answer == "busy"
        #expect(answer?.hasPrefix("copied journal-") == true, "\(answer ?? "")")
    }

    @Test func `a new build that waits for the copy of the journal ends at SIGTERM`() throws {
        let place = LocalSocketPath(folder: folder("journal.sqlite-control"), name: "socket")
        let listener = try place.listen()
        let program = try takeOver("first", "--max-held", "5")
        while !program.readErrorLine().contains("waiting for a copy of the journal") {}
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
        withExtendedLifetime(listener) {}
    }

    @Test func `a build that takes over a server on a database checks the sessions in the database`() throws {
        let database = try ClusterDatabase()
        func serve(_ program: String, _ options: String...) throws -> Program {
            try Program(
                program,
                [
                    "serve", "--port", "0", "--journal", database.uri(as: database.role), "--journal-key", "none",
                    "--node",
                    "one", "--state", folder.path,
                ] + options, environment: [:])
        }
        let old = try serve("usher-postgres")
        let client = LocalhostClient(port: try #require(old.readPort()))
        let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        // This program has other apps.
        let refused = try serve("ClusterProgram", "--replace", "--max-held", "0", "--all").finish()
        #expect(refused.status == 1)
        #expect(
            refused.error.contains("1 of 1 sessions would be held, which exceeds --max-held 0;"), "\(refused.error)")
        let path = try #require(opened["Location"])
        #expect(try client.request("GET", path).body == opened.body)
        let new = try serve("usher-postgres", "--replace", "--max-held", "0", "--all")
        try #require(new.readPort() == client.port)
        #expect(old.finish().status == 0)
        #expect(try client.request("GET", path).body == opened.body)
    }

    /// Starts the server of a build.
    private func start(_ build: String, _ options: String...) throws -> (Program, LocalhostClient) {
        let program = try serve(build, options)
        return (program, LocalhostClient(port: try #require(program.readPort())))
    }

    private func takeOver(_ build: String, _ options: String...) throws -> Program { try takeOver(build, options) }

    private func takeOver(_ build: String, _ options: [String]) throws -> Program {
        try serve(build, ["--replace"] + options)
    }

    private func serve(_ build: String, _ options: [String]) throws -> Program {
        try Program(
            "ReleaseProgram",
            ["serve", "--port", "0", "--journal", "sqlite:\(folder("journal.sqlite"))"] + options,
            environment: ["BUILD": build])
    }

    /// Opens three sessions, two of which are about to pay.
    @discardableResult
    private func open(with client: LocalhostClient) throws -> [String] {
        let ids = try (0..<3).map { _ in
            let opened = try client.request("POST", "/sessions", body: #"{"app":"shop"}"#)
            return String(try #require(opened["Location"]).dropFirst("/sessions/".count))
        }
        for id in ids.dropFirst() {
            #expect(try client.request("POST", "/sessions/\(id)/events", body: #"{"event":"pay"}"#).status == 200)
        }
        return ids
    }
}
