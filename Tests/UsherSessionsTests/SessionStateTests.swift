import Testing
import UsherJournal

@testable import UsherSessions

/// The state machine alone: no session, no tree, no journal.
@Suite("The states of a session in memory")
struct SessionStateTests {
    private typealias State = SessionState<StubTree>
    private typealias Phase = State.FoundPhase

    private let commit = PendingCommit(in: GroupCommit())

    // MARK: A request

    @Test func `a session that is only in the journal is asleep`() {
        var state = State()
        #expect(state.found() == .asleep(nil))
        #expect(state.found() == .asleep(nil))
    }

    @Test func `an awake session has its tree`() {
        var state = awake("a")
        #expect(state.found() == .awake("a"))
    }

    @Test func `a tree whose writes failed is dropped only once, and its remains are kept for the next tree`() {
        let tree = StubTree("a")
        var state = State(tree)
        tree.newest.end(.failure(.unavailable("full")))
        #expect(state.found() == .dropped("a"))
        #expect(state.found() == .asleep("a"))
    }

    @Test func `if an input breaks a tree, the tree's remains are kept for the next tree`() {
        var state = awake("a")
        state.undo(leaving: "before")
        #expect(state.found() == .asleep("before"))
    }

    @Test func `after the end of a session is submitted, the session counts as ended, even before the end is durable`()
    {
        var state = awake("a")
        state.end(with: ending())
        #expect(state.found() == .over(isDurable: false))
        commit.end(.success(nil))
        #expect(state.found() == .over(isDurable: true))
    }

    @Test func `an end that did not become durable is dropped`() {
        var state = awake("a")
        state.end(with: ending())
        commit.end(.failure(.unavailable("full")))
        #expect(state.found() == .dropped(nil))
        #expect(state.found() == .asleep(nil))
    }

    @Test func `a sleeping session, which has no tree, can end`() {
        var state = State()
        state.end(with: ending())
        #expect(state.found() == .over(isDurable: false))
    }

    @Test func `a waking session has no tree yet`() {
        var state = State()
        _ = state.beginWaking()
        #expect(state.found() == .waking)
    }

    @Test func `a session that has left memory must be looked up again`() {
        var state = state(in: .retired)
        #expect(state.found() == .retired)
    }

    // MARK: Waking

    @Test func `the first request to a sleeping session builds the tree, and later requests wait for the tree`() {
        var state = State()
        state.undo(leaving: "before")
        guard case .build(after: "before") = state.beginWaking() else {
            Issue.record("the first does not build it")
            return
        }
        guard case .wait = state.beginWaking() else {
            Issue.record("the second does not wait")
            return
        }
    }

    @Test(arguments: Phase.allCases.filter { $0 != .asleep && $0 != .waking })
    private func `only a sleeping session can be woken`(phase: Phase) {
        var state = state(in: phase)
        guard case .none = state.beginWaking() else {
            Issue.record("it is woken")
            return
        }
        #expect(state.foundPhase() == phase)
    }

    @Test func `requests that wait while a session is woken get the result of the wake-up`() async {
        var state = State()
        _ = state.beginWaking()
        guard case .wait(let waking) = state.beginWaking() else {
            Issue.record("the second does not wait")
            return
        }
        let waiters = (0..<2).map { _ in Task { await waking.wait() } }
        let ended = state.endWaking(with: StubTree("new"))
        #expect(ended === waking)
        ended?.open(with: .unknown)
        for waiter in waiters {
            guard case .unknown? = await waiter.value else {
                Issue.record("one gets another result")
                return
            }
        }
        #expect(state.found() == .awake("new"))
        #expect(state.endWaking(with: nil) == nil)
    }

    @Test(arguments: Phase.allCases.filter { $0 != .waking })
    private func `a session has waiting requests only while a request builds the session's tree`(phase: Phase) {
        #expect(state(in: phase).waking == nil)
    }

    @Test(arguments: Phase.allCases.filter { $0 != .waking })
    private func `if no wake-up has begun, ending the wake-up changes nothing`(phase: Phase) {
        var state = state(in: phase)
        #expect(state.endWaking(with: StubTree("stray")) == nil)
        #expect(state.foundPhase() == phase)
    }

    @Test func `after a failed wake-up, the next attempt gets the remains of the dropped tree`() {
        var state = awake("a")
        state.undo(leaving: "before")
        _ = state.beginWaking()
        _ = state.endWaking(with: nil)
        guard case .build(after: "before") = state.beginWaking() else {
            Issue.record("it is lost")
            return
        }
    }

    // MARK: Other servers

    @Test func `a tree that another server overtook is dropped, and its remains are kept for the next tree`() {
        let tree = StubTree("a")
        var state = State(tree)
        state.drop(Lineage())
        #expect(state.found() == .awake("a"))
        state.drop(tree.lineage)
        #expect(state.found() == .asleep("a"))
        state.drop(tree.lineage)
        #expect(state.found() == .asleep("a"))
    }

    @Test func `if the journal does not confirm a session's end, the end is dropped`() {
        var state = awake("a")
        let lineage = Lineage()
        state.end(with: PendingAnswer(.failure(.unknown), if: .state, upon: commit, of: lineage))
        state.drop(Lineage())
        #expect(state.found() == .over(isDurable: false))
        state.drop(lineage)
        #expect(state.found() == .asleep(nil))
    }

    @Test func `a tree's newest change is its last write, or the session's end if the end was submitted`() {
        let tree = StubTree("a")
        var state = State(tree)
        #expect(state.newest(of: tree.lineage)?.isSame(as: tree.newest) == true)
        #expect(state.newest(of: Lineage()) == nil)
        state.end(with: PendingAnswer(.failure(.unknown), if: .change, upon: commit, of: tree.lineage))
        #expect(state.newest(of: tree.lineage)?.isSame(as: commit) == true)
        #expect(state.newest(of: Lineage()) == nil)
    }

    // MARK: A commit

    @Test func `the work of a change begins after the commit, or with the next tree if a later write failed`() {
        let tree = StubTree("a")
        let state = State(tree)
        guard case .work(let working) = state.consequence else {
            Issue.record("nothing begins")
            return
        }
        #expect(working === tree)
        tree.newest.end(.failure(.unavailable("full")))
        guard case .rebuild = state.consequence else {
            Issue.record("it begins")
            return
        }
    }

    @Test func `a session's work stops only when the session's end is durable`() {
        var state = awake("a")
        state.end(with: ending())
        guard case .none = state.consequence else {
            Issue.record("it stops too early")
            return
        }
        commit.end(.success(nil))
        guard case .stop = state.consequence else {
            Issue.record("it does not stop")
            return
        }
    }

    @Test func `a session's work continues if the session's end did not become durable`() {
        var state = awake("a")
        state.end(with: ending())
        commit.end(.failure(.unavailable("full")))
        guard case .none = state.consequence else {
            Issue.record("it stops")
            return
        }
    }

    @Test(arguments: [Phase.asleep, .waking, .retired])
    private func `after a commit, no work begins or stops if the session has no tree`(phase: Phase) {
        guard case .none = state(in: phase).consequence else {
            Issue.record("something follows")
            return
        }
    }

    // MARK: Leaving memory

    @Test func `an idle tree hibernates, and a busy tree stays in memory`() {
        var state = awake("a")
        guard case .refused = state.retire(where: { _ in false }, keeping: false), state.found() == .awake("a") else {
            Issue.record("a busy one leaves")
            return
        }
        guard case .hibernated(let tree) = state.retire(where: { $0.carried == "a" }, keeping: false) else {
            Issue.record("an idle one stays")
            return
        }
        #expect(tree.carried == "a")
        #expect(state.found() == .retired)
    }

    @Test func `a tree whose writes failed stays in memory until the next request drops it`() {
        let tree = StubTree("a")
        var state = State(tree)
        tree.newest.end(.failure(.unavailable("full")))
        guard case .refused = state.retire(where: { _ in true }, keeping: false) else {
            Issue.record("it leaves")
            return
        }
        #expect(state.found() == .dropped("a"))
    }

    @Test func `a session whose tree was dropped stays in memory while its effects run`() {
        var state = State()
        state.undo(leaving: "before")
        guard case .refused = state.retire(where: { _ in true }, keeping: true) else {
            Issue.record("it leaves")
            return
        }
        #expect(state.found() == .asleep("before"))
    }

    @Test func `a sleeping session leaves memory with the remains of its dropped tree`() {
        var state = State()
        state.undo(leaving: "before")
        guard case .forgotten("before") = state.retire(where: { _ in false }, keeping: false) else {
            Issue.record("it stays")
            return
        }
        #expect(state.found() == .retired)
    }

    @Test func `a waking session stays in memory`() {
        var state = state(in: .waking)
        guard case .refused = state.retire(where: { _ in true }, keeping: false) else {
            Issue.record("it leaves")
            return
        }
        #expect(state.found() == .waking)
    }

    @Test func `an ended session leaves memory when its end is durable`() {
        var state = awake("a")
        state.end(with: ending())
        guard case .refused = state.retire(where: { _ in true }, keeping: false) else {
            Issue.record("it leaves too early")
            return
        }
        commit.end(.success(nil))
        guard case .left = state.retire(where: { _ in true }, keeping: false) else {
            Issue.record("it stays")
            return
        }
        #expect(state.found() == .retired)
    }

    @Test func `removing a session that has already left memory is allowed and changes nothing`() {
        var state = state(in: .retired)
        guard case .left = state.retire(where: { _ in true }, keeping: false) else {
            Issue.record("it stays")
            return
        }
    }

    // MARK: Support

    private func state(in phase: Phase) -> State {
        var state = phase == .awake || phase == .over ? awake("a") : State()
        switch phase {
        case .asleep, .awake: break
        case .waking: _ = state.beginWaking()
        case .over: state.end(with: ending())
        case .retired: _ = state.retire(where: { _ in true }, keeping: false)
        }
        return state
    }

    private func awake(_ name: String) -> State {
        State(StubTree(name))
    }

    /// An end whose commit is under way.
    private func ending() -> State.Ending {
        PendingAnswer(.failure(.unknown), if: .change, upon: commit, of: Lineage())
    }
}
