import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

@Suite("An encrypted journal", .blocking)
struct SealedJournalTests {
    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    /// Returns the error of a server with these keys; empty if there is none.
    private func refusal(_ keys: SealingKeys?) async throws -> String {
        do {
            try await database.open("usher", sealing: keys).close()
            return ""
        } catch let error as PostgresJournalError {
            return "\(error)"
        }
    }

    /// Writes texts wherever a secret may be.
    ///
    /// - Parameter texts: Returns the text for a place.
    private func write(to journal: PostgresJournal, _ texts: (String) -> String) async throws {
        var author = Author(1)
        guard case .create(_, let first, _) = author.create().action,
            case .append(let head, let second, _) = author.append("\"\(texts("creation"))\"").action
        else { return }
        let opening = KeyedAnswer(key: "k", fingerprint: 1, revision: 1, body: Array(texts("opening").utf8))
        await journal.keep(
            AuthoredChange(
                .create(head, entries: first + [second], opening: opening), of: author.key, at: author.tail))
        let secret = "\"\(texts("secret"))\""
        await journal.keep(author.append(secret, secret: 0..<secret.utf8.count, answerUnder: "a"))
        let answer = KeyedAnswer(key: "a", fingerprint: 1, revision: 3, body: Array(texts("answer").utf8))
        await journal.keep(AuthoredChange(.complete(answer), of: author.key, at: author.tail), author.erase(3))
        #expect(author.tail.failure == nil)
        let crash = GuiltyInput(
            .init(.replay, of: author.key, upon: 3, []), at: .init(app: "notes", screen: "list", event: "replay"),
            build: 1, time: 1, crash: texts("crash"))
        try await journal.add(crash)
        var over = Author(2)
        await journal.keep(over.create(), over.end(telling: texts("result")))
    }

    @Test(arguments: [false, true])
    func `the files of a database contain the sessions' contents only if the journal is not encrypted`(
        isSealed: Bool
    )
        async throws
    {
        let journal = try database.open("first", sealing: isSealed ? .repeating(1) : nil)
        let text = "\(database.name)-\(isSealed)-of-the"
        try await write(to: journal) { "\(text)-\($0)" }
        let record = try #require(try await journal.record(of: Author(1).key))
        #expect(record.entries.map(\.isErased) == [false, false, true])
        #expect(record.answers.map { String(decoding: $0.body, as: UTF8.self) } == ["\(text)-answer"])
        #expect(try await journal.opening(under: "k")?.answer.fingerprint == 1)
        #expect(try await journal.guiltyInputs().map(\.crash) == ["\(text)-crash"])
        let ending = try await journal.head(of: Author(2).key)?.header.ending
        #expect(ending?.details == Array("\(text)-result".utf8))
        let contents = ["creation", "opening", "secret", "answer", "crash", "result"].map { "\(text)-\($0)" }
        #expect(try database.cluster.textsInFiles(of: contents) == (isSealed ? [] : Set(contents)))
    }

    @Test(arguments: [false, true])
    func `starting over deletes the rows of the earlier history`(isSealed: Bool) async throws {
        let journal = try database.open("first", sealing: isSealed ? .repeating(1) : nil)
        var (author, other) = (Author(1), Author(2))
        await journal.keep(other.create(), other.append())
        await journal.keep(author.create(), author.append("\"secret\"", secret: 1..<7, answerUnder: "a"))
        await journal.keep(author.append(), author.startOver(answerUnder: "b"), author.append())
        #expect(author.tail.failure == nil)
        let rows = "SELECT revision FROM usher.entries WHERE session = '\(author.key.uuid)' ORDER BY revision"
        #expect(try database.run(rows) == "4\n5\n")
        #expect(try database.run("SELECT number FROM usher.answers ORDER BY number") == "1\n2\n")
        #expect(try database.run("SELECT count(*) FROM usher.entries") == "4\n", "another session keeps its own")
    }

    @Test func `rows that were swapped are reported as damage, and other sessions continue`() async throws {
        let journal = try database.open("first", sealing: .repeating(1))
        var authors = [Author(1), Author(2), Author(3)]
        for index in authors.indices {
            await journal.keep(
                authors[index].create(), authors[index].append(answerUnder: "a"),
                authors[index].append(answerUnder: "b"))
        }
        try database.run(
            """
            UPDATE usher.entries e SET content = o.content FROM usher.entries o
            WHERE e.session = o.session AND e.session = '\(authors[0].key.uuid)' AND e.revision + o.revision = 5;
            UPDATE usher.answers e SET content = o.content FROM usher.answers o
            WHERE e.session = o.session AND e.session = '\(authors[1].key.uuid)' AND e.number + o.number = 3
            """)
        for author in authors.prefix(2) {
            await #expect(throws: JournalError.corrupt(.checksum)) { try await journal.record(of: author.key) }
            #expect(try await journal.head(of: author.key)?.header.revision == 3)
        }
        #expect(try await journal.record(of: authors[2].key)?.entries.count == 3)
        #expect(try await journal.sessions(after: nil, limit: 10).count == 3)
    }

    @Test func `if a key is missing, only the sessions that are encrypted with that key cannot be read`() async throws {
        let first = try database.open("first", sealing: .repeating(1))
        let second = try database.open("second", sealing: .repeating(2, 1))
        var (old, new) = (Author(1), Author(2))
        await first.keep(old.create())
        await second.keep(new.create())
        #expect(try await first.record(of: old.key) != nil)
        #expect(try await second.record(of: old.key) != nil)
        #expect(try await second.record(of: new.key) != nil)
        await #expect(throws: JournalError.corrupt(.sealed("75877bb41d393b5f"))) {
            try await first.record(of: new.key)
        }
        #expect("\(JournalError.corrupt(.sealed("7587")))".contains("is sealed with the key 7587"))
    }

    @Test func `a server does not start without a key that existing rows need`() async throws {
        #expect(try await refusal(nil) == "")
        #expect(try await refusal(.repeating(1)) == "")
        #expect(try await refusal(nil).contains("sealed with the key 72cd6e8422c407fb; add the key to the file"))
        #expect(try await refusal(.repeating(2)).contains("sealed with the key 72cd6e8422c407fb"))
        #expect(try await refusal(.repeating(2, 1)) == "")
        #expect(try await refusal(.repeating(1)).contains("sealed with the key 75877bb41d393b5f"))
        try database.run("DELETE FROM usher.keys WHERE id = '72cd6e8422c407fb'")
        #expect(try await refusal(.repeating(2)) == "")
    }

    @Test func `a server that lacks a key starts if no row is encrypted with the key yet`() async throws {
        #expect(try await refusal(.repeating(1, 2)) == "")
        #expect(try await refusal(.repeating(1)) == "")
    }

    @Test func `a server with a key can read unencrypted sessions, and encrypts their new rows`() async throws {
        let before = try database.open("first")
        var author = Author(1)
        await before.keep(author.create(), author.append())
        await before.close()
        let journal = try database.open("first", sealing: .repeating(1))
        await journal.keep(author.append(answerUnder: "k"))
        #expect(try await journal.record(of: author.key)?.entries.count == 3)
        let first = try database.run("SELECT encode(substr(content, 1, 1), 'hex') FROM usher.entries ORDER BY revision")
        #expect(first == "01\n01\ne1\n")
    }
}
