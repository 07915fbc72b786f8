import Testing
import Usher
import UsherJSON
import UsherJournal

@testable import UsherSessions

@Suite("Clients and the screens that they can draw", .timeLimit(.minutes(5)))
struct ClientTests {
    private let journal = MemoryJournal()
    private let clock = ManualClock()
    private let old = Client(name: "ios", version: "3.2", screens: ["*": 1], locale: "ko-KR")

    @Test func `a session keeps its client's description through hibernation, restarts and forks`() async throws {
        let session = try await open(FirstVersions.self, by: old)
        try await session.send(#"{"event":"hall"}"#)
        let woken = try await registry(FirstVersions.self).snapshot(of: session.id)
        #expect(woken.text.contains(#""client":"ios 3.2""#))
        let fork = try await registry(FirstVersions.self).fork(session.id, at: 1)
        #expect(fork.snapshot.text.contains(#""client":"ios 3.2""#))
        let entry = try await registry(FirstVersions.self).entries(of: fork.session.id)[0]
        let payload = String(decoding: entry.payload, as: UTF8.self)
        #expect(
            payload.contains(#","client":{"name":"ios","version":"3.2","screens":{"*":1},"locale":"ko-KR"},"#),
            "\(payload)")
    }

    @Test func `a client description that is empty is not recorded in the entry`()
        async throws
    {
        let session = try await open(FirstVersions.self, by: Client())
        let entry = try await registry(FirstVersions.self).entries(of: session.id)[0]
        #expect(try JSONDocument(parsing: entry.payload).root[member: "client"] == nil)
        try await session.send(#"{"event":"gate"}"#)
        #expect(try await screens(session.id, in: LaterGate.self) == ["lobby 1", "gate 2"])
    }

    @Test func `an event has no effect if it would show a screen that the client cannot draw`() async throws {
        let session = try await open(LaterGate.self, by: old)
        guard case .rejected(let rejection, let current) = try await session.error(of: #"{"event":"gate"}"#) else {
            Issue.record("it was not refused")
            return
        }
        #expect(rejection.kind == .undrawable)
        #expect(rejection.undrawable == UndrawableScreen(name: "gate", version: 2))
        #expect(current.revision == 1)
        #expect(try await session.send(#"{"event":"hall"}"#).revision == 2)
    }

    @Test func `a session is not opened if the client cannot draw its first screen`() async throws {
        let registry = registry(LaterLobby.self)
        let error = await #expect(throws: SessionError.self) { try await registry.open("versioned", client: old) }
        guard case .notOpened(let rejection)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(rejection.undrawable == UndrawableScreen(name: "lobby", version: 2))
        #expect(registry.sessionCount == 0)
    }

    @Test(arguments: ["wait", "fetch"])
    func `a timer or result is recorded as refused if it would show a screen that the client cannot draw`(event: String)
        async throws
    {
        let session = try await open(LaterGate.self, by: old)
        try await session.send(#"{"event":"\#(event)"}"#)
        if event == "wait" {
            await until { clock.isAwaited(at: 1_000) }
            clock.advance(by: 1_000)
        }
        await until { (try? await session.snapshot().revision) == 3 }
        let text = try await session.snapshot().text
        #expect(text.contains("was refused: this would show the screen \\\"gate\\\" of version 2"), "\(text)")
        #expect(text.contains(#""pending":[]"#))
        #expect(try await registry(LaterGate.self).snapshot(of: session.id).text == text)
    }

    @Test func `a new build may have a screen that the client cannot draw if the session has left the screen`()
        async throws
    {
        let id = try await open(FirstVersions.self, by: old, then: ["gate", "pass"]).id
        let new = registry(LaterGate.self)
        #expect(try await screens(id, in: LaterGate.self) == ["hall 3"])
        #expect(try await !new.snapshot(of: id).text.contains("warnings"))
    }

    @Test
    func `if the client cannot draw a screen of a new build, the session resumes before that screen`()
        async throws
    {
        let id = try await open(FirstVersions.self, by: old, then: ["hall", "back", "gate"]).id
        let new = registry(LaterGate.self, build: 2)
        let text = try await new.snapshot(of: id).text
        #expect(
            text.contains(
                #""resumed":{"revision":3,"reason":"input 4 (event gate) once led to the screen gate 3, and now to "#
                    + #"the screen \"gate\" of version 2, which the client (ios 3.2) cannot draw""#), "\(text)")
        #expect(try await screens(id, in: LaterGate.self, build: 2) == ["lobby 1"])
        #expect(try await screens(id, in: FirstVersions.self) == ["lobby 1", "gate 3"])
        #expect(try await new.confirmRelease().isEmpty)
        // After the resumption is recorded, both builds restore the same screens.
        #expect(try await screens(id, in: FirstVersions.self) == ["lobby 1"])
    }

    @Test
    func `a new build with a fallback for a screen that the client cannot draw restores the session unchanged`()
        async throws
    {
        let id = try await open(FirstVersions.self, by: old, then: ["gate"]).id
        let text = try await registry(LaterGateWithFallback.self).snapshot(of: id).text
        #expect(text.contains(#""screen":"gate""#) && text.contains(#""state":{"isOld":true}"#), "\(text)")
        #expect(!text.contains("warnings"))
    }

    @Test func `a new build holds a session if the client cannot draw the session's first screen`()
        async throws
    {
        let id = try await open(FirstVersions.self, by: old).id
        let error = await #expect(throws: SessionError.self) {
            try await registry(LaterLobby.self, build: 2).snapshot(of: id)
        }
        guard case .onHold(.startFails(let cause))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause == "it begins with the screen \"lobby\" of version 2, which the client (ios 3.2) cannot draw")
        #expect(try await screens(id, in: FirstVersions.self) == ["lobby 1"])
    }

    @Test func `forking or viewing a revision names the revision's screen if the client cannot draw the screen`()
        async throws
    {
        let id = try await open(FirstVersions.self, by: old, then: ["gate", "pass"]).id
        let new = registry(LaterGate.self)
        await #expect { _ = try await new.fork(id, at: 2) } throws: { error in
            guard case SessionError.noRevision(let reason) = error else { return false }
            return reason.contains("the screen \"gate\" of version 2")
        }
        #expect(try await new.fork(id, at: 3).snapshot.revision == 3)
    }

    @Test func `a check lists the clients that cannot draw the recorded screens of their sessions`() async throws {
        let passed = try await open(FirstVersions.self, by: old, then: ["gate", "pass"]).id
        let stands = try await open(FirstVersions.self, by: old, then: ["gate"]).id
        _ = try await open(FirstVersions.self, by: old)
        _ = try await open(FirstVersions.self, by: Client(name: "web"), then: ["gate"])
        _ = try await open(FirstVersions.self, by: Client(screens: ["gate": 2, "*": 1]), then: ["gate"])
        var found: Set<String> = []
        let runner = InProcessRunner(apps: [VersionedApp<LaterGate>.self])
        var count = 0
        try await JournalCheck(journal, runner: runner).run { session in
            count += 1
            if let cause = session.cause { found.insert("\(session.id.text) diverges at \(cause.revision ?? 0)") }
            for screen in session.undrawn {
                found.insert(
                    "\(session.id.text) \(session.app): \(session.client), \(screen.name) \(screen.version)")
            }
        }
        #expect(count == 5)
        #expect(
            found == [
                "\(passed.text) versioned: ios 3.2, gate 2", "\(stands.text) versioned: ios 3.2, gate 2",
                "\(stands.text) diverges at 2",
            ])
    }

    @Test(arguments: [
        IsolatedEnd.restored,
        IsolatedEnd(.held, .init(.startFails(cause: "why")), undrawn: [.init(name: "a", version: 2)]),
        IsolatedEnd(
            .held,
            .init(
                text: "why", common: "why", losses: [.message(revision: 2), .result(of: "e", id: "1.1")],
                reason: .losesFacts)),
    ])
    func `an isolated run reports, in one line, which screen the client cannot draw`(ending: IsolatedEnd) {
        #expect(IsolatedEnd(json: ending.json) == ending)
    }

    // MARK: Helpers

    private func registry<Versions: ScreenVersions>(_ versions: Versions.Type, build: UInt64 = 1) -> SessionRegistry {
        SessionRegistry(
            apps: [VersionedApp<Versions>.self], journal: journal, clock: clock,
            crashes: CrashSettings(build: { build }))
    }

    private func open<Versions: ScreenVersions>(
        _ versions: Versions.Type, by client: Client, then inputs: [String] = []
    ) async throws -> Session {
        let session = try await registry(versions).open("versioned", client: client).session
        for input in inputs {
            try await session.send(input == "back" ? #"{"back":true}"# : #"{"event":"\#(input)"}"#)
        }
        return session
    }

    private func screens<Versions: ScreenVersions>(
        _ id: SessionID, in versions: Versions.Type, build: UInt64 = 1
    ) async throws -> [String] {
        let state = try await registry(versions, build: build).snapshot(of: id).state
        let stack = try JSONDocument(parsing: state).root[member: "stack"]
        return stack?.elements.map { "\($0[member: "screen"]?.string ?? "") \($0[member: "id"]?.integer ?? 0)" } ?? []
    }

    private func until(_ condition: () async -> Bool) async {
        while !(await condition()), !Task.isCancelled { await Task.yield() }
    }
}
