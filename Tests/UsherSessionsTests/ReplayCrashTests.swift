import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("A session whose replay crashes")
struct ReplayCrashTests {
    private let journal = BrittleJournal()
    private let clock = ManualClock()
    private let events = Observations()

    private func registry(_ app: any App.Type = FirstBuild.self, build: UInt64 = 1) async throws -> SessionRegistry {
        SessionRegistry(
            apps: [app], journal: journal, clock: clock,
            crashes: try await CrashSettings(reading: journal) { build }, observe: events.add)
    }

    /// A session of five revisions whose replay crashes at the fourth, and a registry that has it not in memory.
    private func trapped(_ events: [String] = ["walk", "look", "jump", "walk"], at revision: Int = 4) async throws
        -> (SessionRegistry, SessionID)
    {
        let first = try await registry()
        let id = try await first.open("builds").session.id
        for event in events { _ = try await send(event, id, first) }
        try await first.condemnReplay(of: id, at: revision)
        return (try await registry(), id)
    }

    private func send(_ event: String, _ id: SessionID, _ registry: SessionRegistry) async throws -> Snapshot {
        try await registry.handle(InputRequest(try action(#"{"event":"\#(event)"}"#)), on: id)
    }

    private func name(of body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SessionError)?.name
        }
    }

    @Test func `a session whose replay crashes is held only by the build that crashed`()
        async throws
    {
        let (registry, id) = try await trapped()
        for _ in 0..<2 {
            await #expect { try await registry.snapshot(of: id) } throws: { error in
                guard case .onHold(let reason)? = error as? SessionError else { return false }
                return reason == .replayCrashes(revision: 4, crash: "SIGILL in Shop.pay()")
            }
            #expect(await name { _ = try await send("walk", id, registry) } == "replayCrashes")
        }
        _ = try await registry.open("builds")
        #expect(try await self.registry(build: 2).snapshot(of: id).revision == 5)
    }

    @Test func `after three replays of an app crash within an hour, the app's next replays run isolated first`()
        async throws
    {
        let jury = Jury()
        let first = try await registry()
        var ids: [SessionID] = []
        for _ in 0..<5 { ids.append(try await first.open("builds").session.id) }
        for id in ids[..<3] { try await first.condemnReplay(of: id, at: 1) }
        let registry = SessionRegistry(
            apps: [FirstBuild.self], journal: journal, clock: clock,
            crashes: try await jury.settings(knowing: journal), observe: events.add)
        #expect(try await registry.snapshot(of: ids[3]).revision == 1)
        #expect(jury.runs.map(\.session) == [ids[3]])
        jury.say(.crashes(Crash("SIGILL", at: 1)))
        for _ in 0..<2 {
            #expect(await name { _ = try await registry.snapshot(of: ids[4]) } == "replayCrashes")
        }
        #expect(jury.runs.map(\.session) == [ids[3], ids[4]])
    }

    @Test func `a session whose replay crashes can be inspected and forked up to the revision that crashes`()
        async throws
    {
        let (registry, id) = try await trapped()
        #expect(String(decoding: try await registry.state(of: id, at: 3), as: UTF8.self).contains(#""revision":3"#))
        #expect(try await registry.entries(of: id, through: 3).count == 3)
        for revision in [4, 5] {
            #expect(await name { _ = try await registry.state(of: id, at: revision) } == "noRevision")
            #expect(await name { _ = try await registry.fork(id, at: revision) } == "noRevision")
        }
        #expect(await name { _ = try await registry.entries(of: id, through: nil) } == "noRevision")
        #expect(try await registry.fork(id, at: 3).snapshot.revision == 3)
        #expect(try await registry.end(id).isEmpty)
        #expect(await name { _ = try await registry.snapshot(of: id) } == "ended")
    }

    @Test(arguments: [1, 2, 3])
    func `a session whose replay crashes can continue from an earlier revision, in any build`(
        revision: Int
    ) async throws {
        let (registry, id) = try await trapped()
        let snapshot = try await registry.rollBack(id, to: revision)
        #expect(snapshot.revision == 6)
        #expect(snapshot.text.contains(#""resumed":{"revision":\#(revision),"#))
        #expect(snapshot.text.contains("input 4 (event jump) once led to the screen garden 3"))
        let walked = try await send("walk", id, registry)
        #expect(walked.revision == 7)
        #expect(walked.text.contains(#""id":5"#))
        #expect(!walked.text.contains(#""id":4"#))
        #expect(try await journal.guiltyInputs().isEmpty)
        for registry in [try await self.registry(), try await self.registry(build: 2)] {
            #expect(try await registry.snapshot(of: id).text == walked.text)
            #expect(try await registry.state(of: id, at: 7) == walked.state)
        }
        let kinds = try await registry.entries(of: id).map(\.kind)
        #expect(kinds == [.creation, .input, .input, .input, .input, .divergence, .input])
    }

    @Test func `a rollback takes effect, even if a crash left the record of the crashing replay in the journal`()
        async throws
    {
        let (registry, id) = try await trapped()
        let guilty = try await journal.guiltyInputs()
        let snapshot = try await registry.rollBack(id, to: 2)
        for input in guilty { try await journal.add(input) }
        let again = try await self.registry()
        #expect(try await again.snapshot(of: id).text == snapshot.text)
        #expect(try await journal.guiltyInputs().isEmpty)
    }

    @Test func `after a rollback, the session is served even if the journal cannot delete the record of the crash`()
        async throws
    {
        let (registry, id) = try await trapped()
        #expect(await name { _ = try await registry.snapshot(of: id) } == "replayCrashes")
        journal.failsLifts.store(true, ordering: .relaxed)
        #expect(try await registry.rollBack(id, to: 2).revision == 6)
        #expect(try await send("walk", id, registry).revision == 7)
        #expect(try await self.registry().snapshot(of: id).revision == 7)
    }

    @Test func `if a rollback cannot be recorded, the session stays held, and the rollback can be repeated`()
        async throws
    {
        let (registry, id) = try await trapped()
        journal.failOnce()
        #expect(await name { _ = try await registry.rollBack(id, to: 2) } == "notRecorded")
        #expect(await name { _ = try await registry.snapshot(of: id) } == "replayCrashes")
        #expect(try await registry.rollBack(id, to: 2).revision == 6)
    }

    @Test(arguments: [-1, 0, 4, 5, 6, .max, .min])
    func `a rollback to a missing or later revision is refused`(revision: Int) async throws {
        let (registry, id) = try await trapped()
        #expect(await name { _ = try await registry.rollBack(id, to: revision) } == "noRevision")
        #expect(await name { _ = try await registry.snapshot(of: id) } == "replayCrashes")
    }

    @Test func `a session whose creation crashes can only be ended`() async throws {
        let (registry, id) = try await trapped(["walk"], at: 1)
        #expect(await name { _ = try await registry.rollBack(id, to: 1) } == "noRevision")
        #expect(try await registry.end(id).isEmpty)
    }

    @Test func `a rollback is refused if the session works, is unknown or has ended`() async throws {
        let registry = try await registry()
        let id = try await registry.open("builds").session.id
        _ = try await send("walk", id, registry)
        #expect(await name { _ = try await registry.rollBack(id, to: 1) } == "noRevision")
        let other = SessionID(from: CountingRandom())
        #expect(await name { _ = try await registry.rollBack(other, to: 1) } == "unknown")
        _ = try await registry.end(id)
        #expect(await name { _ = try await registry.rollBack(id, to: 1) } == "ended")
    }

    @Test func `a session is served if it has started over since its replay crashed, and its rollback is refused`()
        async throws
    {
        let crashes = CrashSettings(build: { 1 })
        let first = SessionRegistry(apps: [CycleApp.self], journal: journal, clock: clock, crashes: crashes)
        let id = try await first.open("cycle").session.id
        for event in ["count", "count"] { _ = try await send(event, id, first) }
        try await first.condemnReplay(of: id, at: 3)
        // Another build serves the session in the meantime.
        let other = SessionRegistry(
            apps: [CycleApp.self], journal: journal, clock: clock,
            crashes: try await CrashSettings(reading: journal) { 2 })
        #expect(try await send("again", id, other).revision == 4)
        let registry = try await registry(CycleApp.self)
        await #expect { try await registry.rollBack(id, to: 4) } throws: { error in
            guard case SessionError.noRevision(let reason) = error else { return false }
            return reason.contains("the session can be replayed")
        }
        #expect(try await registry.snapshot(of: id).revision == 4)
    }

    @Test func `a session whose replay crashes again after a rollback can be rolled back further`() async throws {
        let (registry, id) = try await trapped()
        _ = try await registry.rollBack(id, to: 3)
        _ = try await send("walk", id, registry)
        try await registry.condemnReplay(of: id, at: 7)
        let again = try await self.registry()
        #expect(await name { _ = try await again.snapshot(of: id) } == "replayCrashes")
        // A rollback to a revision that is no longer replayed goes to the last replayed revision before it.
        #expect(try await again.rollBack(id, to: 5).text.contains(#""resumed":{"revision":3,"#))
        #expect(try await self.registry().snapshot(of: id).revision == 8)
    }
}
