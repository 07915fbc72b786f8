import JournalSubject
import Programs
import Synchronization
import Testing
import UsherMetrics

@testable import UsherJournal

@Suite("A batched journal")
struct BatchedJournalTests {
    private let script = DictionaryStorage.Script()
    private let gate = Gate()

    private func subject(_ journal: BatchedJournal) throws -> Subject {
        Subject(journal, in: try TemporaryFolder())
    }

    private var transactions: [String] { script.said.filter { !["maintain", "close"].contains($0) } }

    /// Submits changes during the first commit, so that they form one group.
    private func group(_ journal: BatchedJournal, _ changes: [AuthoredChange]) async {
        var first = Author(99)
        _ = journal.submit(first.create())
        gate.waitForCommit()
        let commits = changes.map { journal.submit($0) }
        #expect(commits.allSatisfy { $0.outstanding != nil && $0.outstanding === commits[0].outstanding })
        gate.open()
        await commits[0].wait()
    }

    @Test func `all changes that arrive during a commit are part of the next commit`() async throws {
        let journal = try BatchedJournal.inDictionary(script, didCommit: gate.didCommit)
        var authors = (UInt64(1)...50).map { Author($0) }
        await group(journal, authors.indices.map { authors[$0].create() })
        #expect(gate.commits == [1, 50])
        #expect(journal.count == 51)
        await journal.close()
        #expect(transactions == ["begin", "commit", "begin", "commit"])
    }

    @Test func `of the changes in a group, only the refused change fails`() async throws {
        let journal = try BatchedJournal.inDictionary(script, didCommit: gate.didCommit)
        var (kept, stranger, other) = (Author(1), Author(2), Author(3))
        _ = stranger.create()
        await group(journal, [kept.create(), stranger.append(), other.create()])
        #expect([kept, stranger, other].map { $0.tail.failure } == [nil, .conflict, nil])
        #expect(journal.count == 3)
        #expect(journal.metrics?.refusals.value == 1)
        await journal.close()
        #expect(!script.said.contains("roll back"))
    }

    @Test func `if a change fails after it wrote, its group is rolled back and repeated without that change`()
        async throws
    {
        let journal = try BatchedJournal.inDictionary(script, didCommit: gate.didCommit)
        let answer = KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: [])
        var authors = (UInt64(1)...4).map { Author($0) }
        await group(
            journal,
            [
                authors[0].create(opening: answer), authors[1].create(), authors[2].create(opening: answer),
                authors[2].append(), authors[3].create(),
            ])
        #expect(authors.map { $0.tail.failure } == [nil, nil, .conflict, nil])
        #expect(gate.commits == [1, 3])
        #expect(try await journal.head(of: authors[2].key) == nil)
        await journal.close()
        #expect(transactions == ["begin", "commit", "begin", "roll back", "begin", "commit"])
    }

    @Test func `if the storage asks for a repetition, a group is repeated with all its changes`() async throws {
        let journal = try BatchedJournal.inDictionary(script, didCommit: gate.didCommit)
        var author = Author(1)
        gate.open()
        let commit = journal.submit(author.create())
        await commit.wait()
        script.repetitions.store(2, ordering: .relaxed)
        await journal.submit(author.append()).wait()
        #expect(gate.commits == [1, 1])
        #expect(script.said.filter { $0 == "roll back" }.count == 2)
        #expect(try await journal.record(of: author.key)?.entries.count == 2)
        await journal.close()
    }

    @Test(arguments: [Durability.sync, .relaxed])
    func `if the storage fails, no change of the group takes effect, and the next group succeeds`(
        durability: Durability
    ) async throws {
        let journal = try BatchedJournal.inDictionary(script, durability, now: { 36 })
        let subject = try subject(journal)
        var (kept, lost) = (Author(1), Author(2))
        await subject.keep(kept.create())
        script.failures.store(1, ordering: .relaxed)
        await subject.keep(lost.create(), lost.append())
        #expect(lost.tail.failure == .unavailable("the dictionary is full"))
        #expect(try await journal.head(of: lost.key) == nil)
        #expect(journal.metrics?.failures.value == 1)
        #expect(journal.epoch == (durability == .relaxed ? "10-1" : nil))
        await subject.keep(kept.append())
        #expect(!kept.tail.isBroken)
        #expect(journal.count == 1)
        await subject.close()
    }

    @Test func `with relaxed durability, the journal's epoch changes if an acknowledged change is lost`()
        async throws
    {
        let journal = try BatchedJournal.inDictionary(script, .relaxed, now: { 36 })
        let subject = try subject(journal)
        await subject.keep(AuthoredChange(.touch(1), of: Author(1).key))
        #expect(journal.epoch == "10")
        var author = Author(1)
        _ = author.create()
        await subject.keep(author.append())
        #expect(journal.epoch == "10-1")
        await subject.close()
    }

    @Test func `the journal does maintenance after each batch, and also when it is due while the queue is empty`()
        async throws
    {
        let journal = try BatchedJournal.inDictionary(script)
        #expect(try await journal.head(of: Author(1).key) == nil)
        script.maintenance.store(0, ordering: .relaxed)
        #expect(try await journal.head(of: Author(1).key) == nil)
        // Maintenance may be due before or after the second batch.
        while script.said.count(where: { $0 == "maintain" }) < 2 || !script.said.contains("maintain, idle") {
            await Task.yield()
        }
        #expect(!script.said.contains("begin"))
        await journal.close()
    }

    @Test func `a read-only journal refuses changes and can be read`() async throws {
        let journal = try BatchedJournal.inDictionary(script, isReadOnly: true)
        var author = Author(1)
        #expect(journal.submit(author.create()).outstanding == nil)
        #expect(author.tail.failure == JournalError.readOnly)
        await #expect(throws: JournalError.readOnly) { _ = try await journal.purge(endedBefore: 9, limit: 1) }
        #expect(try await journal.head(of: author.key) == nil)
        await journal.close()
    }

    @Test func `while a long record is being read, changes to other sessions become durable`() async throws {
        let journal = try BatchedJournal.inDictionary(script)
        var (long, other) = (Author(1), Author(2))
        _ = journal.submit(long.create())
        for _ in 1..<40 { _ = journal.submit(long.append()) }
        let creation = other.create()
        let commits = Mutex<(commit: PendingCommit?, seen: [Bool])>((nil, []))
        script.whenRead { revision in
            // This runs on the journal's thread during a read, so the change comes in the middle of it.
            let commit = revision == 12 ? journal.submit(creation) : nil
            commits.withLock { commits in
                if let commit { commits.commit = commit }
                commits.seen.append(commits.commit?.result != nil)
            }
        }
        #expect(try await journal.record(of: long.key)?.entries.count == 40)
        script.whenRead { _ in }
        let seen = commits.withLock(\.seen)
        #expect(seen.count == 10 && !seen[2] && seen[4], "\(seen)")
        await journal.close()
    }

    @Test func `a record that changes while it is read is returned as it was at the start of the read`() async throws {
        let journal = try BatchedJournal.inDictionary(script)
        var author = Author(1)
        _ = journal.submit(author.create())
        for _ in 1..<16 { _ = journal.submit(author.append()) }
        let (growth, end) = (author.append(), author.end())
        script.whenRead { if $0 == 8 { _ = journal.submit(growth) } }
        #expect(try await journal.record(of: author.key)?.entries.count == 16)
        script.whenRead { if $0 == 8 { _ = journal.submit(end) } }
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.head.ending != nil && record.entries.isEmpty)
        script.whenRead { _ in }
        await journal.close()
    }

    @Test func `closing a journal twice commits the submitted changes and closes the storage once`() async throws {
        let journal = try BatchedJournal.inDictionary(script, .relaxed)
        var author = Author(1)
        _ = journal.submit(author.create())
        async let first: Void = journal.close()
        async let second: Void = journal.close()
        _ = await (first, second)
        #expect(script.said == ["begin", "commit", "maintain", "close"])
        _ = journal.submit(author.append())
        #expect(author.tail.failure == .closed)
        await #expect(throws: JournalError.closed) { _ = try await journal.head(of: author.key) }
    }

    @Test func `a journal closes its storage when it is released`() async throws {
        let closing = try BatchedJournal.inDictionary(script).closing
        await closing.wait()
        #expect(script.said == ["close"])
    }

    @Test func `the name of a backup contains the current time`() async throws {
        let journal = try BatchedJournal.inDictionary(script, now: { 7 })
        #expect(try await journal.backUp() == Backup(path: "at 7", size: 0))
        await journal.close()
    }
}
