import Synchronization
import Testing
import UsherJournal

@testable import UsherSessions

/// The state machine alone, where other servers write: no session, no tree, no journal.
@Suite("A session's states among several servers")
struct CatchUpStateTests {
    private final class MarkedTree: GuardedTree {
        var newest: PendingCommit
        var lineage = Lineage()
        var isBehind = false
        let carried = "left"

        init(at token: RecordToken) {
            newest = PendingCommit(.success(token))
        }

        func fallBehind() { isBehind = true }

        func catchUp(to token: RecordToken) {
            (newest, lineage, isBehind) = (PendingCommit(.success(token)), Lineage(), false)
        }
    }

    private typealias State = SessionState<MarkedTree>

    private static let first = RecordToken(revision: 4, mark: 1)
    private let tree = MarkedTree(at: first)

    @Test func `a tree that is behind is found to be so, until it has caught up`() {
        var state = State(tree)
        state.fallBehind(tree.lineage)
        guard case .behind(let found) = state.enter(), found === tree else {
            Issue.record("it is not behind")
            return
        }
        guard case .read(let newest) = state.beginCatchingUp(), newest.version == Self.first else {
            Issue.record("nobody reads")
            return
        }
        guard case .waking = state.enter(), case .wait = state.beginCatchingUp(), case .wait = state.beginWaking(),
            case .refused = state.retire(where: { _ in true }, keeping: false), state.follower === tree
        else {
            Issue.record("others do not wait")
            return
        }
        tree.catchUp(to: Self.first.followed(to: 5, by: 2))
        #expect(state.endCatchingUp(.stays).isEmpty)
        guard case .awake(let found) = state.enter(), found === tree, state.follower == nil else {
            Issue.record("it has not caught up")
            return
        }
    }

    @Test func `those who wait are told, and where the journal cannot be read the tree stays behind`() {
        var state = State(tree)
        state.fallBehind(tree.lineage)
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
        let lineage = Lineage()
        let version = PendingCommit(.success(Self.first))
        _ = state.endCatchingUp(.over(PendingAnswer(.failure(.unknown), if: .state, upon: version, of: lineage)))
        state.fallBehind(tree.lineage)
        guard case .over = state.enter() else {
            Issue.record("it goes on")
            return
        }
        state.fallBehind(lineage)
        guard case .asleep = state.enter() else {
            Issue.record("it is over")
            return
        }
    }

    @Test func `who hears of a later revision falls behind, of an earlier one not`() {
        let state = State(tree)
        state.hear(of: 4)
        #expect(!tree.isBehind)
        state.hear(of: 5)
        #expect(tree.isBehind)
    }

    @Test func `what is found out about a tree before it has caught up does not let it fall behind`() {
        var state = State(tree)
        let before = tree.lineage
        tree.catchUp(to: Self.first.followed(to: 5, by: 2))
        state.fallBehind(before)
        #expect(!tree.isBehind && state.newest(of: before) == nil)
        #expect(state.newest(of: tree.lineage)?.version?.revision == 5)
    }

    @Test func `the end of a tree is the newest change of its lineage, and not of another`() {
        var state = State(tree)
        let end = PendingCommit(in: GroupCommit())
        state.end(with: PendingAnswer(.failure(.unknown), if: .change, upon: end, of: tree.lineage))
        #expect(state.newest(of: tree.lineage)?.isSame(as: end) == true)
        #expect(state.newest(of: Lineage()) == nil)
    }

    @Test func `a broken tree does not catch up`() {
        var state = State(tree)
        tree.newest = PendingCommit(.failure(.conflict))
        guard case .none = state.beginCatchingUp() else {
            Issue.record("it does")
            return
        }
    }
}
