import Testing
import UsherJournal

@testable import UsherSessions

/// An answer that is no change leaves with the journal's confirmation.
@Suite("Confirmation of an answer without a change", .timeLimit(.minutes(5)))
struct ConfirmedAnswerTests {
    private let group = ServerGroup()
    private var journal: SharedJournal { group.journals[0] }

    /// A session that is awake on the first server.
    private func session() async throws -> Session { group.registries[0].find(try await group.open()) }

    /// An answer that shows the tree as it stands.
    private func look(at session: Session) async throws -> PendingAnswer<Int> {
        let answer = await session.locked { $0.look { $0.pending(.success(1)) as PendingAnswer<Int> } }
        return try #require(answer)
    }

    @Test func `an answer is withheld if another server has written, and the answer's tree is dropped`() async throws {
        let session = try await session()
        let answer = try await look(at: session)
        try await group.add("tea", to: session.id, on: 1)
        #expect(await session.waitForFailure(of: answer) == .conflict)
        #expect(await session.locked { $0.state.lineage } == nil)
    }

    @Test func `if the journal is unreachable, the answer is withheld and the session's tree stays`() async throws {
        let session = try await session()
        let answer = try await look(at: session)
        journal.setReachable(false)
        #expect(await session.waitForFailure(of: answer) == .unavailable("the database is away"))
        #expect(await session.locked { $0.state.lineage } == answer.lineage)
    }

    @Test func `an answer from an outdated tree is withheld, even if the session's new tree is up to date`()
        async throws
    {
        let session = try await session()
        let answer = try await look(at: session)
        try await group.add("tea", to: session.id, on: 1)
        try await group.add("milk", to: session.id, on: 0)
        #expect(await session.waitForFailure(of: answer) == .conflict)
        #expect(try await group.state(of: session.id, on: 0).revision == 3)
    }

    @Test func `the tree's own changes do not invalidate the confirmation`() async throws {
        let session = try await session()
        let answer = try await look(at: session)
        try await group.add("milk", to: session.id, on: 0)
        #expect(await session.waitForFailure(of: answer) == nil)
    }

    @Test func `an answer that depends on a failed change is withheld`() async throws {
        let session = try await session()
        let failed = PendingCommit(.failure(.unavailable("full")))
        let answer = PendingAnswer(.success(1), if: .state, upon: failed, of: Lineage())
        #expect(await session.waitForFailure(of: answer) == .unavailable("full"))
    }

    // MARK: Changes

    @Test(arguments: [JournalError.conflict, .unavailable("full")])
    func `an answer to a change is sent only if the change is durable`(failure: JournalError) async throws {
        let session = try await session()
        let (kept, lost) = (PendingCommit(in: GroupCommit()), PendingCommit(.failure(failure)))
        let asked = journal.confirmations
        kept.end(.success(RecordToken(revision: 5, mark: 2)))
        for (commit, result) in [(kept, nil), (lost, failure)] {
            let answer = PendingAnswer(.success(1), if: .change, upon: commit, of: Lineage())
            #expect(await session.waitForFailure(of: answer) == result)
        }
        #expect(journal.confirmations == asked)
    }
}
