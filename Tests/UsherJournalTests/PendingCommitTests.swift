import Testing
import UsherJournal

@Suite("Pending commits")
struct PendingCommitTests {
    private let version = RecordToken(revision: 4, mark: 1)
    private let header = { SessionHeader(app: "a", created: 0, revision: $0, time: 0, bytes: 0) }

    @Test
    func `a change succeeds when its group is committed, and fails as soon as its failure is noted`()
        async
    {
        let group = GroupCommit()
        let commits = (0..<3).map { PendingCommit(in: group, at: $0) }
        commits[0].note(.success(version))
        commits[1].note(.failure(.conflict))
        #expect(commits.allSatisfy { $0.result == nil && $0.outstanding === group })
        #expect(commits.map(\.failure) == [nil, .conflict, nil])
        group.finish()
        #expect(commits.map(\.result) == [.success(version), .failure(.conflict), .success(nil)])
        #expect(commits.allSatisfy { $0.outstanding == nil })
        #expect(await commits[1].wait() == .failure(.conflict))
    }

    @Test func `a change that has failed keeps its first failure, whatever is noted later`() {
        let commit = PendingCommit(in: GroupCommit())
        commit.note(.success(version))
        commit.note(.failure(.conflict))
        commit.note(.failure(.unsupported("later")))
        commit.end(.success(version))
        #expect(commit.result == .failure(.conflict))
    }

    @Test func `with relaxed durability, a change succeeds before its group is committed, and can fail later`() {
        let group = GroupCommit()
        let commit = PendingCommit(in: group, countsAtOnce: true)
        #expect(commit.result == .success(nil) && commit.outstanding == nil)
        commit.note(.failure(.unavailable("full")))
        #expect(commit.failure == .unavailable("full"))
    }

    @Test func `every change that follows a failed change is skipped`() {
        let journal = MemoryJournal()
        let key = JournalKey(high: 1, low: 2)
        let erasure = journal.submit(JournalChange(.erase(revision: 9), of: key))
        #expect(erasure.failure == .conflict, "there is no such session")
        let creation = JournalChange(.create(header(1), entries: [[1]], opening: nil), of: key, upon: erasure)
        let second = journal.submit(creation)
        #expect(second.failure == .conflict)
        #expect(journal.submit(JournalChange(.touch(1), of: key, upon: second)).failure == .conflict)
        #expect(journal.head(of: key) == nil)
    }
}
