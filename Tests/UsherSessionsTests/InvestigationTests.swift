import Synchronization
import Testing
import Usher
import UsherJournal
import UsherProcess
import UsherSessions

@Suite("The investigation of a crash", .timeLimit(.minutes(5)))
struct InvestigationTests {
    private let journal = MemoryJournal()
    private let clock = ManualClock()
    private let events = Observations()
    private let jury = Jury()

    private func registry(trials: Bool = true) async throws -> SessionRegistry {
        var settings = try await TrialSettings(reading: journal) { 7 }
        if trials { settings.runner = jury }
        return SessionRegistry(
            apps: [StepsApp.self], journal: journal, clock: clock, trials: settings, observe: events.add)
    }

    private func mark(
        _ id: SessionID, _ payload: String = #"{"event":"push"}"#, _ kind: FlightMark.Kind = .input,
        upon revision: Int = 1,
        isCut: Bool = false
    ) -> FlightMark {
        FlightMark(
            kind, of: (id.key.high, id.key.low), app: "steps", upon: revision, entryKind: 2,
            payload: Array(payload.utf8), isCut: isCut, thread: 77, note: .overtime(nanoseconds: 1),
            stack: ["top", "main"])
    }

    private func name(of body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SessionError)?.name
        }
    }

    @Test func `the session waits for its verdict, and all others are served at once`() async throws {
        let before = try await registry()
        let (id, other) = (try await before.open("steps").session.id, try await before.open("steps").session.id)
        let registry = try await registry()
        let investigation = CrashInvestigation(of: [mark(id)], in: registry)
        let held = Task { try await registry.handle(InputRequest(try action(#"{"event":"push"}"#)), on: id).revision }
        #expect(try await registry.handle(InputRequest(try action(#"{"event":"push"}"#)), on: other).revision == 2)
        #expect(registry.incidents.first?.verdict == .pending)
        jury.say(.survives)
        let released = Observed()
        await investigation.run { released.add($0) }
        #expect(try await held.value == 2)
        #expect(released.marks == [mark(id)])
        #expect(registry.incidents.first?.verdict == .survives)
        #expect(jury.tried == [#"{"event":"push"}"#])
    }

    @Test func `a guilty input is refused once the session is free`() async throws {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        let investigation = CrashInvestigation(of: [mark(id)], in: registry)
        jury.say(.crashes(Crash("SIGILL", in: "Shop.pay()")))
        await investigation.run { _ in }
        await #expect(throws: SessionError.self) {
            _ = try await registry.handle(InputRequest(try action(#"{"event":"push"}"#)), on: id)
        }
        let incident = try #require(registry.incidents.first)
        #expect(registry.incidents.count == 1)
        #expect(incident.kind == .overtime && incident.verdict == .guilty && incident.thread == 77)
        #expect(incident.screen == "step" && incident.event == "event push" && incident.revision == 1)
        #expect(incident.crash == Crash("SIGILL", in: "Shop.pay()") && incident.stack == ["top", "main"])
        #expect(incident.build == 7)
        // The journal tells the next process.
        let next = try await self.registry().incidents
        #expect(next.count == 1 && next.first?.verdict == .guilty)
        #expect(next.first?.crash == Crash("SIGILL", in: "Shop.pay()"))
    }

    @Test func `who waits for too long is told to ask again`() async throws {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        let investigation = CrashInvestigation(of: [mark(id)], in: registry)
        let held = Task { try await registry.snapshot(of: id) }
        while !clock.isAwaited(at: 10_000) { await Task.yield() }
        clock.advance(by: 10_000)
        await #expect {
            _ = try await held.value
        } throws: { error in
            (error as? SessionError)?.name == "held"
        }
        jury.say(.survives)
        await investigation.run { _ in }
        #expect(try await registry.snapshot(of: id).revision == 1)
    }

    @Test func `an input that had become durable is tried as a part of the replay`() async throws {
        let before = try await registry()
        let id = try await before.open("steps").session.id
        _ = try await before.handle(InputRequest(try action(#"{"event":"push"}"#)), on: id)
        jury.say(.crashes(Crash("SIGILL", at: 2)))
        let registry = try await registry()
        await CrashInvestigation(of: [mark(id)], in: registry).run { _ in }
        #expect(jury.tried == ["nil"])
        await #expect {
            _ = try await registry.snapshot(of: id)
        } throws: { error in
            (error as? SessionError)?.name == "replayCrashes"
        }
    }

    @Test func `a creation is tried without a session, and only its like are held`() async throws {
        let registry = try await registry()
        let payload = #"{"app":"steps","version":"1","seed":5,"options":{}}"#
        let creation = mark(SessionID(from: SystemRandom()), payload, .creation, upon: 0)
        let investigation = CrashInvestigation(of: [creation], in: registry)
        let held = Task { try await registry.open("steps").session.id }
        jury.say(.crashes(Crash("SIGABRT")))
        await investigation.run { _ in }
        await #expect {
            _ = try await held.value
        } throws: { error in
            (error as? SessionError)?.name == "inputCrashes"
        }
        #expect(registry.incidents.first?.session == nil)
    }

    @Test func `what cannot be tried goes on, and is told of`() async throws {
        let id = try await registry().open("steps").session.id
        for (verdict, isCut, hasRunner) in [
            (TrialVerdict.untried(reason: "no child"), false, true), (.survives, true, true), (.survives, false, false),
        ] {
            let registry = try await registry(trials: hasRunner)
            jury.say(verdict)
            let unknown = mark(SessionID(from: SystemRandom()))
            await CrashInvestigation(of: [mark(id, isCut: isCut), unknown], in: registry).run { _ in }
            #expect(try await registry.snapshot(of: id).revision == 1)
            for incident in registry.incidents {
                guard case .untried = incident.verdict else {
                    Issue.record("\(incident.verdict)")
                    continue
                }
            }
        }
    }

    @Test func `what could not be tried is, before it is handled again, once`() async throws {
        let before = try await registry()
        let (id, other) = (try await before.open("steps").session.id, try await before.open("steps").session.id)
        let registry = try await registry()
        jury.say(.untried(reason: "no child"))
        await CrashInvestigation(of: [mark(id)], in: registry).run { _ in }
        jury.say(.survives)
        for (session, tried) in [(other, 1), (id, 2), (id, 2)] {
            _ = try await registry.handle(InputRequest(try action(#"{"event":"push"}"#)), on: session)
            #expect(jury.tried.count == tried)
        }
    }

    @Test func `nor is an input that came upon what was not durable, and ends no second process`() async throws {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        await CrashInvestigation(of: [mark(id, upon: 3)], in: registry).run { _ in }
        #expect(jury.tried.isEmpty)
        guard case .untried = registry.incidents.first?.verdict else {
            Issue.record("\(String(describing: registry.incidents.first?.verdict))")
            return
        }
        jury.say(.crashes(Crash("SIGILL")))
        await #expect {
            _ = try await registry.handle(InputRequest(try action(#"{"event":"push"}"#)), on: id)
        } throws: { error in
            (error as? SessionError)?.name == "inputCrashes"
        }
        #expect(jury.tried == [#"{"event":"push"}"#])
    }

    @Test func `while no trial can be made, the session's replay and like creations are not risked`() async throws {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        let payload = #"{"app":"steps","version":"1","seed":5,"options":{}}"#
        let creation = mark(SessionID(from: SystemRandom()), payload, .creation, upon: 0)
        jury.say(.untried(reason: "no child"))
        await CrashInvestigation(of: [mark(id, "", .replay), creation], in: registry).run { _ in }
        #expect(await name { _ = try await registry.snapshot(of: id) } == "notTried")
        #expect(await name { _ = try await registry.open("steps") } == "notTried")
        jury.say(.survives)
        #expect(try await registry.snapshot(of: id).revision == 1)
        _ = try await registry.open("steps")
    }

    @Test func `several marks of a session are tried one after the other, and it waits for all`() async throws {
        let id = try await registry().open("steps").session.id
        let registry = try await registry()
        let marks = [mark(id), mark(id, "", .look), mark(id, "", .replay)]
        jury.say(.survives)
        await CrashInvestigation(of: marks, in: registry).run { _ in }
        #expect(jury.tried == [#"{"event":"push"}"#, "nil", "nil"])
        #expect(registry.incidents.map(\.event) == ["replay", "look", "event push"])
    }

    @Test func `an investigation of nothing holds nothing`() async throws {
        let registry = try await registry()
        await CrashInvestigation(of: [], in: registry).run { _ in }
        #expect(try await registry.open("steps").snapshot.revision == 1)
        #expect(registry.incidents.isEmpty)
    }
}

/// The marks that were dealt with.
private final class Observed: Sendable {
    private let seen = Mutex<[FlightMark]>([])

    var marks: [FlightMark] { seen.withLock { $0 } }

    func add(_ mark: FlightMark) {
        seen.withLock { $0.append(mark) }
    }
}
