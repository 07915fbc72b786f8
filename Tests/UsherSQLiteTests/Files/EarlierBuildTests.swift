import Foundation
import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

/// `Fixtures/format2.journal` is a backup that an earlier build has made, on pages of 512 bytes: with entries in `rows`,
/// alone and several in a row, and in the write buffer; with answers, openings, erased and unerased secrets, a session
/// that has ended, one that wakes up, and one that was only touched.
@Suite("A file that an earlier build wrote")
struct EarlierBuildTests {
    private let folder: TemporaryFolder
    /// What was submitted to the earlier build's journal, in memory.
    private let memory = MemoryJournal()
    private var authors = (UInt64(1)...4).map { Author($0) }

    init() throws {
        folder = try TemporaryFolder()
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Fixtures/format2.journal")
        try folder.write(Array(Data(contentsOf: fixture)), to: "journal.db")
        for index in authors.indices {
            submit(authors[index].create(opening: opening(index).answer))
        }
        for index in authors.indices { submit(authors[index].append(answerUnder: "k\(index)")) }
        for _ in 0..<6 { for index in 0..<2 { submit(authors[index].append()) } }
        for _ in 0..<2 { submit(authors[1].append("\"hush\"", secret: 0..<6)) }
        submit(authors[1].erase(9))
        authors[0].rest(until: 7_000)
        submit(authors[0].append())
        submit(authors[2].append())
        submit(authors[2].end(answerUnder: "end"))
        submit(authors[3].touch(9_000))
        submit(authors[3].append())
        submit(authors[0].append())
        submit(authors[3].append())
    }

    private func submit(_ change: JournalChange) { _ = memory.submit(change) }

    private func opening(_ index: Int) -> KeyedOpening {
        KeyedOpening(
            session: authors[index].key,
            answer: KeyedAnswer(key: "o\(index)", fingerprint: 1, revision: 1, body: [1, 2]))
    }

    private func expectAll(in journal: Subject) async throws {
        for (index, author) in authors.enumerated() {
            #expect(!author.tail.isBroken)
            #expect(try await journal.record(of: author.key) == RecordContent(try memory.record(of: author.key)))
            #expect(try await journal.head(of: author.key) == author.head)
            #expect(try await journal.answer(under: "k\(index)", of: author.key)?.revision == 2)
            #expect(try await journal.opening(under: "o\(index)") == opening(index))
        }
        #expect(try await journal.count() == 3)
        #expect(try await journal.journal.due(by: 7_000, after: nil, limit: 9).map(\.key) == [authors[0].key])
        #expect(
            try await journal.idle(since: 8_999, limit: 9).map(\.key).sorted()
                == [authors[1], authors[0]].map(\.key).sorted())
    }

    @Test func `it is looked at as it is`() async throws {
        let before = folder.bytes(of: "journal.db")
        let journal = try Subject(in: folder, for: .inspecting)
        try await expectAll(in: journal)
        await journal.close()
        #expect(folder.bytes(of: "journal.db") == before)
    }

    @Test func `it is served, goes on, and is read again`() async throws {
        var author = authors[3]
        let journal = try Subject(in: folder)
        try await expectAll(in: journal)
        await journal.keep(author.append())
        #expect(!author.tail.isBroken)
        await journal.close()
        let again = try Subject(in: folder)
        #expect(try await again.head(of: author.key) == author.head)
        #expect(try await again.record(of: authors[0].key) == RecordContent(try memory.record(of: authors[0].key)))
        await again.close()
    }

    @Test func `its format is the second`() throws {
        let database = try Database(opening: folder("journal.db"))
        #expect(try database.integer("PRAGMA user_version") == 2)
        #expect(try database.integer("SELECT count(*) FROM recent") > 0)
        database.close()
    }
}
