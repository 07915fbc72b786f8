import Programs
import Testing
import Usher
import UsherJournal

@testable import UsherServer
@testable import UsherSessions

@Suite("The key from which the tokens of sessions are derived")
struct SessionKeyTests {
    private let folder: TemporaryFolder
    private let session = SessionID("67c58cb8a5f32cac864b404e3aff6030")
    private let old = String(repeating: "1f", count: 32)
    private let new = String(repeating: "a0", count: 32)

    init() throws { folder = try TemporaryFolder() }

    /// Returns the token issuer of a server with a journal key file.
    private func issuer(_ file: String) throws -> TokenIssuer {
        let path = try folder.write(file, to: "keys", permissions: 0o600)
        let engine = JournalEngine(name: "Fake", schemes: ["fake"]) { _ in Database() }
        let words = ["serve", "--journal", "fake://h/db", "--journal-key", path]
        guard case .serve(var options) = try Command(words, engines: [engine], environment: { _ in nil }) else {
            throw UnexpectedCommand()
        }
        try options.findSessionKey(in: nil)
        return try #require(options.tokens)
    }

    @Test func `while the key is being rotated, each server accepts the tokens of the other servers`() throws {
        let id = try #require(session)
        let rotation = try ["\(old)\n", "# of May\n\(old)\n\(new)\n", "\(new)\r\n  \(old)"].map(issuer)
        for giver in rotation {
            let given = giver.derived(for: id)
            let access = SessionAccess(owner: given.hash)
            for other in rotation.dropFirst() {
                #expect(other.derived(for: id, opening: access)?.text == given.text)
            }
        }
        #expect(rotation[0].derived(for: id).text == rotation[1].derived(for: id).text)
        let last = rotation[2].derived(for: id)
        #expect(rotation[0].derived(for: id, opening: SessionAccess(owner: last.hash)) == nil)
    }

    @Test func `a token is accepted even if an earlier build derived it from the whole key file`() throws {
        let id = try #require(session)
        let before = TokenIssuer(key: Array("\(old)\n".utf8)).derived(for: id)
        let access = SessionAccess(owner: before.hash)
        #expect(try issuer("\(old)\n").derived(for: id, opening: access)?.text == before.text)
    }

    private struct UnexpectedCommand: Error {}

    private struct Database: JournalDatabase {
        let description = "fake:database"

        func open(as server: SharingServer) throws -> any Journal { throw UnexpectedCommand() }
        func inspect(keyFile: String?) throws -> any Journal { throw UnexpectedCommand() }
        func migrate() throws -> String { "" }
    }
}
