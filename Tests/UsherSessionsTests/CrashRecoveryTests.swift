import Glibc
import Synchronization
import Testing
import Usher
import UsherJournal
import UsherProcess
import UsherSessions

@Suite("Inputs in progress at a crash, after the restart", .timeLimit(.minutes(5)))
struct CrashRecoveryTests {
    private let journal = BrittleJournal()
    private let clock = ManualClock()
    private let events = Observations()
    private let jury = Jury()

    private func registry(isolating: Bool = true) async throws -> SessionRegistry {
        var settings = try await CrashSettings(reading: journal) { 7 }
        if isolating { settings.runner = jury }
        return SessionRegistry(
            apps: [StepsApp.self], journal: journal, clock: clock, crashes: settings, observe: events.add)
    }

    private func mark(
        _ id: SessionID, _ payload: String = #"{"event":"push"}"#, _ kind: FlightMark.Kind = .input,
        upon revision: Int = 1, isCut: Bool = false, note: FlightMark.Note? = nil
    ) -> FlightMark {
        FlightMark(
            kind, of: (id.key.high, id.key.low), app: "steps", upon: revision, entryKind: 2,
            payload: Array(payload.utf8), isCut: isCut, note: note)
    }

    private func creation(note: FlightMark.Note? = nil) -> FlightMark {
        let payload = #"{"app":"steps","seed":5,"options":{}}"#
        return mark(SessionID(from: SystemRandom()), payload, .creation, upon: 0, note: note)
    }

    private func name(of body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SessionError)?.name
        }
    }

    /// The name of the error of a push; nil if it counts.
    private func push(_ id: SessionID, _ registry: SessionRegistry) async -> String? {
        await name { _ = try await registry.handle(InputRequest(try action(#"{"event":"push"}"#)), on: id) }
    }

    @Test func `after the restart, an input whose thread crashed is refused, and other inputs are accepted`()
        async throws
    {
        let before = try await registry()
        let (id, other) = (try await before.open("steps").session.id, try await before.open("steps").session.id)
        let registry = try await registry()
        await registry.recover(from: [mark(other), mark(id, note: .signal(SIGILL)), creation()])
        #expect(await push(id, registry) == "inputCrashes")
        #expect(await push(other, registry) == nil)
        _ = try await registry.open("steps")
        #expect(jury.tried.isEmpty)
        let incidents = try await registry.incidents()
        let incident = try #require(incidents.first)
        #expect(incidents.count == 1 && incident.isRefused)
        #expect(incident.input.site == .init(app: "steps", screen: "step", event: "event push"))
        #expect(incident.input.identity.revision == 1 && incident.input.crash == "SIGILL" && incident.input.build == 7)
        // The next process reads the guilty input from the journal.
        #expect(await push(id, try await self.registry()) == "inputCrashes")
    }

    @Test func `if it is unknown why the server ended, each input in progress runs isolated first, once`()
        async throws
    {
        let before = try await registry()
        let (id, other) = (try await before.open("steps").session.id, try await before.open("steps").session.id)
        let registry = try await registry()
        await registry.recover(from: [mark(id)])
        #expect(try await registry.incidents().map(\.isRefused) == [false])
        for (session, tried) in [(other, 0), (id, 1), (id, 1)] {
            #expect(await push(session, registry) == nil)
            #expect(jury.tried.count == tried)
        }
        #expect(try await registry.incidents().isEmpty, "an input that survived is no longer suspected")
        #expect(try await journal.guiltyInputs().isEmpty)
    }

    @Test func `an input that crashes its isolated run is refused, and still refused after another restart`()
        async throws
    {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        await registry.recover(from: [mark(id)])
        jury.say(.crashes(Crash("SIGKILL", in: "Shop.pay()")))
        for _ in 0..<2 { #expect(await push(id, registry) == "inputCrashes") }
        #expect(jury.tried == [#"{"event":"push"}"#])
        let incident = try #require(try await registry.incidents().first)
        #expect(incident.isRefused && incident.input.crash == "SIGKILL in Shop.pay()")
        #expect(await push(id, try await self.registry()) == "inputCrashes")
    }

    /// A session of an old build that the changed build resumes at revision 4.
    private func sessionToResume() async throws -> SessionID {
        let old = SessionRegistry(
            apps: [FirstBuild.self], journal: journal, clock: clock, crashes: CrashSettings(build: { 1 }))
        let id = try await old.open("builds").session.id
        for event in ["walk", "jump"] {
            _ = try await old.handle(InputRequest(try action(#"{"event":"\#(event)"}"#)), on: id)
        }
        return id
    }

    @Test func `an input that crashed a resumed session is refused if no isolated run is possible`() async throws {
        let id = try await sessionToResume()
        var settings = try await CrashSettings(reading: journal) { 2 }
        settings.runner = nil
        let new = SessionRegistry(apps: [ChangedBuild.self], journal: journal, clock: clock, crashes: settings)
        await new.recover(from: [mark(id, #"{"event":"walk"}"#, upon: 4, note: .signal(SIGILL))])
        let walk = InputRequest(try action(#"{"event":"walk"}"#))
        #expect(await name { _ = try await new.handle(walk, on: id) } == "inputCrashes")
        #expect(try await new.snapshot(of: id).revision == 4)
    }

    @Test
    func `an input that may have crashed a newly resumed session runs isolated on the resumed state`()
        async throws
    {
        let id = try await sessionToResume()
        let new = SessionRegistry(
            apps: [ChangedBuild.self], journal: journal, clock: clock,
            crashes: try await jury.settings(build: 2, knowing: journal))
        await new.recover(from: [mark(id, #"{"event":"walk"}"#, upon: 4)])
        let walk = InputRequest(try action(#"{"event":"walk"}"#))
        #expect(try await new.handle(walk, on: id).revision == 5)
        #expect(jury.tried == [#"{"event":"walk"}"#])
        #expect(jury.runs.map { $0.entries.map(\.revision) } == [[1, 2, 3, 4]])
    }

    @Test
    func `an input that the watchdog stopped runs isolated first, and other inputs are handled at once`()
        async throws
    {
        let before = try await registry()
        let (id, other) = (try await before.open("steps").session.id, try await before.open("steps").session.id)
        let registry = try await registry()
        await registry.recover(from: [mark(other), mark(id, note: .overtime(nanoseconds: 1))])
        #expect(await push(other, registry) == nil)
        #expect(jury.tried.isEmpty)
        jury.say(.crashes(Crash("timeout")))
        #expect(await push(id, registry) == "inputCrashes")
    }

    @Test func `if the input in progress was already durable, the session's replay runs isolated first`()
        async throws
    {
        let before = try await registry()
        let id = try await before.open("steps").session.id
        #expect(await push(id, before) == nil)
        let registry = try await registry()
        await registry.recover(from: [mark(id, note: .signal(SIGILL))])
        jury.say(.crashes(Crash("SIGILL", at: 2)))
        for _ in 0..<2 { #expect(await name { _ = try await registry.snapshot(of: id) } == "replayCrashes") }
        #expect(jury.tried == ["nil"])
    }

    @Test func `if a crash lost the inputs before the input that crashed, that input still runs isolated`()
        async throws
    {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        await registry.recover(from: [mark(id, upon: 3, note: .signal(SIGILL))])
        #expect(try await journal.guiltyInputs().isEmpty)
        jury.say(.crashes(Crash("SIGILL")))
        #expect(await push(id, registry) == "inputCrashes")
        #expect(jury.tried == [#"{"event":"push"}"#])
    }

    @Test(arguments: [FlightMark.Kind.look, .end, .replay])
    func `a session whose read, end or replay crashed is held only if the isolated run crashes too`(
        kind: FlightMark.Kind
    ) async throws {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        await registry.recover(from: [mark(id, "", kind, note: .signal(SIGSEGV))])
        jury.say(.crashes(Crash("SIGSEGV", at: 1)))
        #expect(await name { _ = try await registry.snapshot(of: id) } == "replayCrashes")
        #expect(registry.replayCrash(of: id)?.identity.revision == 1)
        #expect(try await registry.end(id).isEmpty)
    }

    @Test(arguments: [nil, FlightMark.Note.exit(3)])
    func `a session's creation that was in progress is refused only if its isolated run crashes too`(
        note: FlightMark.Note?
    ) async throws {
        let registry = try await registry()
        await registry.recover(from: [creation(note: note)])
        _ = try await registry.open("steps")
        #expect(jury.runs.map(\.app) == ["steps"])
        await registry.recover(from: [creation(note: note)])
        jury.say(.crashes(Crash("exit 3")))
        for _ in 0..<2 { #expect(await name { _ = try await registry.open("steps") } == "inputCrashes") }
        #expect(try await registry.incidents().first?.input.identity.session == nil)
        #expect(jury.runs.count == 2)
    }

    @Test func `a replay that may have crashed runs isolated before the operator views or forks the session`()
        async throws
    {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        await registry.recover(from: [mark(id, "", .replay, note: .overtime(nanoseconds: 1))])
        jury.say(.crashes(Crash("timeout", at: 1)))
        #expect(await name { _ = try await registry.state(of: id, at: 1) } == "noRevision")
        #expect(await name { _ = try await registry.fork(id, at: 1) } == "noRevision")
        #expect(jury.tried == ["nil"])
    }

    @Test func `while no isolated run is possible, inputs and replays that need an isolated run are not handled`()
        async throws
    {
        let before = try await registry()
        let (id, other) = (try await before.open("steps").session.id, try await before.open("steps").session.id)
        let registry = try await registry()
        await registry.recover(from: [mark(id), mark(other, "", .replay), creation()])
        jury.say(.untried(reason: "no child"))
        #expect(await push(id, registry) == "notTried")
        #expect(await name { _ = try await registry.snapshot(of: other) } == "notTried")
        #expect(await name { _ = try await registry.open("steps") } == "notTried")
        #expect(try await registry.snapshot(of: id).revision == 1, "only the suspected input waits, not its session")
        jury.say(.ended(.restored))
        #expect(await push(id, registry) == nil)
        #expect(try await registry.snapshot(of: other).revision == 1)
        _ = try await registry.open("steps")
    }

    @Test func `a server that makes no isolated runs refuses inputs that crashed, and handles others in progress`()
        async throws
    {
        let before = try await registry()
        let (id, other) = (try await before.open("steps").session.id, try await before.open("steps").session.id)
        let registry = try await registry(isolating: false)
        await registry.recover(from: [mark(other)])
        #expect(await push(other, registry) == nil)
        await registry.recover(from: [mark(id, note: .signal(SIGILL))])
        #expect(await push(id, registry) == "inputCrashes")
    }

    @Test func `if the crash of an input could not be recorded, the input runs isolated first`() async throws {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        journal.isBroken.store(true, ordering: .relaxed)
        await registry.recover(from: [mark(id, note: .signal(SIGILL))])
        journal.isBroken.store(false, ordering: .relaxed)
        #expect(await push(id, registry) == nil)
        #expect(jury.tried == [#"{"event":"push"}"#])
    }

    @Test func `a mark is ignored if its session is missing or its input is unreadable`()
        async throws
    {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        await registry.recover(from: [])
        await registry.recover(from: [mark(SessionID(from: SystemRandom()))])
        await registry.recover(from: [mark(id, isCut: true, note: .signal(SIGILL)), mark(id, "nonsense")])
        #expect(try await registry.incidents().isEmpty)
        #expect(await push(id, registry) == nil)
        #expect(jury.tried.isEmpty)
    }
}
