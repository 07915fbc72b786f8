import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("Effects of a session", .serialized, .timeLimit(.minutes(5)))
struct EffectTests {
    let journal = BrittleJournal()
    let clock = ManualClock()
    let events = Observations()
    let courier = Courier()
    let registry: SessionRegistry

    init() {
        let courier = courier
        Courier.shared.withLock { $0 = courier }
        registry = SessionRegistry(
            apps: [ErrandApp.self], journal: journal, clock: clock, observe: events.add)
    }

    @Test func `an answer waits for the effects that its input begins, and for the effects that follow from them`()
        async throws
    {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#"{"run":{"_0":"tea"}}"#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""log":["tea done"]"#))
        #expect(answer.text.contains(#""pending":[]"#))
        #expect(answer.revision == 3)
        let chained = try await send(#""chain""#, id, wait: .seconds(5))
        #expect(chained.text.contains(#""second done""#))
        #expect(chained.revision == 6)
    }

    @Test func `an answer waits as long as the client requested, or not at all`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let now = try await send(#"{"run":{"_0":"tea"}}"#, id)
        #expect(now.text.contains(#""pending":["errand"]"#))
        let waiting = Task { try await send(#"{"run":{"_0":"milk"}}"#, id, wait: .seconds(5)) }
        await until { courier.waiting.count == 2 }
        await until { clock.isAwaited(at: 5_000) }
        clock.advance(by: 5_000)
        #expect(try await waiting.value.text.contains(#""pending":["errand","errand"]"#))
        courier.release("there")
        await until { await revision(id) == 5 }
        #expect(try await registry.snapshot(of: id).text.contains(#""log":["there","there"]"#))
    }

    @Test func `an effect begins when its input is durable, and does not begin if the input is lost`() async throws {
        let id = try await registry.open("errand").session.id
        journal.hold()
        let event = Task { try await send(#"{"run":{"_0":"tea"}}"#, id) }
        await until { journal.waiting == 1 }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(courier.ids.isEmpty)
        journal.isBroken.store(true, ordering: .relaxed)
        journal.release()
        await #expect(throws: SessionError.self) { try await event.value }
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(try await registry.snapshot(of: id).revision == 1)
        #expect(courier.ids.isEmpty)
    }

    @Test func `a result that does not become durable is logged, and is delivered again until it is durable`()
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        await until { courier.waiting == ["tea"] }
        journal.failOnce()
        courier.release()
        await until { clock.isAwaited(at: 1_000) }
        guard case .effectPostponed(id, cause: let cause) = events.all.last else {
            Issue.record("nobody was told")
            return
        }
        #expect(cause.contains("the disk is full"))
        clock.advance(by: 1_000)
        await until { await revision(id) == 3 }
        #expect(courier.ids.count == 1)
    }

    @Test func `an effect that fails delivers its failure to the coordinator`() async throws {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#"{"run":{"_0":"fail"}}"#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""log":["closed: the shop is closed"]"#))
    }

    @Test func `a coordinator that throws an error for a result gets a failure instead, and the session continues`()
        async throws
    {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#""refuse""#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""pending":[]"#))
        #expect(answer.text.contains("not this"), "\(answer.text)")
        #expect(answer.revision == 3)
        #expect(try await send(#""look""#, id).revision == 4)
        try await expectReplay(id)
    }

    @Test
    func `if neither a result nor its refusal can be recorded, delivery is not retried endlessly`()
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#""stray""#, id)
        await until { courier.waiting == ["stray"] }
        courier.release()
        await until { events.all.count >= 2 }
        for _ in 0..<10_000 { await Task.yield() }
        let told = events.all.map { "\($0)" }
        #expect(told.count == 2 && told[0].contains("not this") && told[1].contains("not that either"), "\(told)")
        #expect(try await send(#""look""#, id).revision == 3)
    }

    @Test func `an effect's result is dropped if the screen that began the effect has left`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#""sheet""#, id)
        _ = try await send(#""look""#, id)
        await until { courier.waiting == ["sheet"] }
        let back = InputRequest(try action(#"{"back":true}"#))
        #expect(try await registry.handle(back, on: id).text.contains(#""pending":[]"#))
        courier.release()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(try await registry.snapshot(of: id).revision == 4)
    }

    @Test func `if 200 modals close, their effects are cancelled and deliver no result`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        for round in 1...200 {
            _ = try await send(#""sheet""#, id)
            _ = try await send(#""look""#, id)
            await until { courier.waiting.count == round }
            let back = try await registry.handle(InputRequest(try action(#"{"back":true}"#)), on: id)
            #expect(back.text.contains(#""pending":[]"#))
        }
        let before = try await registry.snapshot(of: id)
        courier.release()
        // This event is handled after every result that could still arrive.
        let after = try await send(#""look""#, id)
        #expect(after.revision == before.revision + 1)
        #expect(after.text.contains(#""log":[]"#))
        #expect(registry.coordinatorCounts.leaked == 0)
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        #expect(registry.liveCoordinators == 0)
    }

    @Test func `if an effect's result ends the session, the answer that waits for the effect reports the end`()
        async throws
    {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#""finish""#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""ended":{"reason":"finished","result":"last done"}"#), "\(answer.text)")
    }

    @Test func `after a crash, interrupted effects begin again with the same id, even without a request`() async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        await until { courier.waiting == ["tea"] }
        let next = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: clock)
        await next.sweep()
        await until { courier.waiting == ["tea", "tea"] }
        #expect(Set(courier.ids).count == 1)
        courier.release()
        await until { (try? journal.memory.record(of: id.key))??.head.revision == 3 }
        #expect(journal.memory.head(of: id.key)?.header.wakeAt == nil)
    }

    func expectReplay(_ id: SessionID) async throws {
        let expected = try await registry.snapshot(of: id).text
        let other = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: clock)
        #expect(try await other.snapshot(of: id).text == expected)
    }

    func revision(_ id: SessionID) async -> Int {
        (try? await registry.snapshot(of: id).revision) ?? 0
    }

    func send(
        _ event: String, _ id: SessionID, key: String? = nil, wait: Duration? = nil, in other: SessionRegistry? = nil
    ) async throws -> Snapshot {
        let action = try action(#"{"event":\#(event)}"#)
        let key = key.map { IdempotencyKey($0, fingerprint: 1) }
        return try await (other ?? registry).handle(InputRequest(action, key: key, wait: wait), on: id)
    }

    /// The suite's time limit ends what never is.
    func until(_ condition: () async -> Bool) async {
        while !(await condition()), !Task.isCancelled { await Task.yield() }
    }
}
