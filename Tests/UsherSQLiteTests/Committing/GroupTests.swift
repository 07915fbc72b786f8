import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Changes that are committed together")
struct GroupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `all changes that arrive during a commit are part of the next commit`() async throws {
        let gate = Gate()
        let journal = try Subject(in: folder, .sync, didCommit: gate.didCommit)
        var authors = (UInt64(0)...100).map { Author($0) }
        let first = journal.journal.submit(authors[0].create()).outstanding
        gate.waitForCommit()
        let others = (1...100).map { journal.journal.submit(authors[$0].create()).outstanding }
        #expect(others.allSatisfy { $0 != nil && $0 === others[0] && $0 !== first })
        gate.open()
        await first?.wait()
        await others[0]?.wait()
        #expect(gate.commits == [1, 100])
        #expect(try await journal.count() == 101)
        await journal.close()
    }

    @Test func `with relaxed durability, no change waits for a commit`() async throws {
        let gate = Gate()
        let journal = try Subject(in: folder, .relaxed, didCommit: gate.didCommit)
        var author = Author(1)
        #expect(journal.journal.submit(author.create()).outstanding == nil)
        for _ in 0..<99 { #expect(journal.journal.submit(author.append()).outstanding == nil) }
        gate.open()
        #expect(try await journal.record(of: author.key)?.entries.count == 100)
        #expect(gate.commits.reduce(0, +) == 100)
        await journal.close()
    }

    @Test func `with relaxed durability, changes are written to disk even if nothing is read`() async throws {
        let gate = Gate()
        let journal = try Subject(in: folder, .relaxed, didCommit: gate.didCommit)
        var author = Author(1)
        journal.submit(author.create())
        gate.waitForCommit()
        gate.open()
        #expect(gate.commits == [1])
        await journal.close()
    }

    @Test func `a change that fails after it wrote something does not undo the other changes of its commit`()
        async throws
    {
        let gate = Gate()
        let journal = try Subject(in: folder, .sync, didCommit: gate.didCommit)
        let answer = KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: [])
        var authors = (UInt64(0)...3).map { Author($0) }
        journal.submit(authors[0].create(opening: answer))
        gate.waitForCommit()
        journal.submit(authors[1].create())
        // Its row of sessions is written before the opening's key turns out to be in use.
        journal.submit(authors[2].create(opening: answer))
        let last = journal.journal.submit(authors[3].create())
        gate.open()
        await last.wait()
        #expect(authors.map { $0.tail.failure } == [nil, nil, .conflict, nil])
        #expect(try await journal.count() == 3)
        #expect(try await journal.record(of: authors[2].key) == nil)
        #expect(try await journal.record(of: authors[3].key)?.entries.count == 1)
        await journal.close()
    }
}
