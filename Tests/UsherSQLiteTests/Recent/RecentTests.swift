import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Recent entries")
struct RecentTests {
    private let folder: Folder
    private let store: Store

    init() throws {
        folder = try Folder()
        store = try Store(in: folder)
    }

    /// What a crash would leave now.
    private func left() throws -> Store {
        try folder.crash("journal.db", to: "left.db")
        return try Store(in: folder, "left.db")
    }

    @Test func `they stand in a table of their own, those of a commit in one row, and are read as all others`() throws {
        var first = Author(1)
        var second = Author(2)
        try store.commit(first.create(), second.create())
        try store.commit(first.append("\"a\""), second.append("\"b\""), first.append("\"c\""))
        #expect(try store.count("recent") == 1)
        #expect(try store.count("rows") == 4)
        for store in [store, try left()] {
            for author in [first, second] {
                #expect(try store.record(of: author.key)?.head == author.head)
                #expect(try store.head(of: author.key) == author.head)
            }
            let payloads = try store.record(of: first.key)?.entries.map { String(decoding: $0.payload, as: UTF8.self) }
            #expect(payloads == ["{\"app\":\"notes\"}", "\"a\"", "\"c\""])
            #expect(try store.sessions(after: nil, limit: 9).map(\.head) == [second, first].map(\.head))
        }
    }

    @Test func `what is more than an entry is kept in rows, behind those that were recent`() throws {
        var author = Author(1)
        try store.commit(author.create(), author.append(), author.append(answerUnder: "k"))
        #expect(store.recent.head(of: author.key) == nil)
        author.rest(until: 9)
        try store.commit(author.append(), author.append("\"hush\"", secret: 0..<6))
        #expect(try store.count("recent") == 1)
        #expect(try store.due(by: 9, limit: 1).map(\.key) == [author.key])
        let record = try #require(try store.record(of: author.key))
        #expect(record.entries.count == 5)
        #expect(record.head == author.head)
    }

    @Test(arguments: [false, true])
    func `filed, in full or with their rows still there, they are read once`(deleting: Bool) throws {
        var authors = (UInt64(1)...5).map { Author($0) }
        for index in authors.indices { try store.commit(authors[index].create()) }
        for _ in 0..<20 { for index in authors.indices { try store.commit(authors[index].append()) } }
        let before = try authors.map { Snapshot(try store.record(of: $0.key)) }
        try store.fileRecent(deleting: deleting)
        #expect(try (store.count("recent") == 0) == deleting)
        // Several entries share a row.
        #expect(try store.count("rows") < 40)
        let left = try left()
        #expect(left.recent.sessions.values.allSatisfy { $0.head == nil })
        #expect(try authors.map { Snapshot(try store.record(of: $0.key)) } == before)
        #expect(try authors.map { Snapshot(try left.record(of: $0.key)) } == before)
        try left.commit(authors[0].append())
        #expect(try left.record(of: authors[0].key)?.entries.count == 22)
    }

    @Test func `of a session that has ended none comes back`() throws {
        var ended = Author(1)
        var purged = Author(2)
        try store.commit(ended.create(), purged.create(), ended.append(), purged.append())
        try store.commit(ended.end(at: 9), purged.end(at: 1))
        #expect(try store.transaction { () throws(JournalError) in try store.purge(endedBefore: 2, limit: 9) } == 1)
        #expect(try store.count("recent") == 1)
        let left = try left()
        #expect(try left.record(of: ended.key)?.head == ended.head)
        #expect(try left.record(of: purged.key) == nil)
        #expect(try left.count() == 0)
        // Its entries would follow on those of another session with its key.
        var early = Author(2)
        #expect(throws: JournalError.conflict) { try left.apply(early.create()) }
        var again = Author(2)
        try left.fileRecent()
        #expect(left.recent.sessions.isEmpty)
        try left.commit(again.create())
        #expect(try left.record(of: again.key)?.entries.count == 1)
    }

    @Test func `secrets are never among them, and what is erased stays so`() throws {
        var author = Author(1)
        try store.commit(author.create(), author.append(), author.append("\"hush\"", secret: 0..<6), author.append())
        try store.commit(author.erase(3))
        #expect(!(try store.connection.text("SELECT entries FROM recent").contains("hush")))
        let record = try #require(try left().record(of: author.key))
        #expect(record.entries.map(\.isErased) == [false, false, true, false])
    }

    @Test func `a transaction that is taken back leaves no trace`() throws {
        var first = Author(1)
        var second = Author(2)
        try store.commit(first.create(), second.create(), first.append())
        let before = try [first, second].map { Snapshot(try store.record(of: $0.key)) }
        var (lost, other) = (first.forked(), second.forked())
        try store.begin()
        for change in [lost.append(), lost.append(answerUnder: "k"), lost.append(), other.append(), other.end()] {
            try store.apply(change)
        }
        store.rollBack()
        #expect(try [first, second].map { Snapshot(try store.record(of: $0.key)) } == before)
        #expect(store.recent.young.size.entries == 1)
        try store.commit(first.append(), second.append())
        #expect(try left().record(of: first.key)?.head == first.head)
        #expect(try left().record(of: second.key)?.head == second.head)
    }
}
