import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A journal is looked at")
struct InspectingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a file that is missing is not made`() throws {
        #expect(refusal(in: folder, for: .inspecting) == .missing(path: folder("journal.db")))
        #expect(try folder.names.isEmpty)
    }

    @Test func `an empty file is no journal, and stays empty`() throws {
        try folder.write([], to: "journal.db")
        #expect(refusal(in: folder, for: .inspecting) == .notAJournal(path: folder("journal.db")))
        #expect(folder.bytes(of: "journal.db").isEmpty)
    }

    @Test func `what a crash has left is read, and not changed`() async throws {
        var author = Author(1)
        let journal = try Subject(in: folder)
        await journal.keep(author.create(), author.append())
        try folder.crash("journal.db", to: "left.db")
        let left = (folder.bytes(of: "left.db"), folder.bytes(of: "left.db-wal"))
        #expect(!left.1.isEmpty)
        let inspected = try Subject(opening: "left.db", in: folder, for: .inspecting)
        #expect(try await inspected.record(of: author.key)?.entries.count == 2)
        await inspected.keep(author.end())
        #expect(author.tail.failure == BatchedJournal.unchangeable)
        await #expect(throws: BatchedJournal.unchangeable) { _ = try await inspected.purge(endedBefore: 9, limit: 1) }
        await inspected.close()
        #expect(folder.bytes(of: "left.db") == left.0)
        #expect(folder.bytes(of: "left.db-wal") == left.1)
        await journal.close()
    }
}
