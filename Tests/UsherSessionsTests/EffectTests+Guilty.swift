import Testing
import Usher
import UsherJournal
import UsherSessions

/// Results and timers that ended the process.
extension EffectTests {
    private func guiltyRegistry(_ jury: Jury) async throws -> SessionRegistry {
        SessionRegistry(
            apps: [ErrandApp.self], journal: journal, clock: clock,
            crashes: try await jury.settings(knowing: journal), observe: events.add)
    }

    private func begin(_ event: String, in registry: SessionRegistry) async throws -> SessionID {
        let id = try await registry.open("errand").session.id
        _ = try await registry.handle(InputRequest(try action(#"{"event":\#(event)}"#)), on: id)
        return id
    }

    private func lastInput(of id: SessionID, in registry: SessionRegistry) async throws -> String {
        String(decoding: try await registry.entries(of: id).last?.payload ?? [], as: UTF8.self)
    }

    @Test(arguments: [#"{"effect":"2.1","success":"there"}"#, #"{"effect":"2.1","success":"elsewhere"}"#])
    func `an effect's result that crashed the server is recorded as refused, whatever the result contains`(
        payload: String
    ) async throws {
        courier.hold()
        let registry = try await guiltyRegistry(Jury())
        let id = try await begin(#"{"run":{"_0":"tea"}}"#, in: registry)
        await until { courier.waiting == ["tea"] }
        try await registry.condemn(payload, on: id)
        courier.release("there")
        await until { (try? await registry.snapshot(of: id))?.revision == 3 }
        #expect(try await lastInput(of: id, in: registry).hasPrefix(#"{"refused":"2.1","reason":"this input ended"#))
        #expect(try await registry.snapshot(of: id).text.contains(#""pending":[]"#))
        #expect(events.all.contains { if case .effectRefused(id, _) = $0 { true } else { false } })
        try await expectReplay(id)
    }

    @Test func `a timer that crashed the server is recorded as refused`() async throws {
        let registry = try await guiltyRegistry(Jury())
        let id = try await begin(#"{"wait":{"_0":5}}"#, in: registry)
        await until { clock.isAwaited(at: 5) }
        try await registry.condemn(#"{"timer":"2.1"}"#, on: id)
        clock.advance(by: 5)
        await until { (try? await registry.snapshot(of: id))?.revision == 3 }
        #expect(try await lastInput(of: id, in: registry).hasPrefix(#"{"refused":"2.1""#))
    }

    @Test
    func `if neither a result nor its refusal can be recorded, the effect stays pending and is not retried endlessly`()
        async throws
    {
        courier.hold()
        let registry = try await guiltyRegistry(Jury())
        let id = try await begin(#"{"run":{"_0":"tea"}}"#, in: registry)
        await until { courier.waiting == ["tea"] }
        try await registry.condemn(#"{"effect":"2.1","success":"there"}"#, on: id)
        try await registry.condemn(#"{"refused":"2.1","reason":"no"}"#, on: id)
        courier.release("there")
        await until { events.all.contains { if case .effectRefused(id, _) = $0 { true } else { false } } }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(try await registry.snapshot(of: id).revision == 2)
        #expect(events.all.count { if case .effectRefused(id, _) = $0 { true } else { false } } == 1)
    }

    @Test
    func `a result that may have crashed the server runs isolated first, and waits until that is possible`()
        async throws
    {
        courier.hold()
        let jury = Jury()
        let registry = try await guiltyRegistry(jury)
        for _ in 0..<3 {
            let id = try await begin(#"{"run":{"_0":"tea"}}"#, in: registry)
            try await registry.condemn(#"{"effect":"2.1","success":""}"#, on: id)
        }
        await until { courier.waiting.count == 3 }
        jury.say(.untried(reason: "there are no processes left"))
        let id = try await begin(#"{"run":{"_0":"milk"}}"#, in: registry)
        await until { courier.waiting.count == 4 }
        courier.release("there")
        await until { clock.isAwaited(at: 1_000) }
        #expect(try await registry.snapshot(of: id).revision == 2)
        jury.say(.ended(.restored))
        clock.advance(by: 1_000)
        await until { (try? await registry.snapshot(of: id))?.revision == 3 }
        #expect(try await registry.snapshot(of: id).text.contains(#""log":["there"]"#))
        #expect(jury.tried == Array(repeating: #"{"effect":"2.1","success":"there"}"#, count: 2))
    }
}
