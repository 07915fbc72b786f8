import Testing

@testable import UsherJournal

@Suite("The work queue of the journal's thread")
struct WorkQueueTests {
    private let change = JournalChange(.touch(1), of: JournalKey(high: 1, low: 1))

    @Test func `with durability sync, a submitted change waits for the commit of the open batch`() throws {
        var queue = WorkQueue<Int>(patience: nil)
        let first = queue.submit(change).commit.outstanding
        let second = queue.submit(change).commit.outstanding
        #expect(first != nil && first === second)
        let taken = work(queue.next(at: 0, maintenance: nil))
        let batch = try #require(taken)
        #expect(batch.changes.count == 2)
        #expect(batch.commit === first)
        #expect(queue.submit(change).commit.outstanding !== first)
    }

    @Test func `a batch has a maximum number of changes, and further changes wait for the next commit`() throws {
        var queue = WorkQueue<Int>(patience: nil, limit: 2)
        let commits = (1...5).map { _ in queue.submit(change).commit.outstanding }
        #expect(queue.ask(7) == false)
        #expect(queue.waiting.changes == 5)
        #expect(commits[0] === commits[1] && commits[1] !== commits[2] && commits[2] === commits[3])
        for (count, place) in [(2, 0), (2, 2), (1, 4)] {
            let taken = work(queue.next(at: 0, maintenance: nil))
            let batch = try #require(taken)
            #expect(batch.changes.count == count && batch.commit === commits[place])
            #expect(batch.jobs == (place == 4 ? [7] : []))
        }
        #expect(queue.waiting.changes == 0 && queue.waiting.bytes == 0)
    }

    @Test func `if the journal gives each change a version, each change has its own commit and outcome`() throws {
        var queue = WorkQueue<Int>(patience: nil, sharesCommits: false)
        let version = RecordToken(revision: 1, mark: 2)
        let commits = (1...3).map { _ in queue.submit(change).commit }
        let taken = work(queue.next(at: 0, maintenance: nil))
        let batch = try #require(taken)
        #expect(Set(commits.compactMap(\.outstanding).map { ObjectIdentifier($0) }).count == 3)
        #expect(commits.allSatisfy { $0.outstanding !== batch.commit })
        batch.changes[0].succeed(at: version)
        batch.changes[1].fail(.conflict)
        #expect(commits.allSatisfy { $0.result == nil })
        batch.finish()
        #expect(commits.map(\.result) == [.success(version), .failure(.conflict), .success(nil)])
        #expect(batch.commit?.isDone == true)
    }

    @Test func `the queue has an outstanding commit until the journal's thread asks for more work`() throws {
        var queue = WorkQueue<Int>(patience: nil)
        #expect(queue.outstanding == nil)
        let commit = queue.submit(change).commit.outstanding
        #expect(queue.outstanding === commit)
        #expect(work(queue.next(at: 0, maintenance: nil)) != nil)
        #expect(queue.outstanding === commit)
        #expect(rest(queue.next(at: 0, maintenance: nil)) == .some(nil))
        #expect(queue.outstanding == nil)
    }

    @Test func `of several changes that arrive while the journal's thread sleeps, only the first wakes the thread`()
        throws
    {
        var queue = WorkQueue<Int>(patience: nil)
        #expect(rest(queue.next(at: 0, maintenance: nil)) == .some(nil))
        #expect(queue.submit(change).wakes)
        #expect(!queue.submit(change).wakes)
        #expect(queue.ask(1) == false)
    }

    @Test func `with relaxed durability, no change waits for a commit, and changes are collected for a while`() throws {
        var queue = WorkQueue<Int>(patience: 50)
        #expect(rest(queue.next(at: 0, maintenance: nil)) == .some(nil))
        let first = queue.submit(change)
        #expect(first.commit.outstanding == nil && first.wakes)
        #expect(rest(queue.next(at: 100, maintenance: nil)) == 150)
        let second = queue.submit(change)
        #expect(second.commit.outstanding == nil && !second.wakes)
        #expect(rest(queue.next(at: 149, maintenance: nil)) == 150)
        let taken = work(queue.next(at: 150, maintenance: nil))
        let batch = try #require(taken)
        #expect(batch.changes.count == 2)
        #expect(rest(queue.next(at: 151, maintenance: nil)) == .some(nil))
    }

    @Test func `a read or a close ends the period in which changes are collected`() throws {
        for close in [false, true] {
            var queue = WorkQueue<Int>(patience: 50)
            _ = queue.submit(change)
            #expect(rest(queue.next(at: 0, maintenance: nil)) == 50)
            let wakes = close ? queue.close() : queue.ask(7)
            #expect(wakes == true)
            let taken = work(queue.next(at: 1, maintenance: nil))
            let batch = try #require(taken)
            #expect(batch.changes.count == 1)
            #expect(batch.jobs == (close ? [] : [7]))
        }
    }

    @Test func `with relaxed durability, a change that exceeds the queue's capacity waits and starts a commit at once`()
        throws
    {
        var queue = WorkQueue<Int>(patience: 50, capacity: 150)
        #expect(rest(queue.next(at: 0, maintenance: nil)) == .some(nil))
        #expect(queue.submit(change).commit.outstanding == nil)
        #expect(rest(queue.next(at: 0, maintenance: nil)) == 50)
        let full = queue.submit(change)
        #expect(full.commit.outstanding != nil && full.wakes)
        #expect(work(queue.next(at: 1, maintenance: nil))?.commit === full.commit.outstanding)
        #expect(queue.submit(change).commit.outstanding == nil)
    }

    @Test func `maintenance begins when it is due and all other work is finished`() {
        var queue = WorkQueue<Int>(patience: 50)
        #expect(rest(queue.next(at: 0, maintenance: 10)) == 10)
        _ = queue.submit(change)
        #expect(rest(queue.next(at: 0, maintenance: 10)) == 10)
        #expect(isMaintenance(queue.next(at: 10, maintenance: 10)))
        #expect(work(queue.next(at: 60, maintenance: 10))?.changes.count == 1)
    }

    @Test func `a closed queue accepts no changes, and ends when it is empty`() {
        var queue = WorkQueue<Int>(patience: nil)
        _ = queue.submit(change)
        _ = queue.close()
        #expect(queue.submit(change).commit.failure == .closed)
        #expect(queue.ask(1) == nil)
        #expect(work(queue.next(at: 0, maintenance: nil))?.changes.count == 1)
        #expect(isEnd(queue.next(at: 0, maintenance: 0)))
        #expect(isEnd(queue.next(at: 0, maintenance: nil)))
    }

    @Test func `a waiting change fails at once if the change that it follows has failed`() {
        var queue = WorkQueue<Int>(patience: nil, limit: 1)
        let key = JournalKey(high: 1, low: 1)
        let first = queue.submit(change).commit
        let second = queue.submit(JournalChange(.touch(2), of: key, upon: first)).commit
        let third = queue.submit(JournalChange(.touch(3), of: key, upon: second)).commit
        let other = queue.submit(change).commit
        first.note(.failure(.conflict))
        #expect(third.failure == nil)
        #expect(queue.failFollowers())
        #expect([second, third, other].map(\.failure) == [.conflict, .conflict, nil])
        let waiting = queue.waiting.changes
        #expect(queue.submit(JournalChange(.touch(4), of: key, upon: third)).commit.result == .failure(.conflict))
        #expect(queue.waiting.changes == waiting)
    }

    private func work(_ step: WorkQueue<Int>.Step) -> WorkQueue<Int>.Batch? {
        guard case .work(let batch) = step else { return nil }
        return batch
    }

    private func rest(_ step: WorkQueue<Int>.Step) -> Int64?? {
        guard case .rest(let time) = step else { return nil }
        return .some(time)
    }

    private func isMaintenance(_ step: WorkQueue<Int>.Step) -> Bool {
        guard case .maintenance = step else { return false }
        return true
    }

    private func isEnd(_ step: WorkQueue<Int>.Step) -> Bool {
        guard case .end = step else { return false }
        return true
    }
}
