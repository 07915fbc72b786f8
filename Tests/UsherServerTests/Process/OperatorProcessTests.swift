import Glibc
import HelloBye
import LocalhostClient
import Programs
import Testing

/// Tests of the operator's login, with the executable.
@Suite("The operator's token of a server process", .blocking, .timeLimit(.minutes(5)))
struct OperatorProcessTests {
    private static let serve = ["serve", "--port", "0", "--journal", "memory"]

    @Test func `a server that has no configured token prints a login link on a line of its own`()
        throws
    {
        let program = try Program(usher: Self.serve, environment: ["USHER_ADMIN_TOKEN": nil])
        let line = program.readLine()
        #expect(line.hasPrefix("usher: listening on http://127.0.0.1:"))
        let port = try #require(Int(line.split(separator: ":").last ?? ""))
        let link = program.readLine()
        let prefix = "usher: look inside with http://127.0.0.1:\(port)/login?token="
        #expect(link.hasPrefix(prefix))
        let token = String(link.dropFirst(prefix.count))
        #expect(token.utf8.count == 64)
        let client = LocalhostClient(port: port, token: nil)
        #expect(try client.request("GET", "/metrics").status == 401)
        let answer = try client.request("GET", "/login?token=\(token)")
        #expect(answer.status == 303)
        let cookie = (answer["Set-Cookie"] ?? "").prefix { $0 != ";" }
        #expect(try client.request("GET", "/metrics", headers: [("Cookie", String(cookie))]).status == 200)
        #expect(try client.request("GET", "/metrics", headers: [("Authorization", "Bearer \(token)")]).status == 200)
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.status == 0)
        #expect(!end.error.contains(token), "the log does not contain the token")
        #expect(!end.error.contains(cookie))
    }

    @Test func `the login link uses the public address`() throws {
        let arguments = Self.serve + ["--session-access", "token", "--public-url", "https://usher.example/"]
        let program = try Program(usher: arguments, environment: ["USHER_ADMIN_TOKEN": nil])
        #expect(program.readPort() != nil)
        #expect(program.readLine().hasPrefix("usher: look inside with https://usher.example/login?token="))
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }

    @Test func `if the server listens on all addresses, the login link has a host that the server accepts`() throws {
        let arguments = Self.serve + ["--host", "0.0.0.0", "--allow-host", "localhost"]
        let program = try Program(usher: arguments, environment: ["USHER_ADMIN_TOKEN": nil])
        let port = try #require(program.readPort())
        #expect(program.readLine().hasPrefix("usher: look inside with http://localhost:\(port)/login?token="))
        program.send(SIGTERM)
        #expect(program.finish().status == 0)
    }

    @Test func `a configured token is never printed`() throws {
        let program = try Program(usher: Self.serve)
        #expect(program.readPort() != nil)
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.output.isEmpty)
        #expect(!end.error.contains(LocalhostClient.operatorToken))
    }

    @Test(arguments: ["\n", "", "\r\n"])
    func `the operator's token can be read from a file`(end: String) throws {
        let (folder, token) = (try TemporaryFolder(), "sesame-sesame-sesame")
        try folder.write(Array("\(token)\(end)".utf8), to: "token")
        let program = try Program(
            usher: Self.serve + ["--admin-token-file", folder("token")], environment: ["USHER_ADMIN_TOKEN": nil])
        let client = LocalhostClient(port: try #require(program.readPort()), token: token)
        #expect(try client.request("GET", "/metrics").status == 200)
        program.send(SIGTERM)
        #expect(program.finish().output.isEmpty)
    }

    @Test(arguments: [
        "", "\n", "two words of a token\n", "two lines of\na token\n", "\u{FF} of a long token",
        String(repeating: "x", count: 5_000), "fifteen-letters\n",
    ])
    func `a token file must contain exactly one token of at least 16 characters`(content: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(content.utf8), to: "token")
        let program = try Program(
            usher: Self.serve + ["--admin-token-file", folder("token")], environment: ["USHER_ADMIN_TOKEN": nil])
        if program.readPort() != nil { program.send(SIGTERM) }
        let end = program.finish()
        #expect(end.status != 0)
        #expect(end.output.isEmpty)
        #expect(end.error.contains(folder("token")))
        #expect(end.error.split(separator: "\n").count == 1)
    }

    @Test func `a missing token file is an error`() throws {
        let end = try Program(
            usher: Self.serve + ["--admin-token-file", "/nowhere/token"], environment: ["USHER_ADMIN_TOKEN": nil]
        ).finish()
        #expect(end.status == 1)
        #expect(end.error == "usher: cannot read /nowhere/token: No such file or directory\n")
    }

    @Test func `an empty operator's token in the environment is an error`() throws {
        let end = try Program(usher: Self.serve, environment: ["USHER_ADMIN_TOKEN": ""]).finish()
        #expect(end.status == 2)
        #expect(end.error.contains("USHER_ADMIN_TOKEN"))
    }
}
