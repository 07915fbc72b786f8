import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Recent entries are filed")
struct FilingTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private var small: Hooks {
        var hooks = Hooks()
        hooks.recent.entries = 100
        hooks.filingPatience = .max / 2
        return hooks
    }

    @Test func `along with commits, so that few are there, and no commit does much`() async throws {
        let journal = try Subject(in: folder, .sync, small)
        var authors = (UInt64(1)...40).map { Author($0) }
        for index in authors.indices { await journal.keep(authors[index].create()) }
        var random = Lottery(state: 1)
        for _ in 0..<400 {
            for _ in 0..<4 { journal.submit(authors[Int(random.next() % 40)].append()) }
            let recent = try #require(try await journal.recent())
            let unfiled = recent.sessions.values.reduce(0) { $0 + $1.entries.count }
            #expect(unfiled < 200)
            #expect(recent.young.rows.count + (recent.old?.rows.count ?? 0) <= 220)
        }
        #expect(try await journal.recent()?.young.number ?? 0 > 10)
        for author in authors { #expect(try await journal.record(of: author.key)?.head == author.head) }
        await journal.close()
    }

    @Test func `once there is nothing else to do`() async throws {
        var hooks = Hooks()
        hooks.filingPatience = 0
        let journal = try Subject(in: folder, .sync, hooks)
        var author = Author(1)
        await journal.keep(author.create(), author.append(), author.append())
        while try await journal.recent()?.isEmpty == false { await Task.yield() }
        #expect(try await journal.recent()?.sessions.isEmpty == true)
        #expect(try await journal.record(of: author.key)?.entries.count == 3)
        try folder.crash("journal.db", to: "left.db")
        #expect(try Store(in: folder, "left.db").count("recent") == 0)
        await journal.close()
    }

    @Test func `at the close`() async throws {
        let journal = try Subject(in: folder, .sync, small)
        var author = Author(1)
        await journal.keep(author.create())
        for _ in 0..<150 { await journal.keep(author.append()) }
        #expect(try await journal.recent()?.isEmpty == false)
        await journal.close()
        let store = try Store(in: folder)
        #expect(try store.count("recent") == 0)
        #expect(try store.record(of: author.key)?.entries.count == 151)
    }

    @Test func `and nothing of them stays in memory, whichever generation a session's entries are in`() throws {
        let store = try Store(in: folder, "journal.db", RecentLimits(entries: 20))
        var authors = (UInt64(1)...20).map { Author($0) }
        for index in authors.indices { try store.commit(authors[index].create()) }
        // The first generation is full; each session gets another entry before it is filed, in the second.
        for _ in 0..<2 { for index in authors.indices { try store.commit(authors[index].append()) } }
        try store.fileRecent()
        try store.fileRecent()
        #expect(store.recent.isEmpty)
        #expect(store.recent.sessions.isEmpty)
        for author in authors { #expect(try store.record(of: author.key)?.head == author.head) }
    }

    @Test func `and a transaction that cannot even begin takes nothing back of the ones before`() throws {
        let store = try Store(in: folder, "journal.db", RecentLimits(entries: 20))
        var authors = (UInt64(1)...20).map { Author($0) }
        for index in authors.indices { try store.commit(authors[index].create()) }
        for index in authors.indices { try store.commit(authors[index].append()) }
        try store.transaction { () throws(JournalError) in _ = try store.fileSome(5) }
        let changes = authors.indices.prefix(10).map { authors[$0].append() }
        try store.transaction { () throws(JournalError) in
            for change in changes { try store.apply(change) }
            _ = try store.fileSome(1_000)
        }
        #expect(store.recent.old == nil)
        store.recent.turn()
        // One within another is refused.
        try store.connection.execute("BEGIN")
        #expect(throws: JournalError.self) { try store.transaction { () throws(JournalError) in } }
        #expect(store.recent.old?.progress.sessions == 0)
        store.connection.rollBack()
        try store.fileRecent()
        let reopened = try left()
        for author in authors { #expect(try reopened.record(of: author.key)?.head == author.head) }
    }

    /// What a crash would leave now.
    private func left() throws -> Store {
        try folder.crash("journal.db", to: "left.db")
        return try Store(in: folder, "left.db")
    }

    @Test func `what is large goes to its place at once`() throws {
        let store = try Store(in: folder)
        var author = Author(1)
        try store.commit(author.create(), author.append("\"\(String(repeating: "x", count: 5_000))\""))
        #expect(try store.count("recent") == 0)
        #expect(try store.record(of: author.key)?.entries.count == 2)
    }

    @Test func `one that cannot be filed keeps no other from it, and stays`() async throws {
        var authors = (UInt64(1)...3).map { Author($0) }
        do {
            let store = try Store(in: folder)
            for index in authors.indices { try store.commit(authors[index].create()) }
            // Where its next entry goes there is something already.
            try store.connection.execute("INSERT INTO rows SELECT session, 2, x'01' FROM rows WHERE slot = 1 LIMIT 1")
        }
        let damaged = authors.min { $0.key < $1.key }?.key
        var hooks = small
        hooks.recent.entries = 3
        for _ in 0..<2 {
            let journal = try Subject(in: folder, .sync, hooks)
            for _ in 0..<20 {
                for index in authors.indices { await journal.keep(authors[index].append()) }
            }
            for author in authors where author.key != damaged {
                #expect(try await journal.record(of: author.key)?.head == author.head)
            }
            #expect(try await journal.recent()?.sessions.count ?? 9 <= 3)
            await #expect(throws: JournalError.self) { _ = try await journal.record(of: damaged ?? authors[0].key) }
            await journal.close()
        }
        #expect(authors.filter { $0.tail.isBroken }.map(\.key) == [damaged])
    }
}
