import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("A damaged write buffer")
struct BufferDamageTests {
    private let folder: TemporaryFolder
    private let authors: [Author]

    init() throws {
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let storage = try SQLiteStorage(in: folder)
        var authors = (UInt64(1)...3).map { Author($0) }
        for index in authors.indices { try storage.commit(authors[index].create()) }
        try storage.commit(authors[0].append(), authors[1].append(), authors[0].append())
        try storage.commit(authors[2].append(), authors[1].append())
        self.authors = authors
        storage.database.checkpoint(truncating: true)
        storage.database.close()
    }

    /// Opens the journal after a statement was run on its file.
    private func opened(after sql: String) throws -> SQLiteStorage {
        try folder.write(folder.bytes(of: "journal.db"), to: "changed.db")
        try folder.write(folder.bytes(of: "journal.db-wal"), to: "changed.db-wal")
        try Database(opening: folder("changed.db")).execute(sql)
        return try SQLiteStorage(in: folder, "changed.db")
    }

    private func isIntact(_ author: Author, in storage: SQLiteStorage) -> Bool {
        guard let record = try? storage.record(of: author.key) else { return false }
        #expect(record.head == author.head)
        return record.entries.count == author.head.revision
    }

    @Test func `a changed byte of a buffered entry permanently damages the entry's session, and no other session`()
        throws
    {
        let size = try opened(after: "").database.integer("SELECT length(entries) FROM recent WHERE position = 1")
        for byte in 1...size {
            let storage = try opened(after: Self.flip("entries", byte))
            let intact = authors.map { isIntact($0, in: storage) }
            #expect(intact == [byte > size / 3 && byte <= 2 * size / 3, byte <= size / 3 || byte > 2 * size / 3, true])
            try storage.flushAll()
            #expect(authors.map { isIntact($0, in: storage) } == intact)
            #expect(try storage.count("recent") == 0)
        }
    }

    @Test(arguments: ["sessions", "copy"])
    func `buffered entries name their sessions twice, and a changed byte in one copy damages nothing`(column: String)
        throws
    {
        let size = try opened(after: "").database.integer("SELECT length(copy) FROM recent WHERE position = 2")
        for byte in 1...size {
            let storage = try opened(after: Self.flip(column, byte, position: 2))
            #expect(authors.allSatisfy { isIntact($0, in: storage) })
        }
    }

    @Test(arguments: [
        "UPDATE recent SET sessions = x'', copy = x''", "UPDATE recent SET sessions = entries, copy = x'01'",
        "UPDATE recent SET position = 9 WHERE position = 2", "UPDATE recent SET entries = x'' WHERE position = 1",
    ])
    func `a journal is refused if the sessions of buffered entries cannot be read`(sql: String) throws {
        #expect(throws: SQLiteJournalError.self) { _ = try opened(after: sql) }
    }

    private static func flip(_ column: String, _ byte: Int64, position: Int = 1) -> String {
        """
        UPDATE recent SET \(column) = CAST(substr(\(column), 1, \(byte - 1)) || \
        CASE WHEN substr(\(column), \(byte), 1) = x'55' THEN x'54' ELSE x'55' END || substr(\(column), \(byte + 1)) \
        AS BLOB) WHERE position = \(position)
        """
    }
}
