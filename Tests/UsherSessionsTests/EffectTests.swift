import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("Effects of a session", .serialized, .timeLimit(.minutes(1)))
struct EffectTests {
    private let journal = BrittleJournal()
    private let clock = ManualClock()
    private let events = Observations()
    private let courier = Courier()
    private let registry: SessionRegistry

    init() {
        let courier = courier
        Courier.shared.withLock { $0 = courier }
        registry = SessionRegistry(
            apps: [ErrandApp.self], journal: journal, clock: clock, observe: events.add)
    }

    @Test func `an answer waits for what the input began, and for what that began`() async throws {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#"{"run":{"_0":"tea"}}"#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""log":["tea done"]"#))
        #expect(answer.text.contains(#""pending":[]"#))
        #expect(answer.revision == 3)
        let chained = try await send(#""chain""#, id, wait: .seconds(5))
        #expect(chained.text.contains(#""second done""#))
        #expect(chained.revision == 6)
    }

    @Test func `it waits no longer than it is asked to, and not at all where it is not`() async throws {
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

    @Test func `nothing begins before its input is kept, and what is not kept never`() async throws {
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

    @Test func `a failure is a result like any other`() async throws {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#"{"run":{"_0":"fail"}}"#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""log":["closed: the shop is closed"]"#))
    }

    @Test func `a coordinator that fails at a result is told so, and the session goes on`() async throws {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#""refuse""#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""pending":[]"#))
        #expect(answer.text.contains("not this"), "\(answer.text)")
        #expect(answer.revision == 3)
        #expect(try await send(#""look""#, id).revision == 4)
        try await expectReplay(id)
    }

    @Test func `an effect whose screen leaves lands nowhere`() async throws {
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

    @Test func `200 effects cancelled with their modal: none lands, and none is left running`() async throws {
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
        // An event behind all that could have come in.
        let after = try await send(#""look""#, id)
        #expect(after.revision == before.revision + 1)
        #expect(after.text.contains(#""log":[]"#))
        #expect(registry.census.leaked == 0)
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        #expect(registry.liveCoordinators == 0)
    }

    @Test func `a session that ends by a result says so to who waits`() async throws {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#""finish""#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""ended":{"reason":"finished","result":"last done"}"#), "\(answer.text)")
    }

    @Test func `what was under way when a process died runs again, under the same id, without a request`() async throws
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
        #expect(journal.memory.head(of: id.key)?.wakeAt == nil)
    }

    @Test func `a session with an effect under way does not expire`() async throws {
        var bounds = SessionRegistry.Configuration()
        // Else the work would take too long first.
        bounds.effectTime = .seconds(30 * 24 * 60 * 60)
        let registry = SessionRegistry(
            apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock, observe: events.add)
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await registry.handle(InputRequest(try action(#"{"event":{"run":{"_0":"tea"}}}"#)), on: id)
        await until { courier.waiting == ["tea"] }
        for _ in 0..<3 {
            clock.advance(by: 23 * 60 * 60 * 1_000)
            await registry.sweep()
        }
        #expect(registry.sessionCount == 1)
        courier.release("there")
        await until { (try? await registry.snapshot(of: id))?.revision == 3 }
    }

    @Test func `an answer that waits for a session which is deleted comes at once`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let waiting = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        _ = try await registry.end(id)
        let error = await #expect(throws: SessionError.self) { try await waiting.value }
        guard case .ended? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [true, false])
    func `an answer waits no longer once its client is gone, or the server goes`(isCancelled: Bool) async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let waiting = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        if isCancelled { waiting.cancel() } else { registry.endWaits() }
        #expect(try await waiting.value.text.contains(#""pending":["errand"]"#))
        courier.release("there")
        await until { await revision(id) == 3 }
        guard !isCancelled else { return }
        courier.hold()
        #expect(try await send(#"{"run":{"_0":"milk"}}"#, id, wait: .seconds(5)).text.contains("pending\":[\"errand"))
        courier.release()
    }

    @Test func `what has begun comes to its end in a session that takes no more inputs`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.inputLimit = 3
        let registry = SessionRegistry(
            apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock, observe: events.add)
        courier.hold()
        let id = try await registry.open("errand").session.id
        for goods in ["tea", "milk"] {
            let event = try action(#"{"event":{"run":{"_0":"\#(goods)"}}}"#)
            _ = try await registry.handle(InputRequest(event), on: id)
        }
        await until { courier.waiting.count == 2 }
        courier.release()
        await until { (try? await registry.snapshot(of: id))?.text.contains(#""pending":[]"#) ?? false }
        let state = try await registry.snapshot(of: id)
        #expect(state.revision == 5)
        #expect(state.text.contains(#""log":[]"#))
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
    }

    @Test func `a timer is due on the session's clock, also after hibernating`() async throws {
        let id = try await registry.open("errand").session.id
        let answer = try await send(#"{"wait":{"_0":600000}}"#, id, wait: .seconds(5))
        #expect(answer.text.contains(#""pending":["timer"]"#))
        clock.advance(by: 400_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        clock.advance(by: 150_000)
        await registry.sweep()
        #expect(registry.awakeCount == 1)
        await until { clock.isAwaited(at: 600_000) }
        clock.advance(by: 50_000)
        await until { await revision(id) == 3 }
        #expect(try await registry.snapshot(of: id).text.contains("waited 600000"))
        try await expectReplay(id)
    }

    @Test func `a session with an effect under way stays awake`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.idleTime = .seconds(30)
        let registry = SessionRegistry(
            apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock)
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id, in: registry)
        await until { courier.waiting == ["tea"] }
        clock.advance(by: 30_000)
        await registry.sweep()
        #expect(registry.awakeCount == 1)
        courier.release()
    }

    @Test func `an effect that never returns is given up`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        await until { courier.waiting == ["tea"] && clock.isAwaited(at: 60_000) }
        clock.advance(by: 60_000)
        await until { await revision(id) == 3 }
        #expect(try await registry.snapshot(of: id).text.contains("timeout: the work took too long"))
        courier.release()
    }

    @Test func `the answer that has waited is the one that a key gets again, and a twin waits for it`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let first = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a", wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        let twin = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a", wait: .seconds(5)) }
        for _ in 0..<1_000 { await Task.yield() }
        courier.release("tea")
        let answer = try await first.value
        #expect(answer.text.contains(#""log":["tea"]"#))
        #expect(try await twin.value.text == answer.text)
        #expect(try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a").text == answer.text)
        let next = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: clock)
        #expect(try await send(#"{"run":{"_0":"tea"}}"#, id, key: "a", in: next).text == answer.text)
        #expect(courier.ids.count == 1)
    }

    @Test func `a fork's effects fail, for they are the other's`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id)
        await until { courier.waiting == ["tea"] }
        let (_, snapshot) = try await registry.fork(id, at: 2)
        #expect(snapshot.text.contains("forked"), "\(snapshot.text)")
        #expect(courier.ids.count == 1)
        courier.release()
    }

    @Test func `a client that waits for a revision gets it as soon as it is there, or what there is after a time`()
        async throws
    {
        let id = try await registry.open("errand").session.id
        let poll = Task { try await registry.snapshot(of: id, beyond: 1, within: .seconds(20)) }
        await until { registry.watcherCount == 1 && clock.isAwaited(at: 20_000) }
        _ = try await send(#""look""#, id)
        #expect(try await poll.value.revision == 2)
        let late = Task { try await registry.snapshot(of: id, beyond: 2, within: .seconds(30)) }
        await until { clock.isAwaited(at: 30_000) }
        clock.advance(by: 30_000)
        #expect(try await late.value.revision == 2)
        #expect(registry.watcherCount == 0)
        #expect(try await registry.snapshot(of: id, beyond: 1, within: .seconds(30)).revision == 2)
    }

    private func expectReplay(_ id: SessionID) async throws {
        let expected = try await registry.snapshot(of: id).text
        let other = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: clock)
        #expect(try await other.snapshot(of: id).text == expected)
    }

    private func revision(_ id: SessionID) async -> Int {
        (try? await registry.snapshot(of: id).revision) ?? 0
    }

    private func send(
        _ event: String, _ id: SessionID, key: String? = nil, wait: Duration? = nil, in other: SessionRegistry? = nil
    ) async throws -> Snapshot {
        let action = try action(#"{"event":\#(event)}"#)
        let key = key.map { IdempotencyKey($0, fingerprint: 1) }
        return try await (other ?? registry).handle(InputRequest(action, key: key, wait: wait), on: id)
    }

    /// The suite's time limit ends what never is.
    private func until(_ condition: () async -> Bool) async {
        while !(await condition()), !Task.isCancelled { await Task.yield() }
    }
}
