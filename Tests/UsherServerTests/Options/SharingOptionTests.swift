import Testing
import UsherJournal
import UsherServer

@Suite("Options for a journal in a database")
struct SharingOptionTests {
    /// A database that records the options with which it is opened.
    private struct Database: JournalDatabase {
        let uri: String
        var description: String { "fake:database" }

        func open(as server: SharingServer) throws -> any Journal { throw Opened(server: server) }
        func inspect(keyFile: String?) throws -> any Journal { throw Inspected(keyFile: keyFile) }
        func migrate() throws -> String { "made" }
    }

    private struct Opened: Error {
        let server: SharingServer
    }

    private struct Inspected: Error, Equatable {
        let keyFile: String?
    }

    private struct NoURI: Error, CustomStringConvertible {
        let description = "this is no URI of it"
    }

    private static let engine = JournalEngine(name: "Fake", schemes: ["fake"]) { uri in
        guard uri.hasSuffix("/db") else { throw NoURI() }
        return Database(uri: uri)
    }

    private static let journal = ["--journal", "fake://kim@host/db"]

    @Test func `by default, the server and its folder are named by host and port, and the server has four connections`()
        throws
    {
        let options = try serve(Self.journal + ["--journal-key", "none", "--port", "81"])
        let server = try opening(options)
        #expect(server.name.hasSuffix(":81") && server.name.count > 3)
        #expect(server.connections == 4 && server.keyFile == nil && server.lineage == 7)
        let state = try #require(try options.stateFolder { $0 == "HOME" ? "/home/kim" : nil })
        #expect(state.flightRecord == "/home/kim/.local/state/usher/nodes/\(server.name)/slots")
        #expect("\(options.journal)" == "fake:database")
        #expect(options.drain == .seconds(2))
        #expect(try serve(Self.journal + ["--journal-key", "none", "--drain-time", "0s"]).drain == .zero)
    }

    @Test func `the server's name, connections, key file and folder can be set`() throws {
        let options = try serve(
            Self.journal + [
                "--journal-key", "/keys", "--node", "a-1.b:2_c", "--journal-connections=64", "--state", "/s",
            ])
        let server = try opening(options)
        #expect(server.name == "a-1.b:2_c" && server.connections == 64 && server.keyFile == "/keys")
        #expect(try options.stateFolder { _ in nil }?.flightRecord == "/s/slots")
    }

    private static let mistakes: [([String], String)] = [
        (journal, "--journal-key FILE"), (["--journal", "fake://kim@host/other"], "this is no URI of it"),
        (["--journal", "postgres://u:hunter2@h/d"], "use usher-postgres"),
        (["--journal", "mysql://u:hunter2@h/d"], "fake://… or memory, not \"mysql\""),
        (["--journal", "memory", "--node", "a"], "--node is only for a journal in a database"),
        (["--state", "/s"], "--state is only for a journal in a database"),
        (["--journal", "fake://h/db", "--journal-key=none", "--node", "a b"], "up to 64 letters"),
        (["--journal", "fake://h/db", "--journal-key=none", "--node", ".."], "up to 64 letters"),
        (["--journal", "fake://h/db", "--journal-key=none", "--node="], "up to 64 letters"),
        (["--journal", "fake://h/db", "--journal-key=none", "--state="], "path of a folder"),
        (["--journal", "fake://h/db", "--journal-connections=0"], "from 1 to 64"),
    ]

    @Test(arguments: mistakes)
    func `invalid arguments are refused, and the message does not contain a password`(
        arguments: [String], words: String
    ) throws {
        let error = try #require(throws: UsageError.self) { try serve(arguments) }
        #expect(error.reason.contains(words), "\(error.reason)")
        #expect(!error.reason.contains("hunter2"))
    }

    @Test func `if there is no home directory, --state must be set`() throws {
        let options = try serve(Self.journal + ["--journal-key", "none"])
        let error = try #require(throws: UsageError.self) { try options.stateFolder { _ in nil } }
        #expect(error.reason.contains("--state DIR"))
    }

    @Test(arguments: ["check", "states", "replay", "export"])
    func `with the key file, a command can read an encrypted journal in a database`(command: String) async throws {
        let session = ["check", "states"].contains(command) ? [] : ["67c58cb8a5f32cac864b404e3aff6030"]
        for key in ["none", "/keys"] {
            let words = [command] + session + Self.journal + ["--journal-key", key]
            guard case .inspect(let inspecting) = try Command(words, engines: [Self.engine], environment: { _ in nil })
            else { throw UnexpectedCommand() }
            await #expect(throws: Inspected(keyFile: key == "none" ? nil : key)) {
                _ = try await inspecting.run(apps: []) { _ in }
            }
        }
    }

    @Test func `usher migrate creates the tables in the database`() throws {
        let words = ["migrate"] + Self.journal
        guard case .migrate(let migration) = try Command(words, engines: [Self.engine], environment: { _ in nil })
        else {
            throw UnexpectedCommand()
        }
        #expect(try migration.run() == "made")
    }

    @Test(arguments: [
        ["migrate"], ["migrate", "--journal", "memory"], ["migrate", "--journal", "fake://h/db", "now"],
    ])
    func `usher migrate refuses a journal that is not in a database`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Command(arguments, engines: [Self.engine]) { _ in nil } }
    }

    /// Returns the options that the database gets.
    private func opening(_ options: ServeOptions) throws -> SharingServer {
        do {
            _ = try options.journal.open(options.durability, as: options.server(lineage: 7))
        } catch let opened as Opened {
            return opened.server
        }
        throw UnexpectedCommand()
    }

    private func serve(_ arguments: [String]) throws -> ServeOptions {
        let command = try Command(["serve"] + arguments, engines: [Self.engine]) { $0 == "HOME" ? "/home/kim" : nil }
        guard case .serve(let options) = command else { throw UnexpectedCommand() }
        return options
    }

    private struct UnexpectedCommand: Error {}
}
