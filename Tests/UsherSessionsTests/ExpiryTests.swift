import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("The expiry of unused sessions")
struct ExpiryTests {
    private static let day: Int64 = 24 * 60 * 60 * 1_000

    private let clock = ManualClock()
    private let events = Observations()
    private let journal = MemoryJournal()

    @Test(arguments: [true, false])
    func `a session that was not used for a day ends, whether it is in memory or hibernating`(isAwake: Bool)
        async throws
    {
        var bounds = SessionRegistry.Configuration()
        if isAwake { bounds.idleTime = .seconds(999_999) }
        let registry = registry(bounds)
        let options = Array(#"{"owner":"kim"}"#.utf8)
        let id = try await registry.open("ledger", options: options).session.id
        clock.advance(by: Self.day)
        await registry.sweep()
        guard case .ended(let tombstone) = try await error(registry, id) else {
            Issue.record("it lives")
            return
        }
        #expect(tombstone.reason == .expired)
        #expect(tombstone.time.milliseconds == Self.day)
        #expect(tombstone.app == "ledger")
        #expect(tombstone.ending.options == options)
        #expect(registry.sessionCount == 0)
        #expect(registry.liveCoordinators == 0)
        #expect(try journal.record(of: id.key)?.entries.isEmpty == true)
        guard case .expired(id) = events.all.last else {
            Issue.record("nobody was told")
            return
        }
    }

    @Test func `a refused input counts as use of the session, even after a crash`() async throws {
        let id = try await registry().open("ledger").session.id
        clock.advance(by: Self.day / 2)
        let refused = InputRequest(try action(#"{"event":"refuse"}"#))
        _ = await #expect(throws: SessionError.self) { try await registry().handle(refused, on: id) }
        clock.advance(by: Self.day / 2 + 1_000)
        let next = registry()
        await next.sweep()
        #expect(next.sessionCount == 1)
        clock.advance(by: Self.day)
        await next.sweep()
        #expect(next.sessionCount == 0)
    }

    @Test(arguments: [true, false])
    func `a request without the session's token does not count as use of the session`(isAwake: Bool) async throws {
        let registry = SessionRegistry(
            apps: [LedgerApp.self], journal: journal, clock: clock, tokens: TokenIssuer(key: [1]))
        let id = try await registry.open("ledger").session.id
        if !isAwake {
            clock.advance(by: Self.day / 2)
            await registry.sweep()
            #expect(registry.awakeCount == 0)
        }
        clock.advance(by: (isAwake ? Self.day : Self.day / 2) - 1)
        let claim = SessionClaim.shown(nil, isReading: false)
        let roll = InputRequest(try action(#"{"event":"roll"}"#), for: claim)
        _ = await #expect(throws: SessionError.self) { try await registry.handle(roll, on: id) }
        _ = await #expect(throws: SessionError.self) { try await registry.snapshot(of: id, for: claim) }
        clock.advance(by: 1)
        await registry.sweep()
        #expect(registry.sessionCount == 0)
    }

    @Test func `a watched session does not expire until its last watcher leaves`() async throws {
        let registry = registry()
        let id = try await registry.open("ledger").session.id
        let watcher = Onlooker()
        _ = try await registry.watch(id, by: watcher)
        for _ in 0..<5 {
            clock.advance(by: Self.day)
            await registry.sweep()
        }
        #expect(registry.sessionCount == 1)
        #expect(registry.awakeCount == 0)
        #expect(!watcher.sawEnd)
        registry.unwatch(id, by: watcher)
        clock.advance(by: Self.day + Self.day / 16)
        await registry.sweep()
        #expect(registry.sessionCount == 0)
    }

    @Test(arguments: [true, false])
    func `looking at a session as the operator does not count as use of the session`(isAwake: Bool) async throws {
        var bounds = SessionRegistry.Configuration()
        if isAwake { bounds.idleTime = .seconds(999_999) }
        let registry = registry(bounds)
        let id = try await registry.open("ledger").session.id
        let opened = clock.now()
        clock.advance(by: Self.day / 2)
        await registry.sweep()
        #expect(registry.awakeCount == (isAwake ? 1 : 0))
        _ = try await registry.snapshot(of: id, for: .operator)
        _ = try await registry.report(of: id)
        let list = SessionList(of: registry)
        #expect(try await list.sessions(matching: SessionQuery(limit: 9)).sessions.map(\.used) == [opened])
        let watcher = Onlooker()
        _ = try await registry.watch(id, by: watcher, for: .operator)
        clock.advance(by: Self.day / 2)
        await registry.sweep()
        #expect(registry.sessionCount == 0)
        #expect(watcher.sawEnd)
    }

    @Test func `the list shows the time of the session's last use, not the later time that the journal contains`()
        async throws
    {
        let registry = registry()
        let id = try await registry.open("ledger").session.id
        clock.advance(by: Self.day / 2)
        _ = try await registry.snapshot(of: id)
        let use = clock.now()
        let list = SessionList(of: registry)
        for _ in 0..<3 {
            clock.advance(by: Self.day / 64)
            await registry.sweep()
            #expect(try await list.sessions(matching: SessionQuery(limit: 9)).sessions.map(\.used) == [use])
        }
        #expect(registry.awakeCount == 0)
    }

    @Test func `if ended sessions occupy too much of the journal, the sessions that ended first are purged early`()
        async throws
    {
        var bounds = SessionRegistry.Configuration()
        bounds.residueLimit = 50_000
        let registry = registry(bounds)
        var ids: [SessionID] = []
        for number in 0..<1_000 {
            let key = IdempotencyKey("\(number)", fingerprint: 1)
            ids.append(try await registry.open("ledger", key: key).session.id)
            _ = try await registry.end(try #require(ids.last))
            clock.advance(by: 1)
        }
        #expect(journal.residue() > 50_000)
        await registry.sweep()
        #expect((1...50_000).contains(journal.residue()))
        guard case .unknown = try await error(registry, ids[0]) else {
            Issue.record("the oldest is known")
            return
        }
        guard case .ended = try await error(registry, ids[999]) else {
            Issue.record("the newest is forgotten")
            return
        }
    }

    private final class Onlooker: SessionWatcher {
        private let end = Atomic(false)
        var sawEnd: Bool { end.load(ordering: .relaxed) }
        func see(_ state: SharedSnapshot) {}
        func end(_ reason: WatchEnd) {
            if case .over = reason { end.store(true, ordering: .relaxed) }
        }
    }

    @Test func `each event and each read postpones the expiry of its session`() async throws {
        let registry = registry()
        let (sent, read) = (try await registry.open("ledger").session.id, try await registry.open("ledger").session.id)
        clock.advance(by: Self.day - 1)
        _ = try await registry.handle(InputRequest(try action(#"{"event":"roll"}"#)), on: sent)
        _ = try await registry.snapshot(of: read)
        for _ in 0..<3 {
            await registry.sweep()
            clock.advance(by: Self.day / 4)
        }
        #expect(registry.sessionCount == 2)
        clock.advance(by: Self.day / 4 - 1)
        await registry.sweep()
        #expect(registry.sessionCount == 2)
        clock.advance(by: 1)
        await registry.sweep()
        #expect(registry.sessionCount == 1)
        clock.advance(by: Self.day / 16)
        await registry.sweep()
        #expect(registry.sessionCount == 0)
    }

    @Test func `a read counts as use of the session, even if the process crashes afterwards`() async throws {
        let id = try await registry().open("ledger").session.id
        let second = registry()
        for _ in 0..<8 {
            clock.advance(by: Self.day / 4)
            _ = try await second.snapshot(of: id)
        }
        clock.advance(by: Self.day - 1)
        let third = registry()
        await third.sweep()
        #expect(third.sessionCount == 1)
        clock.advance(by: Self.day / 16 + 1)
        await third.sweep()
        #expect(third.sessionCount == 0)
    }

    @Test func `if a read cannot be recorded as use of its session, the next read is recorded`() async throws {
        let journal = BrittleJournal()
        let registry = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: clock)
        let id = try await registry.open("ledger").session.id
        clock.advance(by: Self.day / 2)
        journal.failOnce()
        _ = try await registry.snapshot(of: id)
        clock.advance(by: 1_000)
        _ = try await registry.snapshot(of: id)
        clock.advance(by: Self.day / 2)
        let next = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: clock)
        await next.sweep()
        #expect(next.sessionCount == 1)
    }

    @Test func `a sweep that is cancelled ends no more sessions`() async throws {
        let registry = registry()
        for _ in 0..<1_000 { _ = try await registry.open("ledger") }
        clock.advance(by: Self.day)
        let sweep = Task {
            while !Task.isCancelled { await Task.yield() }
            await registry.sweep()
        }
        sweep.cancel()
        await sweep.value
        #expect(registry.sessionCount == 1_000)
        await registry.sweep()
        #expect(registry.sessionCount == 0)
    }

    @Test func `after a restart, a read still counts as use, even if the session hibernated after the read`()
        async throws
    {
        let registry = registry()
        let id = try await registry.open("ledger").session.id
        clock.advance(by: Self.day / 2)
        _ = try await registry.snapshot(of: id)
        clock.advance(by: Self.day / 4)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        let next = self.registry()
        clock.advance(by: Self.day / 2)
        await next.sweep()
        #expect(next.sessionCount == 1)
        clock.advance(by: Self.day / 4 + Self.day / 16)
        await next.sweep()
        #expect(next.sessionCount == 0)
    }

    @Test func `a week after a session ended, its record is purged, and its id is unknown`() async throws {
        let registry = registry()
        let id = try await registry.open("ledger").session.id
        _ = try await registry.end(id)
        clock.advance(by: 7 * Self.day)
        await registry.sweep()
        guard case .ended = try await error(registry, id) else {
            Issue.record("it is forgotten")
            return
        }
        clock.advance(by: 1)
        await registry.sweep()
        guard case .unknown = try await error(registry, id) else {
            Issue.record("it is remembered")
            return
        }
    }

    @Test func `if the journal cannot be read, the expiry of sessions is postponed and reported`() async throws {
        let journal = BrittleJournal()
        let registry = SessionRegistry(
            apps: [LedgerApp.self], journal: journal, clock: clock, observe: events.add)
        _ = try await registry.open("ledger")
        clock.advance(by: Self.day)
        journal.isUnreadable.store(true, ordering: .relaxed)
        await registry.sweep()
        guard case .postponed = events.all.last else {
            Issue.record("nobody was told")
            return
        }
        journal.isUnreadable.store(false, ordering: .relaxed)
        journal.isBroken.store(true, ordering: .relaxed)
        await registry.sweep()
        #expect(registry.sessionCount == 1)
        journal.isBroken.store(false, ordering: .relaxed)
        await registry.sweep()
        #expect(registry.sessionCount == 0)
    }

    @Test func `a timer that is due after the session's expiry does not keep the session alive`() async throws {
        let registry = SessionRegistry(
            apps: [ErrandApp.self], journal: journal, clock: clock, observe: events.add)
        let session = try await registry.open("errand").session
        try await session.send(#"{"event":{"wait":{"_0":\#(2 * Self.day)}}}"#)
        clock.advance(by: Self.day)
        await registry.sweep()
        guard case .ended(let tombstone) = try await error(registry, session.id) else {
            Issue.record("it lives")
            return
        }
        #expect(tombstone.reason == .expired)
    }

    private func registry(_ bounds: SessionRegistry.Configuration = .init()) -> SessionRegistry {
        SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, journal: journal, clock: clock, observe: events.add)
    }

    private func error(_ registry: SessionRegistry, _ id: SessionID) async throws -> SessionError? {
        do throws(SessionError) {
            _ = try await registry.snapshot(of: id)
            return nil
        } catch {
            return error
        }
    }
}
