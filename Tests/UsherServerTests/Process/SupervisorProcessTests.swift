import Foundation
import LocalhostClient
import Programs
import Testing
import UsherProcess

/// Tests of the supervisor, as an operator sees it.
@Suite("A server process and its supervisor", .blocking, .timeLimit(.minutes(5)))
struct SupervisorProcessTests {
    @Test func `a worker that dies is restarted, and the log names the signal that ended it`() throws {
        let program = try Program(usher: ["serve", "--port", "0", "--journal", "memory"])
        let port = try #require(program.readPort())
        #expect(program.readErrorLine().contains("started"))
        for (signal, name) in [(SIGKILL, "SIGKILL"), (SIGTERM, "exit 0"), (SIGHUP, "SIGHUP")] {
            kill(try #require(program.children.first, "before \(name)"), signal)
            var line = program.readErrorLine()
            while !line.contains("worker ended") { line = program.readErrorLine() }
            #expect(line.contains("end=\"\(name)\""), "\(line)")
            // The following workers may die before they are ready.
            if signal == SIGKILL { #expect(line.contains("restart=\"now\""), "\(line)") }
            // The connection waits until the next worker accepts it.
            #expect(try LocalhostClient(port: port).request("GET", "/healthz").status == 200)
        }
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.status == 0, "\(end.error)")
        #expect(end.output.isEmpty, "the line of standard output was there already")
    }

    @Test func `a server can be stopped while it waits for a journal that another server uses`() throws {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        #expect(first.readPort() != nil)
        first.send(SIGKILL)
        _ = first.finish()
        // The files that the first supervisor has left show that its worker may still have the journal.
        var holder: Program?
        while holder == nil {
            let program = try Program(usher: serve(on: folder) + ["--no-supervisor"])
            if program.readPort() != nil { holder = program } else { _ = program.finish() }
        }
        let second = try Program(usher: serve(on: folder))
        while !second.readErrorLine().contains("waiting for the previous server") {}
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
        holder?.send(SIGTERM)
        #expect(holder?.finish().status == 0)
    }

    @Test func `a server that was started with nohup survives its terminal`() throws {
        let command = "nohup '\(Program.products)/usher' serve --port 0 --journal memory"
        let program = try Program(["bash", "-c", "exec \(command)"])
        let port = try #require(program.readPort())
        let worker = try #require(program.children.first)
        program.send(SIGHUP)
        kill(worker, SIGHUP)
        #expect(try LocalhostClient(port: port).request("GET", "/healthz").status == 200)
        #expect(program.children.first == worker)
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.status == 0 && !end.error.contains("worker ended"), "\(end.error)")
    }

    @Test func `a server that runs without a supervisor is one process`() throws {
        let program = try Program(usher: ["serve", "--no-supervisor", "--port", "0", "--journal", "memory"])
        #expect(program.readPort() != nil)
        #expect(program.children == [])
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }

    @Test(arguments: [SIGHUP, SIGQUIT])
    func `if a signal ends the worker, the supervisor ends with the same signal`(signal: Int32) throws {
        let folder = try TemporaryFolder()
        // The runtime's crash handler would ignore a signal that another process has sent.
        let program = try Program(usher: serve(on: folder), environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(program.readPort() != nil)
        program.send(signal)
        #expect(program.finish().status == -signal)
        // The signal did not end the process directly, because the server has removed its files.
        #expect(try !folder.names.contains("journal.sqlite-control"))
    }

    @Test func `after SIGTERM, every connection that is accepted is answered`() throws {
        let program = try Program(usher: ["serve", "--port", "0", "--journal", "memory"])
        let port = try #require(program.readPort())
        program.send(SIGTERM)
        while !program.readErrorLine().contains("draining") {}
        let refused = ClientError.cannotConnect(errorNumber: ECONNREFUSED)
        var error: ClientError?
        while error != refused {
            do throws(ClientError) { _ = try RawConnection(port: port) } catch let failure { error = failure }
        }
        #expect(program.finish().status == 0)
    }

    @Test(arguments: [[], ["--no-supervisor"]])
    func `stopping a server under load resets no connection`(options: [String]) async throws {
        for _ in 0..<3 {
            let program = try Program(usher: ["serve", "--port", "0", "--journal", "memory"] + options)
            let port = try #require(program.readPort())
            let failures = await ConnectingClients.failures(at: port, stoppingAfter: 200) { program.send(SIGTERM) }
            #expect(failures == [])
            #expect(program.finish().status == 0)
        }
    }

    @Test func `the control socket is accessible only by its owner and is removed when the server ends`() throws {
        let folder = try TemporaryFolder()
        let program = try Program(usher: serve(on: folder))
        #expect(program.readPort() != nil)
        #expect(try folder.names.contains("journal.sqlite-control"))
        #expect(try folder.attributes(of: "journal.sqlite-control")[.posixPermissions] as? Int == 0o700)
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
        #expect(try folder.names == ["journal.sqlite"])
    }

    @Test func `a replacement server serves the same sessions on the same port, and the old server ends`() throws {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        let port = try #require(first.readPort())
        let opened = try LocalhostClient(port: port).request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        let second = try Program(usher: serve(on: folder) + ["--replace"])
        #expect(second.readPort() == port)
        let end = first.finish()
        #expect(end.status == 0)
        #expect(end.error.contains("handing over"))
        #expect(end.error.contains("replaced"))
        let location = try #require(opened["Location"])
        #expect(try LocalhostClient(port: port).request("GET", location).body == opened.body)
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
        #expect(try folder.names == ["journal.sqlite"])
    }

    @Test func `if a server's journal is in memory, --replace finds the server by its port`() throws {
        let folder = try TemporaryFolder()
        let environment = ["XDG_RUNTIME_DIR": folder.path]
        let first = try Program(
            usher: ["serve", "--port", "0", "--journal", "memory"], environment: environment)
        let port = try #require(first.readPort())
        let second = try Program(
            usher: ["serve", "--port", "\(port)", "--journal", "memory", "--replace"], environment: environment)
        #expect(second.readPort() == port)
        #expect(first.finish().status == 0)
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
        #expect(try folder.names == [])
    }

    @Test func `a replacement server may listen on another port`() throws {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        let old = try #require(first.readPort())
        let other = try freePort()
        let second = try Program(usher: ["serve", "--port", "\(other)", "--journal", journal(in: folder), "--replace"])
        #expect(second.readPort() == other)
        #expect(first.finish().status == 0)
        #expect(throws: ClientError.cannotConnect(errorNumber: ECONNREFUSED)) { try RawConnection(port: old) }
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
    }

    @Test func `a replacement server that cannot serve reports the reason, and the old server continues`() throws {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        let port = try #require(first.readPort())
        let second = try Program(usher: serve(on: folder) + ["--replace", "--public", "/nonexistent"]).finish()
        #expect(second.status == 1)
        #expect(second.output.isEmpty)
        #expect(second.error.contains("usher: cannot read /nonexistent"), "\(second.error)")
        #expect(try LocalhostClient(port: port).request("GET", "/healthz").status == 200)
        first.send(SIGTERM)
        let end = first.finish()
        #expect(end.status == 0)
        #expect(end.error.contains("the replacement has failed; this server continues"))
    }

    @Test func `connections to the control socket that send nothing do not prevent a replacement`() throws {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        let port = try #require(first.readPort())
        // The supervisor listens to the last connection, until the next one connects.
        let silent = try (0..<12).map { _ in try #require(try control(in: folder).connect()) }
        let second = try Program(usher: serve(on: folder) + ["--replace"])
        #expect(second.readPort() == port)
        #expect(first.finish().status == 0)
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
        withExtendedLifetime(silent) {}
    }

    @Test func `a connection to the control socket that sends no request is closed`() throws {
        let folder = try TemporaryFolder()
        let program = try Program(usher: serve(on: folder))
        #expect(program.readPort() != nil)
        let connection = try #require(try control(in: folder).connect())
        #expect(connection.receive(until: MonotonicClock.now + 30_000_000_000)?.text == "")
    }

    @Test func `during a replacement, a second replacement is refused and may be tried again later`() throws {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        let port = try #require(first.readPort())
        var busy: LocalConnection? = try control(in: folder).connect()
        try #require(busy?.send("take 1") == true)
        #expect(busy?.receive(until: MonotonicClock.now + 10_000_000_000)?.text == "socket")
        let refused = try Program(usher: serve(on: folder) + ["--replace"]).finish()
        #expect(refused.status == 1)
        #expect(refused.error.contains("is stopping or being replaced; try again"), "\(refused.error)")
        busy = nil
        let second = try Program(usher: serve(on: folder) + ["--replace"])
        #expect(second.readPort() == port)
        #expect(first.finish().status == 0)
    }

    @Test(.enabled(if: LongRun.isOn, "it takes 65 s"))
    func `if a replacement server freezes, the old server serves again, and the replacement ends later`() throws {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        let port = try #require(first.readPort())
        let second = try Program(usher: serve(on: folder) + ["--replace"])
        while !first.readErrorLine().contains("handing over") {}
        second.send(SIGSTOP)
        while !first.readErrorLine().contains("the replacement has failed; this server continues") {}
        #expect(try LocalhostClient(port: port, timeout: 30).request("GET", "/healthz").status == 200)
        second.send(SIGCONT)
        #expect(second.finish().status == 1)
        #expect(try LocalhostClient(port: port).request("GET", "/healthz").status == 200)
        let third = try Program(usher: serve(on: folder) + ["--replace"])
        #expect(third.readPort() == port)
        #expect(first.finish().status == 0)
    }

    @Test func `if --replace finds no server to replace, the new server starts as usual and reports that`() throws {
        let folder = try TemporaryFolder()
        let program = try Program(usher: serve(on: folder) + ["--replace"])
        #expect(program.readPort() != nil)
        #expect(program.readErrorLine().contains("no server to replace"))
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }

    @Test func `after kill -9 of a supervisor, its worker drains, and a new server waits for the port and journal`()
        throws
    {
        let folder = try TemporaryFolder()
        let first = try Program(usher: serve(on: folder))
        let port = try #require(first.readPort())
        let connection = try RawConnection(port: port)
        let body = #"{"app":"hello-bye"}"#
        // From then on, the request is in progress, and the worker cannot end before it.
        #expect(try connection.begin("POST", "/sessions", body: body).status == 100)
        first.send(SIGKILL)
        while !first.readErrorLine().contains("draining") {}
        let second = try Program(usher: ["serve", "--port", "\(port)", "--journal", journal(in: folder)])
        #expect(second.readErrorLine().contains("waiting for the previous server"))
        try connection.send(body)
        let opened = try connection.readResponse()
        #expect(opened.status == 201)
        #expect(second.readPort() == port)
        let location = try #require(opened["Location"])
        #expect(try LocalhostClient(port: port).request("GET", location).status == 200)
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
    }

    @Test func `a value for an option that takes no value is a usage error`() throws {
        let end = try Program(usher: ["serve", "--replace=yes", "--journal", "memory"]).finish()
        #expect(end.status == 2)
        #expect(end.error == "usher: --replace takes no value; see usher serve --help\n")
    }

    /// Returns the path of the server's control socket.
    private func control(in folder: TemporaryFolder) throws -> LocalSocketPath {
        let path = folder("journal.sqlite-control")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: path).first)
        return LocalSocketPath(folder: path, name: name)
    }

    private func serve(on folder: TemporaryFolder) -> [String] {
        ["serve", "--port", "0", "--journal", journal(in: folder)]
    }

    private func journal(in folder: TemporaryFolder) -> String { "sqlite:\(folder("journal.sqlite"))" }

    /// Returns a port that no program uses at present.
    private func freePort() throws -> Int {
        let program = try Program(usher: ["serve", "--port", "0", "--journal", "memory"])
        let port = try #require(program.readPort())
        program.send(SIGTERM)
        _ = program.finish()
        return port
    }
}
