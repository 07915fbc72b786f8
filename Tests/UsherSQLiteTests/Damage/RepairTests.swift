import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A damaged session")
struct RepairTests {
    private let folder: TemporaryFolder
    private let storage: SQLiteStorage
    private let author: Author

    init() throws {
        folder = try TemporaryFolder()
        storage = try SQLiteStorage(in: folder, "journal.db")
        var author = Author(1)
        try storage.commit(author.create(), author.append(answerUnder: "k"))
        self.author = author
    }

    @Test(arguments: [
        "DELETE FROM rows WHERE slot = 0", "DELETE FROM rows", "DELETE FROM sessions",
        "DELETE FROM rows WHERE slot = 1",
        "DELETE FROM rows WHERE slot = -1", "UPDATE rows SET slot = 7 WHERE slot = 2",
        "UPDATE rows SET slot = -7 WHERE slot = -1", "UPDATE rows SET content = x'01' WHERE slot = 2",
        "UPDATE rows SET content = x'' WHERE slot = 0", "UPDATE rows SET content = 'text' WHERE slot = -1",
        "UPDATE rows SET content = zeroblob(2000) WHERE slot = 1",
    ])
    func `missing or changed rows are reported as damage, and not read as another record`(sql: String) throws {
        try storage.database.execute(sql)
        #expect(isCorrupt { _ = try storage.record(of: author.key) })
    }

    @Test(arguments: ["DELETE FROM rows WHERE slot = -1", "UPDATE rows SET slot = -2 WHERE slot = -1"])
    func `a missing stored answer is reported as damage`(sql: String) throws {
        try storage.database.execute(sql)
        #expect(isCorrupt { _ = try storage.answer(under: "k", of: author.key) })
    }

    @Test(arguments: ["UPDATE rows SET content = x'01' WHERE slot = 0", "DELETE FROM rows WHERE slot = 0"])
    func `a damaged session can be ended and purged`(sql: String) throws {
        try storage.database.execute(sql)
        var author = author
        try storage.commit(author.end(at: 5))
        #expect(try storage.record(of: author.key)?.head.ending?.time == 5)
        #expect(try storage.count() == 0)
        #expect(try storage.purge(endedBefore: 6, limit: 1) == 1)
        #expect(try storage.record(of: author.key) == nil)
    }

    @Test func `a session with a damaged header is listed without the header`() throws {
        try storage.database.execute("UPDATE rows SET content = x'01' WHERE slot = 0")
        let listed = try storage.sessions(matching: SessionQuery(limit: 10))
        #expect(listed.map(\.key) == [author.key])
        #expect(listed[0].head == nil)
    }

    @Test func `a live session is not purged, even if the table of sessions says that it has ended`() throws {
        try storage.database.execute("UPDATE sessions SET ended = 1")
        #expect(try storage.purge(endedBefore: 6, limit: 1) == 0)
        #expect(try storage.record(of: author.key)?.entries.count == 2)
        #expect(try storage.count() == 1)
    }

    @Test func `a purge uses the time in the session's record, not the time in the table of sessions`() throws {
        var author = author
        try storage.commit(author.end(at: 9))
        try storage.database.execute("UPDATE sessions SET ended = 1")
        #expect(try storage.purge(endedBefore: 6, limit: 1) == 0)
        #expect(try storage.purge(endedBefore: 10, limit: 1) == 1)
    }

    private func isCorrupt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            guard case .corrupt = error as? JournalError else { return false }
            return true
        }
    }
}
