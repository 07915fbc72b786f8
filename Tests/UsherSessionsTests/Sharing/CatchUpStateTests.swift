import Synchronization
import Testing
import UsherFuture
import UsherJournal

@testable import UsherSessions

/// The state machine alone, where other servers write: no session, no tree, no journal.
@Suite("A session's states among several servers")
struct CatchUpStateTests {
    private final class MarkedTree: GuardedTree {
        let chain: WriteChain
        let carried = "left"

        init(at token: RecordToken) {
            chain = WriteChain(at: token)
        }
    }

    private typealias State = SessionState<MarkedTree>

    private static let first = RecordToken(revision: 4, mark: 1)
    private let tree = MarkedTree(at: first)

    @Test func `a tree that is behind is found to be so, until it has caught up`() {
        var state = State(tree)
        tree.chain.fallBehind(from: Self.first)
        guard case .behind(let found) = state.enter(), found === tree else {
            Issue.record("it is not behind")
            return
        }
        guard case .read(let chain) = state.beginCatchingUp(), chain === tree.chain else {
            Issue.record("nobody reads")
            return
        }
        guard case .waking = state.enter(), case .wait = state.beginCatchingUp(), case .wait = state.beginWaking(),
            case .refused = state.retire(where: { _ in true }, keeping: false), state.follower === tree
        else {
            Issue.record("others do not wait")
            return
        }
        tree.chain.advance(to: Self.first.followed(to: 5, by: 2))
        #expect(state.endCatchingUp(.stays).isEmpty)
        guard case .awake(let found) = state.enter(), found === tree, state.follower == nil else {
            Issue.record("it has not caught up")
            return
        }
    }

    @Test func `those who wait are told, and where the journal cannot be read the tree stays behind`() {
        var state = State(tree)
        tree.chain.fallBehind(from: Self.first)
        _ = state.beginCatchingUp()
        let told = Mutex(0)
        #expect(state.wait { _ in told.withLock { $0 += 1 } })
        for waiter in state.endCatchingUp(.stays) { waiter(.unknown) }
        #expect(told.withLock(\.self) == 1)
        guard case .behind = state.enter() else {
            Issue.record("it is not behind any more")
            return
        }
    }

    @Test func `a tree that cannot follow goes, and leaves what it had`() {
        var state = State(tree)
        _ = state.beginCatchingUp()
        _ = state.endCatchingUp(.dropped)
        guard case .asleep("left"?, isDropped: false) = state.enter() else {
            Issue.record("it stays")
            return
        }
        guard case .none = state.beginCatchingUp() else {
            Issue.record("something catches up")
            return
        }
    }

    @Test func `a session that another server has ended is over, until the journal says otherwise`() {
        var state = State(tree)
        _ = state.beginCatchingUp()
        let chain = WriteChain(at: Self.first)
        _ = state.endCatchingUp(.over(PendingAnswer(.failure(.unknown), isShared: true, chain: chain)))
        guard case .over = state.enter() else {
            Issue.record("it goes on")
            return
        }
        chain.fallBehind(from: Self.first)
        guard case .asleep = state.enter() else {
            Issue.record("it is over")
            return
        }
    }

    @Test func `who hears of a later revision falls behind, of an earlier one not`() {
        let state = State(tree)
        state.hear(of: 4)
        #expect(!tree.chain.isBehind)
        state.hear(of: 5)
        #expect(tree.chain.isBehind)
    }

    @Test func `a broken tree does not catch up`() {
        var state = State(tree)
        tree.chain.fail(.conflict)
        guard case .none = state.beginCatchingUp() else {
            Issue.record("it does")
            return
        }
    }

    // MARK: Answers

    @Test func `a change that lost is made again, any other failure is its answer`() async {
        for (failure, isMadeAgain) in [(JournalError.conflict, true), (.unavailable("full"), false)] {
            let chain = WriteChain(at: Self.first)
            chain.fail(failure)
            let answer = PendingAnswer(.success(1), isChange: true, revision: 5, isShared: true, chain: chain)
            let outcome = await answer.outcome.value
            #expect((outcome == nil) == isMadeAgain)
            #expect(!answer.isDurable)
            let alone = await PendingAnswer(.success(1), isChange: true, chain: chain).outcome.value
            #expect(alone != nil)
        }
    }

    @Test func `a change that is durable stays so, whatever becomes of the next one`() async throws {
        let chain = WriteChain(at: Self.first)
        let answer = PendingAnswer(.success(1), isChange: true, revision: 5, isShared: true, chain: chain)
        chain.advance(to: Self.first.followed(to: 5, by: 2))
        chain.fail(.conflict)
        #expect(try await answer.outcome.value?.get() == 1)
    }

    @Test func `an answer that is no change is made again where the tree fell behind`() async throws {
        let chain = WriteChain(at: Self.first)
        let look = PendingAnswer(.success(1), isShared: true, chain: chain)
        #expect(try await look.outcome.value?.get() == 1)
        chain.fallBehind(from: Self.first)
        #expect(await look.outcome.value == nil)
        #expect(look.isOutdated && !look.isDurable)
        let change = PendingAnswer(.success(1), isChange: true, revision: 4, isShared: true, chain: chain)
        #expect(try await change.outcome.value?.get() == 1)
    }

    @Test func `what the request has read itself needs no other confirmation`() async throws {
        let chain = WriteChain(at: Self.first)
        let look = PendingAnswer(.success(1), isShared: true, chain: chain, commit: Commit())
        #expect(try await look.outcome(knowing: Self.first).value?.get() == 1)
    }
}
