import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Restarts and crashes of a journal")
struct CrashTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `acknowledged changes survive a crash`() async throws {
        var authors = (UInt64(1)...20).map { Author($0) }
        let journal = try Subject(in: folder)
        for index in authors.indices { await journal.keep(authors[index].create()) }
        for index in authors.indices { await journal.keep(authors[index].append(answerUnder: "k")) }
        try folder.crash("journal.db", to: "left.db")
        let left = try Subject(opening: "left.db", in: folder)
        for author in authors {
            #expect(try await left.record(of: author.key) == journal.record(of: author.key))
        }
        #expect(try await left.count() == 20)
        await left.close()
        await journal.close()
    }

    @Test func `with relaxed durability, changes are written to disk before a read returns them`() async throws {
        var author = Author(1)
        let journal = try Subject(in: folder, .relaxed)
        journal.submit(author.create())
        _ = try await journal.head(of: author.key)
        try folder.crash("journal.db", to: "left.db")
        let left = try Subject(opening: "left.db", in: folder)
        #expect(try await left.head(of: author.key) == author.head)
        await left.close()
        await journal.close()
    }

    @Test(arguments: Durability.allCases)
    func `closing a journal commits all submitted changes, and closing it again does nothing`(durability: Durability)
        async throws
    {
        var author = Author(1)
        let journal = try Subject(in: folder, durability)
        journal.submit(author.create())
        async let first: Void = journal.close()
        async let second: Void = journal.close()
        _ = await (first, second)
        await journal.keep(author.append())
        #expect(author.tail.failure == JournalError.closed)
        await #expect(throws: JournalError.closed) { _ = try await journal.count() }
        let again = try Subject(in: folder)
        #expect(try await again.record(of: author.key)?.entries.count == 1)
        await again.close()
    }

    @Test func `each run of a journal with relaxed durability has its own epoch`() async throws {
        let sync = try Subject(in: folder)
        #expect(sync.journal.epoch == nil)
        await sync.close()
        for time in [Int64(1_795_181_309_042), 1_795_181_309_043] {
            let relaxed = try Subject(in: folder, .relaxed, now: { time })
            #expect(relaxed.journal.epoch == String(time, radix: 36))
            await relaxed.close()
        }
    }

    @Test func `a journal closes its file when it is released`() async throws {
        let closing = try SQLiteJournal.open(folder("journal.db"), durability: .sync, now: { 0 }).closing
        await closing.wait()
        #expect(refusal(in: folder) == nil)
    }
}
