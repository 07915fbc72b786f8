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

    @Test func `the log is checkpointed as it grows, and restarts`() async throws {
        var settings = SQLiteSettings()
        settings.checkpointPages = 10
        let journal = try Subject(in: folder, .sync, settings)
        var author = Author(1)
        await journal.keep(author.create())
        // The tables came with it; a file that has grown is written over from its beginning, and stays as large.
        let begun = folder.bytes(of: "journal.db-wal").count
        for _ in 0..<200 { await journal.keep(author.append()) }
        // A page more or less, as the last commit was large or small; and a page has 24 bytes of its own in the log.
        #expect(folder.bytes(of: "journal.db-wal").count <= max(begun, 20 * 4_200))
        #expect(try await journal.record(of: author.key)?.entries.count == 201)
        await journal.close()
    }

    @Test func `the log is not checkpointed in each commit`() async throws {
        let journal = try Subject(in: folder)
        var author = Author(1)
        await journal.keep(author.create())
        let before = folder.bytes(of: "journal.db")
        for _ in 0..<20 { await journal.keep(author.append()) }
        #expect(folder.bytes(of: "journal.db") == before)
        await journal.close()
    }
}
