import Glibc
import LocalhostClient
import Programs
import Testing

/// Tests of the executable, as an operator sees it.
@Suite("A server process", .blocking, .timeLimit(.minutes(5)))
struct ProcessTests {
    @Test(arguments: [("GalleryProgram", true), ("usher", false)])
    func `when a server starts, its log names each app that lists no screens`(program name: String, isNamed: Bool)
        throws
    {
        let program = try Program(
            name, ["serve", "--no-supervisor", "--port", "0", "--journal", "memory"], environment: [:])
        #expect(program.readPort() != nil)
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.error.contains("clients cannot list the app's screens") == isNamed, "\(end.error)")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `usher serve prints its address, and drains at SIGTERM`(signal: Int32) throws {
        let program = try Program(usher: ["serve", "--port", "0", "--journal", "memory"])
        let line = program.readLine()
        #expect(line.hasPrefix("usher: listening on http://127.0.0.1:"))
        let client = LocalhostClient(port: try #require(Int(line.split(separator: ":").last ?? "")))
        #expect(try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#).status == 201)
        program.send(signal)
        let end = program.finish()
        #expect(end.status == 0, "\(end.error)")
        #expect(end.output.isEmpty)
        #expect(end.error.contains("draining"))
        #expect(end.error.contains("stopped"))
    }

    @Test(arguments: [["apps"], ["--help"], ["openapi"], ["types", "hello-bye", "--as", "swift"]])
    func `a command that cannot write its output fails`(arguments: [String]) throws {
        let command = ["bash", "-c", "exec \"$0\" \"$@\" >/dev/full", "\(Program.products)/usher"] + arguments
        let end = try Program.run(command)
        #expect(end.status == 1)
        #expect(end.error == "usher: cannot write to standard output: No space left on device\n")
    }

    @Test func `a second SIGTERM does not shorten the drain`() throws {
        let program = try Program(usher: ["serve", "--port", "0", "--journal", "memory"])
        let port = try #require(program.readPort())
        let connection = try RawConnection(port: port)
        let body = #"{"app":"hello-bye"}"#
        #expect(try connection.begin("POST", "/sessions", body: body).status == 100)
        program.send(SIGTERM)
        // After this line, the first signal has been handled.
        while !program.readErrorLine().contains("draining") {}
        program.send(SIGTERM)
        program.send(SIGINT)
        try connection.send(body)
        #expect(try connection.readResponse().status == 201)
        #expect(program.finish().status == 0)
    }

    @Test func `a server whose port is in use ends with one line and status 1`() throws {
        let first = try Program(usher: ["serve", "--port", "0", "--journal", "memory"])
        let port = try #require(first.readPort())
        let end = try Program(usher: ["serve", "--port", String(port), "--journal", "memory"]).finish()
        #expect(end.status == 1)
        #expect(end.output.isEmpty)
        #expect(
            end.error == "usher: cannot listen on 127.0.0.1:\(port): the port is in use; "
                + "choose another with --port, or 0 for a free one\n")
        first.send(SIGTERM)
        #expect(first.finish().status == 0)
    }

    @Test(arguments: [
        ["serve", "--nope"], ["serve", "--port", "x"], ["fly"], ["serve", "--journal", "x"], ["serve"], ["fly", "-h"],
        ["check", "--journal", "memory"], ["replay", "x"],
    ])
    func `a usage error prints one line and exits with status 2`(arguments: [String]) throws {
        let end = try Program(usher: arguments).finish()
        #expect(end.status == 2)
        #expect(end.output.isEmpty)
        #expect(end.error.hasPrefix("usher: "))
        #expect(end.error.split(separator: "\n").count == 1)
    }

    @Test func `a server process reads options from the environment`() throws {
        let end = try Program(usher: ["serve"], environment: ["USHER_PORT": "many"]).finish()
        #expect(end.status == 2)
        #expect(end.error.contains("USHER_PORT"))
    }

    @Test(arguments: [
        (["--version"], "usher 0.1.0"), (["--help"], "usage: usher COMMAND"), (["apps"], "start-login-main"),
        (["serve", "--nope", "-h"], "usage: usher serve"), ([], "usher serve"), (["help", "--man"], ".SH"),
        (["openapi"], #""notes-screens-main-state":"#), (["types", "notes", "--as", "swift"], "struct MainScreen"),
        (["types", "notes", "--as=typescript"], "interface Screens"),
    ])
    func `help and other requested output of a command is written to standard output`(
        arguments: [String], words: String
    ) throws {
        let end = try Program(usher: arguments).finish()
        #expect(end.status == 0, "\(end.error)")
        #expect(end.output.contains(words))
        #expect(end.error.isEmpty)
    }

    @Test func `usher types prints one line with the known apps if the app is unknown`() throws {
        let end = try Program(usher: ["types", "nodes", "--as", "swift"]).finish()
        #expect(end.status == 1)
        #expect(end.output.isEmpty)
        #expect(
            end.error.hasPrefix("usher: there is no app \"nodes\" in this executable; its apps are hello-bye, notes, "))
        #expect(end.error.split(separator: "\n").count == 1)
    }

    @Test func `a listening host that is not an address ends the server with one line and status 1`() throws {
        let end = try Program(usher: ["serve", "--host", "nowhere.example", "--journal", "memory"]).finish()
        #expect(end.status == 1)
        #expect(end.error.contains("--host"))
        #expect(end.error.split(separator: "\n").count == 1)
    }
}
