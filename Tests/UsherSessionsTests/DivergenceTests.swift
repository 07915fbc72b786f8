import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

@Suite("Sessions that a new build replays")
struct DivergenceTests {
    private let journal = MemoryJournal()
    private let clock = ManualClock()
    private let events = Observations()

    @Test func `if a new build behaves differently, a session resumes at the last input on which both builds agree`()
        async throws
    {
        let id = try await session(after: ["walk", "jump", "walk"])
        let new = registry(ChangedBuild.self)
        let snapshot = try await new.snapshot(of: id)
        #expect(try names(snapshot) == ["room 1", "room 2"])
        #expect(snapshot.revision == 5)
        #expect(snapshot.text.contains(#""resumed":{"revision":2,"reason":"input 3 (event jump) once led to"#))
        #expect(snapshot.text.contains(#""changes":[{"replace":{"out":[4,3],"in":[1,2]}}]"#), "\(snapshot.text)")
        #expect(try await registry(ChangedBuild.self).snapshot(of: id).text == snapshot.text)
        guard case .diverged(id, let divergence) = events.all.first else {
            Issue.record("nobody was told")
            return
        }
        #expect(divergence.revision == 3)
        #expect(
            divergence.description
                == "input 3 (event jump) once led to the screen garden 3, and now to a refusal: nobody jumps any more")
    }

    @Test func `after a session resumes, ids and revisions continue, and the dropped entries stay in the journal`()
        async throws
    {
        let id = try await session(after: ["walk", "jump", "walk"])
        let new = registry(ChangedBuild.self)
        let walked = try await send("walk", id, new)
        #expect(walked.revision == 6)
        #expect(try names(walked) == ["room 1", "room 2", "room 5"])
        #expect(walked.text.contains(#""resumed":{"revision":2,"#))
        #expect(try await !send("walk", id, new).text.contains("resumed"))
        let entries = try await new.entries(of: id)
        #expect(entries.map(\.kind) == [.creation, .input, .input, .input, .divergence, .input, .input])
        let payload = String(decoding: entries[4].payload, as: UTF8.self)
        #expect(payload.hasPrefix(#"{"resumed":2,"reason":"input 3 (event jump)"#), "\(payload)")
    }

    @Test func `a resumption that is recorded in the journal is replayed like any other entry`() async throws {
        let id = try await session(after: ["walk", "jump", "walk"])
        let new = registry(ChangedBuild.self)
        let before = try await send("walk", id, new).text
        #expect(try await registry(ChangedBuild.self).snapshot(of: id).text == before)
        #expect(events.all.count == 1)
        // The former build can replay the session, because both builds handle these inputs alike.
        #expect(try await registry(FirstBuild.self).snapshot(of: id).text == before)
        #expect(events.all.count == 1)
    }

    @Test func `a session can resume several times, in different builds`() async throws {
        let id = try await session(after: ["walk", "jump", "walk", "walk"])
        _ = try await send("look", id, registry(ChangedBuild.self))
        let other = registry(OtherBuild.self)
        let snapshot = try await other.snapshot(of: id)
        // The garden gets a new id, because the client knows screen 1 as a room.
        #expect(try names(snapshot) == ["garden 6"])
        #expect(snapshot.text.contains(#""resumed":{"revision":0,"#))
        #expect(snapshot.text.contains(#""changes":[{"replace":{"out":[5,4,3,2,1],"in":[6]}}]"#), "\(snapshot.text)")
        #expect(try await send("walk", id, other).revision == 9)
        let text = try await other.snapshot(of: id).text
        #expect(try await registry(OtherBuild.self).snapshot(of: id).text == text)
        #expect(events.all.count == 2)
    }

    @Test func `a state that has additional members in a new build does not count as different`() async throws {
        let id = try await session(after: ["walk", "jump", "walk"])
        let snapshot = try await registry(GrownBuild.self).snapshot(of: id)
        #expect(snapshot.revision == 4)
        #expect(snapshot.text.contains(#""light":"bright""#))
        #expect(events.all.isEmpty)
    }

    @Test func `a session whose app a build lacks is held until a build has the app`() async throws {
        let id = try await session(after: ["walk"])
        let without = SessionRegistry(
            apps: [LedgerApp.self], journal: journal, clock: clock, crashes: CrashSettings(build: { 2 }),
            observe: events.add)
        await #expect { try await without.snapshot(of: id) } throws: { error in
            guard case SessionError.onHold(let reason) = error else { return false }
            return reason == .appMissing("builds") && reason.cause == "there is no app \"builds\" in this build"
        }
        guard case .held(id, .appMissing("builds")) = events.all.first else {
            Issue.record("nobody was told")
            return
        }
        #expect(try await registry(FirstBuild.self).snapshot(of: id).revision == 2)
    }

    @Test func `a session with a nondeterministic coordinator resumes at the last input that replays equally`()
        async throws
    {
        Mood.current.store(0, ordering: .relaxed)
        let registry = SessionRegistry(apps: [MoodyApp.self], journal: journal, clock: clock, observe: events.add)
        let session = try await registry.open("moody").session
        try await session.send(#"{"event":"push"}"#)
        Mood.current.store(1, ordering: .relaxed)
        guard case .rejected(_, let current) = try await session.error(of: #"{"event":"refuse"}"#) else {
            Issue.record("it was not refused")
            return
        }
        #expect(current.revision == 3)
        #expect(current.text.contains(#""resumed":{"revision":1,"#))
        #expect(try await session.snapshot().text == current.text)
    }

    @Test func `usher check finds those sessions that a change affects, and no others`() async throws {
        var touched: Set<String> = []
        for number in 0..<30 {
            let jumps = number.isMultiple(of: 3)
            let id = try await session(after: ["walk", jumps ? "jump" : "look", "walk"])
            if jumps { touched.insert(id.text) }
        }
        #expect(try await findings(ChangedBuild.self) == touched)
        #expect(try await findings(FirstBuild.self).isEmpty)
        #expect(try await findings(GrownBuild.self).isEmpty)
        #expect(try await findings(OtherBuild.self).count == 30)
    }

    private func findings(_ app: any App.Type) async throws -> Set<String> {
        var (found, count): (Set<String>, Int) = ([], 0)
        try await JournalCheck(journal, runner: InProcessRunner(apps: [app])).run { session in
            count += 1
            if session.fate != .unchanged || !session.undrawn.isEmpty { found.insert(session.id.text) }
        }
        #expect(count == 30)
        return found
    }

    private func session(after inputs: [String]) async throws -> SessionID {
        let old = SessionRegistry(apps: [FirstBuild.self], journal: journal, clock: clock)
        let session = try await old.open("builds").session
        for event in inputs { try await session.send(#"{"event":"\#(event)"}"#) }
        return session.id
    }

    private func registry(_ app: any App.Type) -> SessionRegistry {
        SessionRegistry(apps: [app], journal: journal, clock: clock, observe: events.add)
    }

    private func send(_ event: String, _ id: SessionID, _ registry: SessionRegistry) async throws -> Snapshot {
        try await registry.handle(InputRequest(try action(#"{"event":"\#(event)"}"#)), on: id)
    }

    private func names(_ snapshot: Snapshot) throws -> [String] {
        let stack = try JSONDocument(parsing: snapshot.state).root[member: "stack"]
        return stack?.elements.map { "\($0[member: "screen"]?.string ?? "") \($0[member: "id"]?.integer ?? 0)" } ?? []
    }
}
