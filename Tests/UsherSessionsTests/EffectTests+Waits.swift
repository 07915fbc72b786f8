import Synchronization
import Testing
import Usher
import UsherJournal
import UsherMetrics
import UsherSessions

/// Answers that wait where the journal fails, and those that wait for them.
extension EffectTests {
    @Test func `a session can still hibernate after an input was lost, because no request waits for the input`()
        async throws
    {
        let id = try await registry.open("errand").session.id
        let first = await undone(id)
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        #expect(first == nil)
        // The key of the lost input can be used again.
        #expect(try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)).text.contains("tea done"))
    }

    @Test func `if an input did not become durable, a retry with the same key handles the input`() async throws {
        let id = try await registry.open("errand").session.id
        journal.hold()
        let first = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        await until { journal.waiting == 1 }
        let twin = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        for _ in 0..<1_000 { await Task.yield() }
        journal.failOnce()
        journal.release()
        await #expect(throws: SessionError.self) { try await first.value }
        #expect(try await twin.value.text.contains("tea done"))
        #expect(courier.ids.count == 1)
    }

    @Test(arguments: [true, false])
    func `a retry whose client disconnects stops waiting`(isWritten: Bool)
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let first = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        let twin = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        for _ in 0..<1_000 { await Task.yield() }
        if isWritten {
            // The waiting time is over, and the journal is about to store the answer.
            journal.hold()
            clock.advance(by: 5_000)
            // The journal may also be about to note a use, if the retry arrives this late.
            await until { journal.waitingAnswers == 1 }
            for _ in 0..<1_000 { await Task.yield() }
        }
        twin.cancel()
        let isTold = Atomic(false)
        let end = Task {
            _ = try? await twin.value
            isTold.store(true, ordering: .relaxed)
        }
        // A read of the session would wait for the journal, so only the retry's own waiting time can end its wait.
        if isWritten { journal.release() }
        await until { isTold.load(ordering: .relaxed) }
        courier.release()
        if !isWritten { await until { await revision(id) == 3 } }
        #expect(try await first.value.text.contains(isWritten ? "pending\":[\"errand" : "log\":[\"done\"]"))
        await end.value
    }

    @Test func `a retry during the first request gets the same bytes as the first request`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let first = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        let twins = (0..<4).map { _ in
            Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        }
        for _ in 0..<1_000 { await Task.yield() }
        courier.release()
        let answer = try await first.value
        for twin in twins { #expect(try await twin.value.text == answer.text) }
        #expect(courier.ids.count == 1)
    }

    @Test func `after a crash, a retry gets the current state, and its input is not handled again`()
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let first = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        // The process ends here, and another process continues with the journal.
        let next = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: clock)
        for wait in [nil, Duration.seconds(5)] {
            let again = try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: wait, in: next)
            #expect(again.isReplayed)
            #expect(again.revision == 2)
            #expect(again.text.contains(#""pending":["errand"]"#))
        }
        // The effect begins again with the services of the next server, which are this test's courier.
        await until { courier.ids.count == 2 }
        first.cancel()
        courier.release()
        _ = try? await first.value
    }

    @Test func `a session stays in memory while an effect's result must be delivered again`()
        async throws
    {
        var bounds = SessionRegistry.Configuration()
        bounds.idleTime = .milliseconds(500)
        let registry = SessionRegistry(apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock)
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#"{"run":{"_0":"tea"}}"#, id, in: registry)
        await until { courier.waiting == ["tea"] }
        journal.failOnce()
        courier.release()
        await until { clock.isAwaited(at: 1_000) }
        clock.advance(by: 600)
        for _ in 0..<3 { await registry.sweep() }
        clock.advance(by: 400)
        await until { (try? await registry.snapshot(of: id).revision) == 3 }
        #expect(courier.ids.count == 1)
    }

    @Test func `if neither a result nor its refusal can be recorded, the session can still hibernate and expire`()
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        _ = try await send(#""stray""#, id)
        await until { courier.waiting == ["stray"] }
        courier.release()
        await until { events.all.count >= 2 }
        clock.advance(by: 300_000)
        await until {
            await registry.sweep()
            return registry.awakeCount == 0
        }
        // A sweep does not wake the session, so the effect begins again only at the next request.
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        #expect(courier.ids.count == 1)
        #expect(try await registry.snapshot(of: id).text.contains(#""pending":["errand"]"#))
        await until { courier.waiting == ["stray"] }
        courier.release()
        await until { events.all.count >= 4 }
        // A read postpones the expiry, so wait longer than a day.
        clock.advance(by: 26 * 60 * 60 * 1_000)
        await until {
            await registry.sweep()
            return registry.sessionCount == 0
        }
        #expect(registry.sessionCount == 0)
    }

    @Test func `an input is counted once if its session ends while the answer waits`() async throws {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let waiting = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        _ = try await registry.end(id)
        _ = await #expect(throws: SessionError.self) { try await waiting.value }
        var writer = MetricsWriter()
        registry.writeMetrics(into: &writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let counted = text.split(separator: "\n").filter {
            $0.hasPrefix("usher_events_total{") && !$0.hasSuffix(" 0")
        }
        #expect(counted == [#"usher_events_total{app="errand",outcome="accepted"} 1"#])
        courier.release()
    }

    @Test func `an error that occurs after an input was accepted does not say that the input had no effect`()
        async throws
    {
        courier.hold()
        let id = try await registry.open("errand").session.id
        let waiting = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        await until { courier.waiting == ["tea"] }
        await until { clock.isAwaited(at: 5_000) }
        journal.hold()
        clock.advance(by: 5_000)
        // The journal is about to store the waiting answer under its key.
        await until { journal.waitingAnswers == 1 }
        journal.failOnce()
        journal.release()
        let error = await #expect(throws: SessionError.self) { try await waiting.value }
        guard case .outcomeUnknown = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await registry.snapshot(of: id).revision == 2)
        courier.release()
    }

    /// Sends an input that waits, and that is not made durable.
    private func undone(_ id: SessionID) async -> Snapshot? {
        journal.hold()
        let event = Task { try await send(#"{"run":{"_0":"tea"}}"#, id, key: "k", wait: .seconds(5)) }
        await until { journal.waiting == 1 }
        journal.failOnce()
        journal.release()
        return try? await event.value
    }
}
