import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherMetrics
import UsherSessions

@Suite("Inputs that crashed the server")
struct GuiltyInputTests {
    private let journal = BrittleJournal()
    private let clock = ManualClock()
    private let events = Observations()
    private let jury = Jury()

    private func registry(build: UInt64 = 1) async throws -> SessionRegistry {
        SessionRegistry(
            apps: [StepsApp.self, PlacesApp.self, ErrandApp.self], journal: journal, clock: clock,
            crashes: try await jury.settings(build: build, knowing: journal), observe: events.add)
    }

    /// The error of an input; nil where it counts.
    private func error(
        of text: String = #"{"event":"push"}"#, _ id: SessionID, in registry: SessionRegistry, key: String? = nil
    ) async throws -> SessionError? {
        let request = InputRequest(try action(text), key: key.map { IdempotencyKey($0, fingerprint: 1) })
        do throws(SessionError) {
            _ = try await registry.handle(request, on: id)
            return nil
        } catch {
            return error
        }
    }

    private func outcomes(of registry: SessionRegistry) -> Int {
        var writer = MetricsWriter()
        registry.writeMetrics(into: &writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let line = text.split(separator: "\n").first {
            $0.hasPrefix(#"usher_events_total{app="steps",outcome="crashes"}"#)
        }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    @Test
    func `an input that crashed is refused, whatever its key, until the session changes`()
        async throws
    {
        let registry = try await registry()
        let id = try await registry.open("steps").session.id
        try await registry.condemn(#"{"event":"push"}"#, on: id, for: Crash("SIGILL", in: "Shop.pay()"))
        for key in [nil, "a", "b"] {
            guard case .inputCrashes(let input, let current)? = try await error(id, in: registry, key: key) else {
                Issue.record("it was not refused")
                return
            }
            #expect(input.crash == "SIGILL in Shop.pay()")
            #expect(input.site == .init(app: "steps", screen: "step", event: "event push"))
            #expect(current?.revision == 1)
        }
        #expect(outcomes(of: registry) == 3)
        // Another input is handled, and at the next revision the guilty input is handled too.
        #expect(try await error(of: #"{"screen":1,"event":"push"}"#, id, in: registry) == nil)
        #expect(try await error(id, in: registry) == nil)
        #expect(jury.tried.isEmpty)
        guard case .guilty(let input)? = events.all.first, input.identity.session == id.journalKey else {
            Issue.record("nobody was told")
            return
        }
    }

    @Test func `an input that crashed is still refused after a restart, and another build accepts it`() async throws {
        let first = try await registry()
        let id = try await first.open("steps").session.id
        try await first.condemn(#"{"event":"push"}"#, on: id)
        #expect(try await error(id, in: try await registry())?.name == "inputCrashes")
        #expect(try await error(id, in: try await registry(build: 2)) == nil)
    }

    @Test func `a backend's message or a link that crashed the server is refused too`() async throws {
        let registry = try await registry()
        let id = try await registry.open("errand").session.id
        let message = #"{"message":{"text":"boo"}}"#
        try await registry.condemn(message, on: id)
        let content = try InputContent(payload: JSONDocument(parsing: Array(message.utf8)).root)
        await #expect(throws: SessionError.self) { try await registry.handle(InputRequest(content), on: id) }
        let link = #"{"open":["none"]}"#
        try await registry.condemn(link, on: id)
        #expect(try await error(of: link, id, in: registry)?.name == "inputCrashes")
        #expect(try await error(of: #"{"open":["other"]}"#, id, in: registry)?.name == "rejected")
        let sites = try await journal.guiltyInputs().map(\.site.event)
        #expect(sites == ["message", "link"])
    }

    @Test func `a session's creation that crashed is recognized by app, options and link, but not by seed`()
        async throws
    {
        let registry = try await registry()
        let payload = #"{"app":"places","seed":7,"options":{}}"#
        try await registry.condemnCreation(payload, of: "places", for: Crash("timeout"))
        for key in [nil, IdempotencyKey("k", fingerprint: 1)] {
            await #expect {
                _ = try await registry.open("places", key: key)
            } throws: { error in
                guard case .inputCrashes(let input, current: nil)? = error as? SessionError else { return false }
                return input.crash == "timeout" && input.identity.session == nil
            }
        }
        _ = try await registry.open("places", link: [JSONDocument(parsing: Array("\"hall\"".utf8)).root])
        _ = try await registry.open("steps")
        #expect(registry.sessionCount == 2)
    }

    @Test func `an input is not refused if its crash could not be recorded`() async throws {
        let registry = try await registry()
        let id = try await registry.open("steps").session.id
        journal.isBroken.store(true, ordering: .relaxed)
        await #expect(throws: SessionError.self) { try await registry.condemn(#"{"event":"push"}"#, on: id) }
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(try await error(id, in: registry) == nil)
        #expect(events.all.isEmpty)
    }

    // MARK: The rule of three

    /// Opens a session and condemns its first push.
    private func crash(_ registry: SessionRegistry) async throws {
        let id = try await registry.open("steps").session.id
        try await registry.condemn(#"{"event":"push"}"#, on: id)
    }

    @Test
    func `after an event has crashed three times on one screen within an hour, the event runs isolated first`()
        async throws
    {
        let first = try await registry()
        for _ in 0..<2 {
            try await crash(first)
            clock.advance(by: 1_800_000)
        }
        let id = try await first.open("steps").session.id
        #expect(try await error(id, in: first) == nil)
        #expect(jury.tried.isEmpty)
        try await crash(first)
        for registry in [first, try await registry()] {
            let before = jury.tried.count
            #expect(try await error(id, in: registry) == nil)
            #expect(jury.tried.count == before + 1)
            // Other events at this screen, and other screens, do not run isolated.
            #expect(try await error(of: #"{"event":"refuse"}"#, id, in: registry)?.name == "rejected")
            _ = try await registry.open("places")
            #expect(jury.tried.count == before + 1)
        }
        let run = try #require(jury.runs.first)
        #expect(run.session == id)
        #expect(run.entries.count == 2)
        #expect(run.input?.revision == 3)
        #expect(try await error(id, in: try await registry(build: 2)) == nil)
        #expect(jury.tried.count == 2)
    }

    @Test func `three crashes at one place over more than an hour do not make later inputs run isolated`() async throws
    {
        let registry = try await registry()
        for _ in 0..<6 {
            try await crash(registry)
            clock.advance(by: 1_800_001)
        }
        let id = try await registry.open("steps").session.id
        #expect(try await error(id, in: registry) == nil)
        #expect(jury.tried.isEmpty)
    }

    @Test func `an input whose crash is recorded several times counts as one crash`() async throws {
        let registry = try await registry()
        let id = try await registry.open("steps").session.id
        for _ in 0..<5 { try await registry.condemn(#"{"event":"push"}"#, on: id) }
        #expect(try await error(try await registry.open("steps").session.id, in: registry) == nil)
        #expect(jury.tried.isEmpty)
    }

    @Test func `an input that crashes its isolated run is refused, and does not run again`() async throws {
        let registry = try await registry()
        for _ in 0..<3 { try await crash(registry) }
        let id = try await registry.open("steps").session.id
        jury.say(.crashes(Crash("SIGSEGV")))
        for _ in 0..<2 { #expect(try await error(id, in: registry)?.name == "inputCrashes") }
        #expect(jury.tried == [#"{"event":"push"}"#])
        #expect(try await journal.guiltyInputs().last?.crash == "SIGSEGV")
        #expect(try await error(id, in: try await self.registry())?.name == "inputCrashes")
    }

    @Test func `an input whose isolated run is impossible is not handled now, and may be sent again`() async throws {
        let registry = try await registry()
        for _ in 0..<3 { try await crash(registry) }
        let id = try await registry.open("steps").session.id
        jury.say(.untried(reason: "there are no processes left"))
        #expect(try await error(id, in: registry)?.name == "notTried")
        #expect(try await registry.snapshot(of: id).revision == 1)
        jury.say(.crashes(Crash("SIGSEGV")))
        journal.isBroken.store(true, ordering: .relaxed)
        #expect(try await error(id, in: registry)?.name == "notRecorded")
        journal.isBroken.store(false, ordering: .relaxed)
        jury.say(.ended(.restored))
        #expect(try await error(id, in: registry) == nil)
    }

    @Test func `an isolated run is not repeated endlessly if it crashes before it reaches the input`() async throws {
        let registry = try await registry()
        for _ in 0..<3 { try await crash(registry) }
        let id = try await registry.open("steps").session.id
        jury.say(.crashes(Crash("SIGSEGV", at: 1)))
        #expect(try await error(id, in: registry)?.name == "replayCrashes")
        #expect(jury.tried.count == 1)
        #expect(try await journal.guiltyInputs().last?.identity.kind == .replay)
    }

    @Test func `after the creations of three sessions crashed, the next creation runs isolated first`() async throws {
        let registry = try await registry()
        for options in ["1", "2", "3"] {
            let payload = #"{"app":"steps","seed":7,"options":{"number":\#(options)}}"#
            try await registry.condemnCreation(payload, of: "steps", for: Crash("SIGILL"))
        }
        _ = try await registry.open("steps")
        #expect(jury.runs.map(\.app) == ["steps"])
        jury.say(.crashes(Crash("memory")))
        for _ in 0..<2 {
            await #expect { _ = try await registry.open("steps") } throws: {
                ($0 as? SessionError)?.name == "inputCrashes"
            }
        }
        #expect(jury.runs.count == 2)
        #expect(registry.sessionCount == 1)
    }

    @Test func `records of crashes are deleted a week after their build was replaced`() async throws {
        try await crash(try await registry(build: 1))
        clock.advance(by: 8 * 24 * 3_600_000)
        try await crash(try await registry(build: 2))
        let third = try await registry(build: 3)
        await third.sweep()
        #expect(try await journal.guiltyInputs().map(\.build) == [1, 2], "the clock may be wrong")
        clock.advance(by: 3_600_000)
        await third.sweep()
        #expect(try await journal.guiltyInputs().map(\.build) == [2])
        let fourth = try await registry(build: 4)
        clock.advance(by: 3_600_000)
        clock.jump(by: 8 * 24 * 3_600_000)
        await fourth.sweep()
        #expect(try await journal.guiltyInputs().map(\.build) == [2], "the clock has jumped")
    }
}
