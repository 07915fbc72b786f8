import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("The write-ahead log")
struct LogTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a log that has grown is checkpointed and then written from its start again`() async throws {
        var settings = SQLiteSettings()
        settings.checkpointPages = 10
        let journal = try Subject(in: folder, .sync, settings)
        var author = Author(1)
        await journal.keep(author.create())
        // The log already contains the tables. A log that has grown is overwritten from its beginning, and keeps its
        // size.
        let begun = folder.bytes(of: "journal.db-wal").count
        for _ in 0..<200 { await journal.keep(author.append()) }
        // The log may have a page more or less, because the size of the last commit varies; each page has a header of
        // 24 bytes.
        #expect(folder.bytes(of: "journal.db-wal").count <= max(begun, 20 * 4_200))
        #expect(try await journal.record(of: author.key)?.entries.count == 201)
        await journal.close()
    }

    @Test func `the log is not checkpointed after every commit`() async throws {
        let journal = try Subject(in: folder)
        var author = Author(1)
        await journal.keep(author.create())
        let before = folder.bytes(of: "journal.db")
        for _ in 0..<20 { await journal.keep(author.append()) }
        #expect(folder.bytes(of: "journal.db") == before)
        await journal.close()
    }
}
