import HelloBye
import Synchronization
import Testing
import Usher
import UsherJournal
import UsherProcess
import UsherSessions

@Suite("Hibernation of unused sessions")
struct HibernationTests {
    private let clock = ManualClock()
    private let events = Observations()

    @Test func `a session that is not used releases its tree, and has the same state when it is used again`()
        async throws
    {
        let registry = registry()
        let session = try await registry.open("ledger").session
        try await session.send(#"{"event":{"add":{"_0":"tea"}}}"#)
        try await session.send(#"{"event":"roll"}"#)
        let (before, report) = (try await registry.snapshot(of: session.id), try await registry.report(of: session.id))
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        #expect(registry.liveCoordinators == 0)
        #expect(registry.sessionCount == 1)
        let after = try await registry.snapshot(of: session.id)
        #expect(after.text == before.text)
        #expect(try await registry.report(of: session.id) == report)
        #expect(registry.awakeCount == 1)
        #expect(registry.liveCoordinators == 1)
        #expect(registry.coordinatorCounts == CoordinatorCounts(created: 1, finished: 0, leaked: 0))
    }

    @Test func `a session that is used stays awake, even if it is only read`() async throws {
        let registry = registry()
        let (idle, read) = (try await registry.open("ledger").session, try await registry.open("ledger").session)
        clock.advance(by: 299_999)
        _ = try await registry.snapshot(of: read.id)
        clock.advance(by: 1)
        await registry.sweep()
        #expect(registry.awakeCount == 1)
        #expect(
            try await SessionList(of: registry).sessions(matching: SessionQuery(limit: 9)).sessions.filter {
                $0.awake != nil
            }.map(\.id)
                == [read.id])
        #expect(try await registry.snapshot(of: idle.id).revision == 1)
    }

    @Test func `a session object that has left memory fails each request, and the registry finds the session again`()
        async throws
    {
        let registry = registry()
        let session = try await registry.open("ledger").session
        clock.advance(by: 300_000)
        await registry.sweep()
        guard case .retired = try await session.error(of: #"{"event":"roll"}"#) else {
            Issue.record("it was handled by a session that has left memory")
            return
        }
        let action = try action(#"{"event":"roll"}"#)
        #expect(try await registry.handle(InputRequest(action), on: session.id).revision == 2)
    }

    @Test func `another process finds all sessions in the journal, and loads each only when it is requested`()
        async throws
    {
        let journal = MemoryJournal()
        let first = registry(journal)
        var states: [SessionID: String] = [:]
        for number in 0..<50 {
            let session = try await first.open("ledger").session
            for _ in 0..<number { try await session.send(#"{"event":"roll"}"#) }
            states[session.id] = try await session.snapshot().text
        }
        let second = registry(journal)
        #expect(second.sessionCount == 50)
        #expect(second.awakeCount == 0)
        for (id, state) in states { #expect(try await second.snapshot(of: id).text == state) }
    }

    @Test func `concurrent requests to a hibernating session get the same state from one replay`() async throws {
        let journal = SlowJournal()
        let session = try await registry(journal).open("ledger").session
        for _ in 0..<200 { try await session.send(#"{"event":"roll"}"#) }
        let expected = try await session.snapshot().text
        let registry = registry(journal)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try await registry.snapshot(of: session.id).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: expected, count: 16))
        #expect(journal.reads.load(ordering: .relaxed) == 1)
    }

    @Test func `a session that is deleted while it is being woken has ended for every request`()
        async throws
    {
        let journal = SlowJournal()
        let session = try await registry(journal).open("ledger").session
        let registry = registry(journal)
        let waking = Task { try await registry.snapshot(of: session.id) }
        while journal.reads.load(ordering: .relaxed) == 0 { await Task.yield() }
        #expect(try await registry.end(session.id).isEmpty)
        _ = try? await waking.value
        #expect(journal.headReads.load(ordering: .relaxed) <= 2)
        await #expect {
            try await registry.snapshot(of: session.id)
        } throws: { error in
            if case SessionError.ended = error { true } else { false }
        }
        #expect(registry.sessionCount == 0)
        #expect(registry.liveCoordinators == 0)
    }

    @Test func `a sweep returns the memory of many hibernated sessions to the system`() async throws {
        let reclaimed = Counter()
        let registry = SessionRegistry(apps: [LedgerApp.self], clock: clock, reclaim: reclaimed.increment)
        for _ in 0..<600 { _ = try await registry.open("ledger") }
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        #expect(reclaimed.count == 1)
    }

    @Test func `other tasks run while many sessions hibernate, even with one thread`() async throws {
        let thread = ElasticExecutor(limit: 1)
        let registry = registry(MemoryJournal())
        for _ in 0..<600 { _ = try await registry.open("ledger") }
        clock.advance(by: 300_000)
        let awake = await Task(executorPreference: thread) {
            // Both tasks wait for the thread of the current task.
            let sweep = Task(executorPreference: thread) { await registry.sweep() }
            let look = Task(executorPreference: thread) { registry.awakeCount }
            await sweep.value
            return await look.value
        }.value
        #expect((1..<600).contains(awake))
        #expect(registry.awakeCount == 0)
    }

    @Test func `a hibernated session with a damaged header can be neither read nor ended, and is reported once`()
        async throws
    {
        let journal = BrittleJournal()
        let registry = SessionRegistry(
            apps: [LedgerApp.self], journal: journal, clock: clock, tokens: TokenIssuer(key: [1]), observe: events.add)
        let opening = try await registry.open("ledger")
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        journal.damagesHeads.store(true, ordering: .relaxed)
        let (id, claim) = (opening.session.id, SessionClaim.shown(opening.token?.hash, isReading: true))
        await #expect(throws: SessionError.self) { try await registry.snapshot(of: id, for: claim) }
        await #expect(throws: SessionError.self) { try await registry.end(id) }
        // The hold is reported to the operator once, however many requests arrive.
        #expect(events.all.count { if case .held(id, .recordDamaged) = $0 { true } else { false } } == 1)
    }

    @Test(arguments: [true, false])
    func `when a session hibernates or ends, the coordinators of its dropped tree are no longer counted`(
        hibernates: Bool
    )
        async throws
    {
        let journal = BrittleJournal()
        let registry = registry(journal)
        let id = try await registry.open("ledger").session.id
        journal.isBroken.store(true, ordering: .relaxed)
        let roll = InputRequest(try action(#"{"event":"roll"}"#))
        await #expect(throws: SessionError.self) { try await registry.handle(roll, on: id) }
        journal.isUnreadable.store(true, ordering: .relaxed)
        await #expect(throws: SessionError.self) { try await registry.handle(roll, on: id) }
        journal.isBroken.store(false, ordering: .relaxed)
        journal.isUnreadable.store(false, ordering: .relaxed)
        if hibernates {
            clock.advance(by: 300_000)
            await registry.sweep()
        } else {
            _ = try await registry.end(id)
            #expect(registry.coordinatorCounts == CoordinatorCounts(created: 1, finished: 1, leaked: 0))
        }
        #expect(registry.awakeCount == 0)
        #expect(registry.liveCoordinators == 0)
    }

    @Test func `a coordinator that stays in memory after its session hibernates is reported`() async throws {
        let registry = registry()
        let session = try await registry.open("kept").session
        clock.advance(by: 300_000)
        await registry.sweep()
        guard case .leaked(session.id, let leaks) = events.all.first else {
            Issue.record("nothing was told: \(events.all)")
            return
        }
        #expect(leaks.map(\.type) == ["KeptCoordinator"])
    }

    private func registry(_ journal: any Journal = MemoryJournal()) -> SessionRegistry {
        SessionRegistry(
            apps: [HelloByeApp.self, LedgerApp.self, KeptApp.self], journal: journal, clock: clock, observe: events.add)
    }
}
