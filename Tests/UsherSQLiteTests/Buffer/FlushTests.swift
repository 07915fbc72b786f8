import JournalSubject
import Programs
import SeededRandom
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Flushing the write buffer")
struct FlushTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var small: SQLiteSettings {
        var settings = SQLiteSettings()
        settings.buffer.entries = 100
        settings.flushPatience = .max / 2
        return settings
    }

    @Test func `each commit also flushes a small part of the buffer`() async throws {
        let journal = try Subject(in: folder, .sync, small)
        var authors = (UInt64(1)...40).map { Author($0) }
        for index in authors.indices { await journal.keep(authors[index].create()) }
        var random = SplitMix64(seed: 1)
        for _ in 0..<400 {
            for _ in 0..<4 { journal.submit(authors[Int(random.next() % 40)].append()) }
            let unflushed = try await journal.buffer { $0.sessions.values.reduce(0) { $0 + $1.entries.count } }
            #expect(unflushed ?? .max < 200)
            let rows = try await journal.buffer { $0.active.rows.count + ($0.sealed?.rows.count ?? 0) }
            #expect(rows ?? .max <= 220)
        }
        #expect(try await journal.buffer(\.active.number) ?? 0 > 10)
        for author in authors { #expect(try await journal.record(of: author.key)?.head == author.head) }
        await journal.close()
    }

    @Test func `flushing keeps up with large entries while many small entries wait in the sealed segment`() async throws
    {
        var settings = small
        settings.buffer.entries = 300
        settings.buffer.bytes = 60_000
        let journal = try Subject(in: folder, .sync, settings)
        var authors = (UInt64(1)...30).map { Author($0) }
        for index in authors.indices { await journal.keep(authors[index].create()) }
        while try await journal.buffer({ $0.sealed == nil }) == true {
            for index in authors.indices { await journal.keep(authors[index].append()) }
        }
        var most = 0
        for index in 0..<60 {
            await journal.keep(authors[index % 30].append("\"\(String(repeating: "x", count: 3_000))\""))
            most = max(most, try await journal.buffer(\.active.size.bytes) ?? .max)
        }
        #expect(most < 120_000)
        await journal.close()
    }

    @Test func `the buffer is flushed while the journal is idle`() async throws {
        var settings = SQLiteSettings()
        settings.flushPatience = 0
        let journal = try Subject(in: folder, .sync, settings)
        var author = Author(1)
        await journal.keep(author.create(), author.append(), author.append())
        while try await journal.buffer(\.isEmpty) == false { await Task.yield() }
        #expect(try await journal.buffer(\.sessions.isEmpty) == true)
        #expect(try await journal.record(of: author.key)?.entries.count == 3)
        try folder.crash("journal.db", to: "left.db")
        #expect(try SQLiteStorage(in: folder, "left.db").count("recent") == 0)
        await journal.close()
    }

    @Test func `closing the journal flushes the whole buffer`() async throws {
        let journal = try Subject(in: folder, .sync, small)
        var author = Author(1)
        await journal.keep(author.create())
        for _ in 0..<150 { await journal.keep(author.append()) }
        #expect(try await journal.buffer(\.isEmpty) == false)
        await journal.close()
        let storage = try SQLiteStorage(in: folder)
        #expect(try storage.count("recent") == 0)
        #expect(try storage.record(of: author.key)?.entries.count == 151)
    }

    @Test func `flushing a session's entries frees their memory in all segments`() throws {
        let storage = try SQLiteStorage(in: folder, "journal.db", WriteBufferLimits(entries: 20))
        var authors = (UInt64(1)...20).map { Author($0) }
        for index in authors.indices { try storage.commit(authors[index].create()) }
        // The first segment is full. Before it is flushed, each session gets another entry in the second segment.
        for _ in 0..<2 { for index in authors.indices { try storage.commit(authors[index].append()) } }
        try storage.flushAll()
        try storage.flushAll()
        #expect(storage.buffer.isEmpty)
        #expect(storage.buffer.sessions.isEmpty)
        for author in authors { #expect(try storage.record(of: author.key)?.head == author.head) }
    }

    @Test func `sessions are flushed in the order of their keys, so that a shared page is written once`() throws {
        let storage = try SQLiteStorage(in: folder, "journal.db", WriteBufferLimits(entries: 20))
        // The order of the keys differs from that of the numbers.
        var authors = (UInt64(1)...20).map { Author($0) }
        for index in authors.indices { try storage.commit(authors[index].create()) }
        try storage.transaction { () throws(JournalError) in
            for index in authors.indices { try storage.apply(authors[index].append().next) }
        }
        let keys = authors.map(\.key)
        #expect(keys != keys.sorted())
        #expect(storage.buffer.sealed?.sessions == keys.sorted())
    }

    @Test func `if a flush cannot begin a transaction, the flushes before it remain in effect`() throws {
        let storage = try SQLiteStorage(in: folder, "journal.db", WriteBufferLimits(entries: 20))
        var authors = (UInt64(1)...20).map { Author($0) }
        for index in authors.indices { try storage.commit(authors[index].create()) }
        for index in authors.indices { try storage.commit(authors[index].append()) }
        try storage.transaction { () throws(JournalError) in _ = try storage.flushSome(5) }
        let changes = authors.indices.prefix(10).map { authors[$0].append() }
        try storage.transaction { () throws(JournalError) in
            for change in changes { try storage.apply(change.next) }
            _ = try storage.flushSome(1_000)
        }
        #expect(storage.buffer.sealed == nil)
        storage.buffer.seal()
        // A nested transaction fails.
        try storage.database.execute("BEGIN")
        #expect(throws: JournalError.self) { try storage.transaction { () throws(JournalError) in } }
        #expect(storage.buffer.sealed?.progress.sessions == 0)
        storage.database.rollBack()
        try storage.flushAll()
        let reopened = try left()
        for author in authors { #expect(try reopened.record(of: author.key)?.head == author.head) }
    }

    /// Returns the storage that a crash would leave now.
    private func left() throws -> SQLiteStorage {
        try folder.crash("journal.db", to: "left.db")
        return try SQLiteStorage(in: folder, "left.db")
    }

    @Test func `a large entry is not buffered but written to its own row`() throws {
        let storage = try SQLiteStorage(in: folder)
        var author = Author(1)
        try storage.commit(author.create(), author.append("\"\(String(repeating: "x", count: 5_000))\""))
        #expect(try storage.count("recent") == 0)
        #expect(try storage.record(of: author.key)?.entries.count == 2)
    }

    @Test(arguments: ["ASC", "DESC"])
    func `a session that cannot be flushed stays buffered and does not block other sessions`(order: String)
        async throws
    {
        var authors = (UInt64(1)...3).map { Author($0) }
        do {
            let storage = try SQLiteStorage(in: folder)
            for index in authors.indices { try storage.commit(authors[index].create()) }
            // The place of its next entry already has a row.
            try storage.database.execute(
                "INSERT INTO rows SELECT session, 2, x'01' FROM rows WHERE slot = 1 ORDER BY session \(order) LIMIT 1")
        }
        let keys = authors.map(\.key).sorted()
        let damaged = order == "ASC" ? keys.first : keys.last
        var settings = small
        settings.buffer.entries = 3
        for _ in 0..<2 {
            let journal = try Subject(in: folder, .sync, settings)
            for _ in 0..<20 {
                for index in authors.indices { await journal.keep(authors[index].append()) }
            }
            for author in authors where author.key != damaged {
                #expect(try await journal.record(of: author.key)?.head == author.head)
            }
            #expect(try await journal.buffer(\.sessions.count) ?? 9 <= 3)
            await #expect(throws: JournalError.self) { _ = try await journal.record(of: damaged ?? authors[0].key) }
            await journal.close()
        }
        #expect(authors.filter { $0.tail.isBroken }.map(\.key) == [damaged])
    }
}
