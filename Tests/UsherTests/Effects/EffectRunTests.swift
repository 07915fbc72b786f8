import Testing
import Usher
import UsherJSON

@Suite("Effects: outcomes of running them")
struct EffectRunTests {
    @Test func `an effect's output is encoded as JSON`() async throws {
        #expect(try await outcome(of: Echo("hello")).text == #""hello""#)
    }

    @Test func `an effect gets the app's services and the effect's own id`() async throws {
        #expect(try await outcome(of: CountEffect(), with: FixedCount()).text == #"{"count":42,"id":"session/2.1"}"#)
    }

    @Test func `an effect fails if the app's services have the wrong type`() async throws {
        #expect(try await outcome(of: CountEffect(), with: NoServices()).text == "services")
        #expect(try await outcome(of: CountEffect(), with: "text").text == "services")
    }

    @Test func `an effect causes a warning in the state if its services are missing`() async throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.perform(CountEffect()) { _, _ in } }]))
        try walker.send("one")
        try walker.handle(.result(try #require(EffectID("2.1")), try await walker.run("2.1")))
        let warnings = try walker.state[member: "warnings"]?.elements.compactMap(\.string) ?? []
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix(#"scripted: the effect "count" was not run"#) == true, "\(warnings)")
        #expect(warnings.first?.contains("App.services()") == true, "\(warnings)")
    }

    @Test func `an effect that itself throws a failure with the code of missing services causes no warning`() throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.perform(CountEffect()) { _, _ in } }]))
        try walker.send("one")
        try walker.fail("2.1", "services")
        #expect(try walker.text("warnings") == "")
    }

    @Test func `an effect that needs no services runs whatever the app's services are`() async throws {
        #expect(try await outcome(of: Echo("hello"), with: FixedCount()).text == #""hello""#)
    }

    @Test func `a failure that an effect throws is the effect's outcome`() async throws {
        let failure = EffectFailure(code: "offline", message: "no network")
        guard case .failure(failure) = try await outcome(of: Failing(error: failure)) else {
            Issue.record("another outcome")
            return
        }
    }

    @Test func `an effect that is cancelled fails with a separate code`() async throws {
        #expect(try await outcome(of: Failing(error: CancellationError())).text == "cancelled")
    }

    @Test func `an error that is not an EffectFailure is hidden from clients and kept for the log`() async throws {
        guard case .failure(let failure) = try await outcome(of: Failing(error: Refusal("password is pear"))) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure == EffectFailure(code: "failed", message: "the work failed"))
        #expect(failure.cause?.contains("pear") == true)
        var writer = JSONWriter()
        try writer.encode(failure)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"code":"failed","message":"the work failed"}"#)
    }

    @Test func `an output may have up to 64 KiB`() async throws {
        let limit = Limits().outputBytes
        #expect(limit == 64 * 1024)
        #expect(try await outcome(of: Echo(String(repeating: "x", count: limit - 2))).text.utf8.count == limit)
        #expect(try await outcome(of: Echo(String(repeating: "x", count: limit - 1))).text == "tooLarge")
    }

    @Test func `a failure that exceeds 64 KiB becomes the failure tooLarge`() async throws {
        let failure = EffectFailure(code: "long", message: String(repeating: "x", count: 64 * 1024))
        #expect(try await outcome(of: Failing(error: failure)).text == "tooLarge")
    }

    @Test func `an effect fails if its output cannot be encoded`() async throws {
        #expect(try await outcome(of: Infinite()).text == "failed")
    }

    @Test func `work can run after its coordinator has left`() async throws {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.echo("late") }, .two: { $0.finish("") }]))
        try walker.send("one")
        let work = try #require(walker.tree.work.first)
        try walker.send("two")
        guard case .effect(let run) = work.kind else { return }
        #expect(await run(NoServices(), "1").text == #""late""#)
        #expect(walker.tree.leaks == [])
    }

    private func outcome(
        of effect: some Effect, with services: any Sendable = NoServices()
    ) async throws -> EffectOutcome {
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { $0.perform(effect) { _, _ in } }]))
        try walker.send("one")
        return try await walker.run("2.1", with: services)
    }
}

/// An effect whose output cannot be encoded as JSON.
private struct Infinite: Effect {
    func run(_ context: EffectContext<NoServices>) async throws -> Double { .infinity }
}
