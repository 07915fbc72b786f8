import JournalSubject
import Programs
import SeededRandom
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Erased data on the disk")
struct ErasureTests {
    private let folder: TemporaryFolder
    private let secret = "\"correct horse battery staple\""

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a closed journal contains no byte of erased secrets, ended entries and purged sessions`() async throws {
        let journal = try Subject(in: folder)
        var erased = Author(1)
        var ended = Author(2)
        var purged = Author(3)
        let opening = KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: Array(secret.utf8))
        await journal.keep(erased.create(), append(&erased))
        await journal.keep(ended.create(), append(&ended), purged.create(opening: opening), append(&purged))
        await journal.keep(erased.erase(2), ended.end(), purged.end(at: 1))
        #expect(try await journal.purge(endedBefore: 2, limit: 9) == 1)
        await journal.close()
        #expect(!isFound(in: "journal.db"))
        #expect(try folder.names == ["journal.db"])
    }

    @Test func `soon after something is erased, the log of an open journal is emptied`() async throws {
        var settings = SQLiteSettings()
        settings.residuePatience = 0
        let journal = try Subject(in: folder, .sync, settings)
        var author = Author(1)
        await journal.keep(author.create(), append(&author))
        #expect(isFound(in: "journal.db-wal"))
        await journal.keep(author.erase(2))
        // The journal's thread checks the log before it takes the next change.
        _ = try await journal.count()
        #expect(folder.bytes(of: "journal.db-wal").isEmpty)
        #expect(!isFound(in: "journal.db"))
        await journal.close()
    }

    @Test func `after a session ends, its buffered entries are soon erased, also from the log`() async throws {
        var settings = SQLiteSettings()
        settings.flushPatience = 0
        settings.residuePatience = 0
        let journal = try Subject(in: folder, .sync, settings)
        var author = Author(1)
        await journal.keep(author.create())
        // Submitted together, so that little of it is flushed in between.
        await journal.keep(author.append(secret), author.append(secret), author.end())
        while try await journal.buffer(\.isEmpty) == false { await Task.yield() }
        _ = try await journal.count()
        #expect(!isFound(in: "journal.db"))
        #expect(!isFound(in: "journal.db-wal"))
        await journal.close()
    }

    @Test(arguments: [false, true])
    func `soon after a session starts over, the journal contains no byte of its earlier entries`(isBuffered: Bool)
        async throws
    {
        var settings = SQLiteSettings()
        settings.flushPatience = 0
        settings.residuePatience = 0
        let journal = try Subject(in: folder, .sync, settings)
        var author = Author(1)
        await journal.keep(author.create(), isBuffered ? author.append(secret) : append(&author), author.append())
        #expect(isFound(in: "journal.db-wal"))
        await journal.keep(author.startOver(answerUnder: "k"))
        while try await journal.buffer(\.isEmpty) == false { await Task.yield() }
        // The thread looks after the log before it takes the next.
        _ = try await journal.count()
        #expect(author.tail.failure == nil)
        #expect(!isFound(in: "journal.db-wal"))
        #expect(!isFound(in: "journal.db"))
        await journal.keep(author.append())
        #expect(try await journal.record(of: author.key)?.entries.map(\.revision) == [4, 5])
        await journal.close()
        #expect(!isFound(in: "journal.db"))
    }

    /// SQLite moves rows when pages are full.
    ///
    /// The moved copies must not stay either.
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `no copies of secrets are left in pages that were split or merged`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let journal = try Subject(in: folder)
        var authors = (UInt64(1)...60).map { Author($0 &+ seed << 32) }
        for index in authors.indices { journal.submit(authors[index].create()) }
        for _ in 0..<1_200 {
            let index = Int(random.next() % 60)
            journal.submit(append(&authors[index], padding: Int(random.next() % 300)))
            if random.next() % 8 == 0 { _ = try await journal.count() }
        }
        for author in authors.shuffled(using: &random) {
            for revision in 2...max(2, author.head.revision) { journal.submit(author.erase(revision)) }
            if random.next() % 8 == 0 { _ = try await journal.count() }
        }
        await journal.close()
        #expect(!authors.contains { $0.tail.isBroken })
        #expect(!isFound(in: "journal.db"))
    }

    private func append(_ author: inout Author, padding: Int = 0) -> AuthoredChange {
        let payload = secret + String(repeating: " ", count: padding)
        return author.append(payload, secret: 0..<secret.utf8.count)
    }

    private func isFound(in name: String) -> Bool {
        folder.bytes(of: name).contains(Array("battery".utf8))
    }
}
