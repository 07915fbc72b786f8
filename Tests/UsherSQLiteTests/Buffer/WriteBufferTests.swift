import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("The write buffer")
struct WriteBufferTests {
    private let folder: TemporaryFolder
    private let storage: SQLiteStorage

    init() throws {
        folder = try TemporaryFolder()
        storage = try SQLiteStorage(in: folder)
    }

    /// Returns the storage that a crash would leave now.
    private func left() throws -> SQLiteStorage {
        try folder.crash("journal.db", to: "left.db")
        return try SQLiteStorage(in: folder, "left.db")
    }

    @Test func `buffered entries are stored in a table with one row per commit, and are read like other entries`()
        throws
    {
        var first = Author(1)
        var second = Author(2)
        try storage.commit(first.create(), second.create())
        try storage.commit(first.append("\"a\""), second.append("\"b\""), first.append("\"c\""))
        #expect(try storage.count("recent") == 1)
        #expect(try storage.count("rows") == 4)
        for storage in [storage, try left()] {
            for author in [first, second] {
                #expect(try storage.record(of: author.key)?.head == author.head)
                #expect(try storage.header(of: author.key) == author.head)
            }
            let payloads = try storage.record(of: first.key)?.entries.map {
                String(decoding: $0.payload, as: UTF8.self)
            }
            #expect(payloads == ["{\"app\":\"notes\"}", "\"a\"", "\"c\""])
            #expect(try storage.sessions(matching: SessionQuery(limit: 9)).map(\.head) == [second, first].map(\.head))
        }
    }

    @Test func `a large change is written directly to rows, after the buffered entries`() throws {
        var author = Author(1)
        try storage.commit(author.create(), author.append(), author.append(answerUnder: "k"))
        #expect(storage.buffer.header(of: author.key) == nil)
        author.rest(until: 9)
        try storage.commit(author.append(), author.append("\"hush\"", secret: 0..<6))
        #expect(try storage.count("recent") == 1)
        #expect(try storage.due(by: 9, after: nil, limit: 1, for: 0).map(\.key) == [author.key])
        let record = try #require(try storage.record(of: author.key))
        #expect(record.entries.count == 5)
        #expect(record.head == author.head)
    }

    @Test(arguments: [false, true])
    func `entries that were flushed are read once, even if their rows in the buffer still exist`(deleting: Bool) throws
    {
        var authors = (UInt64(1)...5).map { Author($0) }
        for index in authors.indices { try storage.commit(authors[index].create()) }
        for _ in 0..<20 { for index in authors.indices { try storage.commit(authors[index].append()) } }
        let before = try authors.map { RecordContent(try storage.record(of: $0.key)) }
        try storage.flushAll(deleting: deleting)
        #expect(try (storage.count("recent") == 0) == deleting)
        // Several entries share a row.
        #expect(try storage.count("rows") < 40)
        let left = try left()
        #expect(left.buffer.sessions.values.allSatisfy { $0.header == nil })
        #expect(try authors.map { RecordContent(try storage.record(of: $0.key)) } == before)
        #expect(try authors.map { RecordContent(try left.record(of: $0.key)) } == before)
        try left.commit(authors[0].append())
        #expect(try left.record(of: authors[0].key)?.entries.count == 22)
    }

    @Test func `after a session has ended, none of its buffered entries reappears`() throws {
        var ended = Author(1)
        var purged = Author(2)
        try storage.commit(ended.create(), purged.create(), ended.append(), purged.append())
        try storage.commit(ended.end(at: 9), purged.end(at: 1))
        #expect(try storage.purge(endedBefore: 2, limit: 9) == 1)
        #expect(try storage.count("recent") == 1)
        let left = try left()
        #expect(try left.record(of: ended.key)?.head == ended.head)
        #expect(try left.record(of: purged.key) == nil)
        #expect(try left.count() == 0)
        // Its entries would follow those of another session with the same key.
        var early = Author(2)
        #expect(throws: JournalError.conflict) { try left.apply(early.create().next) }
        var again = Author(2)
        try left.flushAll()
        #expect(left.buffer.sessions.isEmpty)
        try left.commit(again.create())
        #expect(try left.record(of: again.key)?.entries.count == 1)
    }

    @Test func `secrets are never written to the buffer, and erased entries stay erased`() throws {
        var author = Author(1)
        try storage.commit(author.create(), author.append(), author.append("\"hush\"", secret: 0..<6), author.append())
        try storage.commit(author.erase(3))
        #expect(!(try storage.database.text("SELECT entries FROM recent").contains("hush")))
        let record = try #require(try left().record(of: author.key))
        #expect(record.entries.map(\.isErased) == [false, false, true, false])
    }

    @Test func `a transaction that is rolled back leaves nothing in the buffer`() throws {
        var first = Author(1)
        var second = Author(2)
        try storage.commit(first.create(), second.create(), first.append())
        let before = try [first, second].map { RecordContent(try storage.record(of: $0.key)) }
        var (lost, other) = (first.forked(), second.forked())
        try storage.begin()
        for change in [lost.append(), lost.append(answerUnder: "k"), lost.append(), other.append(), other.end()] {
            try storage.apply(change.next)
        }
        storage.rollBack()
        #expect(try [first, second].map { RecordContent(try storage.record(of: $0.key)) } == before)
        #expect(storage.buffer.active.size.entries == 1)
        try storage.commit(first.append(), second.append())
        #expect(try left().record(of: first.key)?.head == first.head)
        #expect(try left().record(of: second.key)?.head == second.head)
    }
}
