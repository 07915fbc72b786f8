import Foundation
import LocalhostClient
import Programs
import Testing
import UsherJSON

/// Tests of the executable and its journal, as an operator sees them.
@Suite("A server process and its journal file", .blocking, .timeLimit(.minutes(5)))
struct JournalProcessTests {
    @Test func `the default journal is created at its first use, is named in the log, and is private to its owner`()
        throws
    {
        let folder = try TemporaryFolder()
        let state = folder("of/kim")
        let program = try Program(usher: ["serve", "--port", "0"], environment: ["XDG_STATE_HOME": state])
        _ = program.readLine()
        let path = "\(state)/usher/journal.sqlite"
        #expect(program.readErrorLine().contains("journal=\"sqlite:\(path)\""))
        program.send(SIGTERM)
        let end = program.finish()
        #expect(end.status == 0, "\(end.error)")
        for made in ["of", "of/kim", "of/kim/usher"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder(made))
            #expect(attributes[.posixPermissions] as? Int == 0o700, "\(made)")
        }
        let check = try Program(usher: ["check"], environment: ["XDG_STATE_HOME": state]).finish()
        #expect(check.status == 0, "\(check.error)")
        #expect(check.output == "0 live sessions: 0 unchanged\n")
    }

    @Test func `sessions survive a restart, and the journal can be inspected between two runs`() throws {
        let journal = try RecordedJournal()
        let arguments = ["serve", "--port", "0", "--journal", "sqlite:\(journal.path)"]
        let first = try Program(usher: arguments)
        let client = try self.client(of: first)
        let opened = try client.request("POST", "/sessions", body: #"{"app":"hello-bye"}"#)
        let location = try #require(opened["Location"])
        let state = try client.request("POST", "\(location)/events", body: #"{"event":"bye"}"#).body
        first.send(SIGTERM)
        #expect(first.finish().status == 0)

        let id = String(location.dropFirst("/sessions/".count))
        let replay = try Program(usher: ["replay", id, "--journal", "sqlite:\(journal.path)"]).finish()
        #expect(replay.output == String(decoding: state, as: UTF8.self) + "\n", "\(replay.error)")
        #expect(replay.error.isEmpty)

        let second = try Program(usher: arguments)
        #expect(try self.client(of: second).request("GET", location).body == state)
        let other = try Program(usher: arguments).finish()
        #expect(other.status == 1)
        #expect(other.error.contains("open in another process"), "\(other.error)")
        #expect(other.error.split(separator: "\n").count == 1)
        second.send(SIGTERM)
        #expect(second.finish().status == 0)
    }

    @Test(arguments: ["serve", "check", "states", "replay", "export"])
    func `a server whose journal is not a journal file ends with one line and status 1`(command: String) throws {
        let journal = try RecordedJournal()
        try Data("no journal at all, but a text of some length".utf8).write(to: URL(filePath: journal.path))
        // A server checks the permissions first.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: journal.path)
        // A server listens before its worker opens the journal.
        let operands =
            ["serve": ["--port", "0"], "check": [], "states": []][command] ?? [String(repeating: "0", count: 32)]
        let end = try Program(usher: [command] + operands + ["--journal", "sqlite:\(journal.path)"]).finish()
        #expect(end.status == 1)
        #expect(end.output.isEmpty)
        #expect(end.error == "usher: \(journal.path) is not a journal of this server; name another file\n")
    }

    @Test func `a server that cannot create its journal's directory ends with one line and status 1`() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder("file")))
        let end = try Program(usher: ["serve", "--port", "0"], environment: ["XDG_STATE_HOME": folder("file")]).finish()
        #expect(end.status == 1)
        #expect(end.error == "usher: cannot create the directory \(folder("file"))/usher: Not a directory\n")
    }

    private func client(of program: Program) throws -> LocalhostClient {
        LocalhostClient(port: try #require(program.readPort()))
    }
}
