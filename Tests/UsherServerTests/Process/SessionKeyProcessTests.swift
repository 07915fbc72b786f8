import Foundation
import Glibc
import LocalhostClient
import Programs
import Testing
import UsherJSON

@Suite("Options for session keys and access", .blocking)
struct SessionKeyProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func serve(
        _ options: [String], environment: [String: String?] = [:], _ body: (LocalhostClient) throws -> Void = { _ in }
    ) throws -> ProgramEnd {
        let journal = "sqlite:\(folder("journal.sqlite"))"
        let program = try Program(
            usher: ["serve", "--port", "0", "--no-supervisor", "--journal", journal] + options, environment: environment
        )
        if let port = program.readPort() {
            try body(LocalhostClient(port: port))
            program.send(SIGTERM)
        }
        return program.finish()
    }

    private func open(_ client: LocalhostClient) throws -> JSONValue {
        let answer = try client.request(
            "POST", "/sessions", headers: [("Idempotency-Key", "k")], body: #"{"app":"hello-bye"}"#)
        #expect(answer.status == 201)
        return try JSONDocument(parsing: answer.body).root
    }

    @Test func `a repeated opening gets the same token after a restart, because a private file contains the key`()
        throws
    {
        var tokens: [String?] = []
        for _ in 0..<2 {
            let end = try serve(["--session-access", "token"]) { client throws in
                tokens.append(try open(client)[member: "token"]?.string)
            }
            #expect(end.status == 0 && !end.error.contains("--session-access"), "\(end.error)")
        }
        #expect(tokens[0] != nil && tokens[0] == tokens[1])
        let file = folder("journal.sqlite-session-key")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // With another secret, a repeated opening returns no token.
        try folder.write(Array(repeating: 7, count: 32), to: "other")
        _ = try serve(["--session-access", "token", "--session-key", folder("other")]) { client throws in
            #expect(try open(client)[member: "token"] == nil)
        }
    }

    @Test func `a session key that is missing or too short is refused with one line`() throws {
        try folder.write(Array(repeating: 7, count: 31), to: "short")
        let end = try serve(["--session-access", "token", "--session-key", folder("short")])
        #expect(end.status == 2 && end.error.contains("at least 32 bytes"), "\(end.error)")
        let missing = try serve(["--session-access", "token", "--session-key", folder("none")])
        #expect(missing.status == 1 && missing.error.contains("cannot read \(folder("none"))"), "\(missing.error)")
    }

    @Test(arguments: ["journal.sqlite", "journal.sqlite-session-key", "journal.sqlite-slots"])
    func `a server refuses a journal and other files that other users may read or write`(name: String) throws {
        #expect(try serve(["--session-access", "token"]).status == 0)
        for permissions in [0o644, 0o604, 0o602] {
            // A server that stops removes its flight record.
            if try !folder.names.contains(name) { try folder.write([], to: name) }
            try folder.permit(permissions, on: name)
            let end = try serve(["--session-access", "token"])
            #expect(end.status == 1)
            #expect(
                end.error.hasSuffix(
                    "usher: \(folder(name)) can be read or written by users other than its owner; prevent that with "
                        + "chmod 600 \(folder(name))\n"), "\(end.error)")
        }
        // Kubernetes gives the files of a volume to the pod's group.
        try folder.permit(0o660, on: name)
        #expect(try serve(["--session-access", "token"]).status == 0)
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root may give files away"),
        arguments: ["journal.sqlite", "journal.sqlite-session-key"])
    func `a server refuses a journal and a session key that belong to another user`(name: String) throws {
        #expect(try serve(["--session-access", "token"]).status == 0)
        try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: folder(name))
        let end = try serve(["--session-access", "token"])
        #expect(end.status == 1 && end.error.contains("\(folder(name)) belongs to another user"), "\(end.error)")
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644])
    func `a key file of --session-key that other users may read is refused`(permissions: Int) throws {
        let path = try folder.write(String(repeating: "k", count: 32), to: "key", permissions: permissions)
        let end = try serve(["--session-access", "token", "--session-key", path])
        #expect(end.status == 1)
        #expect(end.error.contains("\(path) can be read or written by users other than its owner"), "\(end.error)")
    }

    @Test func `with --session-access id, the server warns at its start that a session's id gives access`() throws {
        let end = try serve(["--session-access", "id"])
        #expect(
            end.status == 0 && end.error.contains("anyone who knows a session's id can use the session"), "\(end.error)"
        )
    }

    @Test func `a backend's key is read from a file or the environment, and must differ from the operator's token`()
        throws
    {
        try folder.write(Array("the-backend-of-tests\n".utf8), to: "key")
        let ways: [([String], [String: String?])] = [
            (["--backend-key-file", folder("key")], [:]), ([], ["USHER_BACKEND_KEY": "the-backend-of-tests"]),
        ]
        for (options, environment) in ways {
            let end = try serve(["--session-access", "token"] + options, environment: environment) { client throws in
                for (token, status) in [("the-backend-of-tests", 200), ("x", 403)] {
                    let headers = [("Authorization", "Bearer \(token)")]
                    #expect(try client.request("GET", "/sessions?subject=kim", headers: headers).status == status)
                }
            }
            #expect(end.status == 0 && !end.error.contains("the-backend-of-tests"), "\(end.error)")
        }
        let same = try serve(["--backend-key", LocalhostClient.operatorToken])
        #expect(same.status == 2 && same.error.contains("are the same"), "\(same.error)")
    }
}
