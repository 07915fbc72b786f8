import Foundation
import LocalhostClient
import Programs
import Testing
import UsherJSON

/// Tests of `script/cluster`, as its user sees it.
@Suite("The script script/cluster", .blocking, .timeLimit(.minutes(5)))
struct ClusterScriptTests {
    @Test func `script/cluster prints the addresses of a proxy and three servers, and cleans up when it ends`()
        throws
    {
        let folder = try TemporaryFolder(in: "/tmp")
        // The user that runs the database creates folders here.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let script = try Self.start(in: folder)
        let ports = (0..<4).compactMap { _ in script.readPort() }
        try #require(ports.count == 4, "\(script.finish().error)")
        let link = script.readLine()
        let token = String(try #require(link.split(separator: "/login?token=").dropFirst().first, "\(link)"))
        let clients = ports.map { LocalhostClient(port: $0, token: token) }
        let opened = try clients[0].request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        try #require(opened.status == 201)
        let session = try #require(Self.json(opened)?[member: "session"]?.string)
        for client in clients { #expect(try client.request("GET", "/sessions/\(session)").status == 200) }
        let nodes = try clients[0].request("GET", "/admin/nodes").text
        for name in ["server1", "server2", "server3"] { #expect(nodes.contains(#""name":"\#(name)""#), "\(nodes)") }

        script.send(SIGINT)
        #expect(script.finish().status == 0)
        #expect(Self.processes(in: folder) == [])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.filter { $0.hasPrefix("usher-cluster") } == [])
    }

    @Test func `if a signal kills one program of the cluster, the script reports the signal and ends the others`()
        throws
    {
        let folder = try TemporaryFolder(in: "/tmp")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let script = try Self.start(in: folder)
        try #require(script.readPort() != nil, "\(script.finish().error)")
        let proxy = try #require(Self.processes(in: folder).first { $0.command.hasPrefix("haproxy") })
        kill(proxy.id, SIGKILL)
        let end = script.finish()
        #expect(end.status == 1)
        #expect(end.error.contains("haproxy was killed by SIGKILL, so everything ends"), "\(end.error)")
        #expect(Self.processes(in: folder) == [])
    }

    @Test func `a command is refused while the cluster shuts down`() throws {
        let folder = try TemporaryFolder(in: "/tmp")
        try #require(try Program.run(["mkfifo", folder("control")]).status == 0)
        // This imitates the script while its servers drain: it holds the lock, but reads no more commands.
        let cluster = try Program(
            ["sh", "-c", "exec flock --no-fork \"$1/lock\" sleep 60 3<>\"$1/control\"", "sh", folder.path])
        func isThere(_ start: String) throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasPrefix(start) }
        }
        while try Program.run(["flock", "--nonblock", folder("lock"), "true"]).status == 0 { usleep(20_000) }
        let script = try Program([Self.path, "--dir", folder.path, "kill", "2"], errors: .apart)
        while try !isThere("reply.") { usleep(20_000) }
        cluster.kill()
        let end = script.finish()
        #expect(end.status == 1)
        #expect(end.error == "cluster: the cluster ended in the meantime; its terminal shows the reason\n")
        #expect(try !isThere("reply."))
    }

    @Test(arguments: [["--port", "high"], ["kill", "4"], ["--bad"], ["--dir"]])
    func `invalid arguments of the script are refused with one line`(arguments: [String]) throws {
        let end = try Program.run([Self.path] + arguments)
        #expect(end.status == 2)
        #expect(end.error.hasPrefix("cluster: ") && end.error.split(separator: "\n").count == 1, "\(end.error)")
    }

    private static let path = URL(filePath: #filePath).appending(path: "../../../../script/cluster").standardized.path

    private static func start(in folder: TemporaryFolder) throws -> Program {
        var environment = Program.environment
        environment["TMPDIR"] = folder.path
        return try Program(
            [path, "--program", "\(Program.products)/usher-postgres"], environment: environment, errors: .apart)
    }

    private static func json(_ response: RawResponse) -> JSONValue? { try? JSONDocument(parsing: response.body).root }

    /// A process whose command line contains the folder.
    private struct Process: Equatable {
        let id: Int32
        let command: String
    }

    private static func processes(in folder: TemporaryFolder) -> [Process] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
        return ids.compactMap { id in
            let bytes = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
            let command = String(decoding: bytes, as: UTF8.self).replacing("\0", with: " ")
            return command.contains("\(folder.path)/") ? Process(id: id, command: command) : nil
        }
    }
}
