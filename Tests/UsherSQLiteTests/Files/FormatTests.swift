import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A journal of the first format")
struct FormatTests {
    private let folder: TemporaryFolder
    private let author: Author

    init() async throws {
        folder = try TemporaryFolder()
        let journal = try Subject(in: folder)
        var author = Author(1)
        await journal.keep(author.create(), author.append(answerUnder: "k"))
        await journal.close()
        self.author = author
        try Database(opening: folder("journal.db")).makeFirstFormat()
    }

    @Test func `it becomes one of this format when it is served`() async throws {
        var author = author
        let journal = try Subject(in: folder)
        await journal.keep(author.append())
        #expect(try await journal.record(of: author.key)?.head == author.head)
        await journal.close()
        let connection = try Database(opening: folder("journal.db"))
        #expect(try connection.integer("PRAGMA user_version") == 4)
        #expect(try connection.integer("SELECT count(*) FROM recent") == 0)
        connection.close()
        let again = try Subject(in: folder)
        #expect(try await again.record(of: author.key)?.head == author.head)
        await again.close()
    }

    @Test func `it is looked at as it is`() async throws {
        let before = folder.bytes(of: "journal.db")
        let journal = try Subject(in: folder, for: .inspecting)
        #expect(try await journal.record(of: author.key)?.head == author.head)
        await journal.close()
        #expect(folder.bytes(of: "journal.db") == before)
    }

    @Test func `what only a later format has makes it another file`() throws {
        try Database(opening: folder("journal.db")).execute("CREATE TABLE recent(position INTEGER PRIMARY KEY)")
        guard case .corrupt = refusal(in: folder) else {
            Issue.record("it was opened, or refused for another reason")
            return
        }
    }
}
