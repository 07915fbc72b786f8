import JournalSubject
import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

/// Undoing a refused input takes as long as the replay of the session's history, so the session pays for it.
@Suite("The pause after a refused input", .timeLimit(.minutes(5)))
struct RefusedInputPauseTests {
    private let clock: ManualClock
    private let journal: LongReplayJournal
    private let registry: SessionRegistry

    init() {
        let clock = ManualClock()
        self.clock = clock
        journal = LongReplayJournal(clock)
        registry = SessionRegistry(
            apps: [TollApp.self, PlacesApp.self], journal: journal, clock: clock, random: CountingRandom())
    }

    private func open(_ app: String = "toll") async throws -> SessionID { try await registry.open(app).session.id }

    @discardableResult
    private func send(_ event: String, to id: SessionID) async throws -> Snapshot {
        try await registry.handle(InputRequest(try action(#"{"event":"\#(event)"}"#)), on: id)
    }

    private func expectRefusal(_ event: String = "refuse", of id: SessionID) async {
        await #expect {
            try await send(event, to: id)
        } throws: { error in
            guard case SessionError.rejected = error else { return false }
            return true
        }
    }

    /// The suite's time limit ends what never is.
    private func until(_ condition: () async throws -> Bool) async rethrows {
        while !(try await condition()), !Task.isCancelled { await Task.yield() }
    }

    @Test func `after a refused input, the session's next input waits ten times as long as rebuilding the tree took`()
        async throws
    {
        let (id, other) = (try await open(), try await open())
        try await send("add", to: id)
        await expectRefusal(of: id)
        let input = Task { try await send("add", to: id) }
        await until { clock.isAwaited(at: 1_100) }
        // A read of the session does not wait, and an input to another session does not wait.
        #expect(try await registry.snapshot(of: id).revision == 2)
        #expect(try await send("add", to: other).revision == 2)
        clock.advance(by: 999)
        #expect(try await registry.snapshot(of: id).revision == 2)
        clock.advance(by: 1)
        #expect(try await input.value.revision == 3)
        #expect(try await send("add", to: id).revision == 4)
    }

    @Test func `after a refused input, the session's next input waits at most ten seconds`() async throws {
        journal.setTime(60_000)
        let id = try await open()
        await expectRefusal(of: id)
        let input = Task { try await send("add", to: id) }
        await until { clock.isAwaited(at: 70_000) }
        clock.advance(by: 10_000)
        #expect(try await input.value.revision == 2)
    }

    @Test func `an input waits only once, even if other waiting inputs are refused before it`() async throws {
        let id = try await open()
        await expectRefusal(of: id)
        let inputs = (0..<2).map { _ in
            Task {
                do {
                    _ = try await send("refuse", to: id)
                    return "accepted"
                } catch {
                    return (error as? SessionError)?.name ?? ""
                }
            }
        }
        await until { clock.sleepers(until: 1_100) == 2 }
        clock.advance(by: 1_000)
        var names: [String] = []
        for input in inputs { names.append(await input.value) }
        #expect(names.sorted() == ["noRoom", "rejected"])
        #expect(journal.readings == 2)
    }

    @Test func `a timer of the session does not wait for the end of the pause`() async throws {
        let id = try await open()
        try await send("wait", to: id)
        await expectRefusal(of: id)
        await until { clock.isAwaited(at: 500) }
        clock.advance(by: 400)
        try await until { try await registry.snapshot(of: id).revision == 3 }
        #expect(clock.uptime == 500)
    }

    @Test func `an input that was refused before the app handled it causes no pause`() async throws {
        let id = try await open()
        await expectRefusal("sing", of: id)
        #expect(try await send("add", to: id).revision == 2)
        #expect(journal.readings == 0)
    }

    @Test func `if a waiting link fails, the input is retried at once without the link, and the next input waits`()
        async throws
    {
        let id = try await open("places")
        _ = try await registry.handle(InputRequest(try action(#"{"open":["forbidden"]}"#)), on: id)
        #expect(try await send("unlock", to: id).text.contains("nobody goes there"))
        let input = Task { try await send("walk", to: id) }
        await until { clock.isAwaited(at: 1_100) }
        clock.advance(by: 1_000)
        #expect(try await input.value.revision == 4)
    }

    @Test func `an input without a token is refused at once, so the timing of the answer reveals nothing`() async throws
    {
        let registry = SessionRegistry(
            apps: [TollApp.self], journal: journal, clock: clock, tokens: TokenIssuer(key: [1]))
        let opening = try await registry.open("toll")
        let claim = SessionClaim.shown(opening.token?.hash, isReading: false)
        let refused = InputRequest(try action(#"{"event":"refuse"}"#), for: claim)
        await #expect(throws: SessionError.self) { try await registry.handle(refused, on: opening.session.id) }
        await #expect {
            let request = InputRequest(try action(#"{"event":"add"}"#), for: .shown(nil, isReading: false))
            _ = try await registry.handle(request, on: opening.session.id)
        } throws: { error in
            guard case SessionError.denied = error else { return false }
            return true
        }
    }

    @Test func `an input is not handled if its client disconnects during the pause`() async throws {
        let id = try await open()
        await expectRefusal(of: id)
        let input = Task { try await send("add", to: id) }
        await until { clock.isAwaited(at: 1_100) }
        input.cancel()
        await #expect(throws: SessionError.self) { try await input.value }
        #expect(try await registry.snapshot(of: id).revision == 1)
    }
}

/// A journal in memory each of whose records takes some time to replay, by a clock that stands else.
private final class LongReplayJournal: JournalOverMemory {
    let memory = MemoryJournal()
    private let clock: ManualClock
    private let state = Mutex((time: Int64(100), readings: 0))

    init(_ clock: ManualClock) {
        self.clock = clock
    }

    /// The number of records that were read.
    var readings: Int { state.withLock { $0.readings } }

    /// Has a record take so many milliseconds.
    func setTime(_ time: Int64) { state.withLock { $0.time = time } }

    func record(of key: JournalKey) throws(JournalError) -> SessionRecord? {
        let time = state.withLock { state in
            state.readings += 1
            return state.time
        }
        clock.advance(by: time)
        return try memory.record(of: key)
    }
}

private enum TollApp: App {
    static let name = "toll"

    static func root(_ options: NoOptions) -> sending AnyCoordinator { TollCoordinator() }
}

private struct TollScreen: Screen {
    enum Event: String, Codable, CaseIterable { case add, wait, refuse }

    var count = 0
}

private final class TollCoordinator: Coordinator<Never> {
    private var screen: Handle<TollScreen>?

    override func start() {
        screen = push(TollScreen()) { me, event in
            me.screen?.update { $0.count += 1 }
            switch event {
            case .add: break
            case .wait: me.after(.milliseconds(500)) { me in me.screen?.update { $0.count += 1 } }
            case .refuse: throw Refusal("not that")
            }
        }
    }
}
