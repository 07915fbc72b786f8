import Synchronization
import Testing
import Usher
import UsherJSON
import UsherSessions

@Suite("All or nothing")
struct RollbackTests {
    private let clock = ManualClock()

    @Test(arguments: [("refuse", Rejection.Kind.refused), ("fail", .failed)])
    func `E-11: a handler that throws half-way leaves the session as it was`(
        event: String, kind: Rejection.Kind
    ) throws {
        let session = try open(#"{"owner":"kim"}"#)
        try session.send(#"{"event":{"add":{"_0":"tea"}}}"#)
        clock.advance(by: 5)
        try session.send(#"{"event":"roll"}"#)
        let before = try session.snapshot().text
        let report = try session.report()
        let error = try session.error(of: #"{"event":"\#(event)"}"#)
        guard case .rejected(let rejection, let current) = error else {
            Issue.record("not rejected: \(String(describing: error))")
            return
        }
        #expect(rejection.kind == kind)
        #expect(current.text == before)
        #expect(try session.snapshot().text == before)
        #expect(try session.report() == report)
    }

    @Test func `the inputs after a rollback are as if it had not been`() throws {
        let disturbed = try open()
        let plain = try open()
        for action in [#"{"event":{"add":{"_0":"a"}}}"#, #"{"event":"roll"}"#, #"{"event":{"add":{"_0":"b"}}}"#] {
            _ = try disturbed.error(of: #"{"event":"refuse"}"#)
            try disturbed.send(action)
            try plain.send(action)
            clock.advance(by: 1_000)
        }
        #expect(try lines(disturbed).filter { !$0.contains("rolled") } == ["a at 0", "b at 2000"])
        #expect(try disturbed.snapshot().revision == plain.snapshot().revision)
    }

    @Test func `ids that a rolled-back input has spent are not given again`() throws {
        let registry = registry()
        let session = try registry.open("steps").session
        _ = try session.error(of: #"{"event":"pushAndRefuse"}"#)
        let snapshot = try session.send(#"{"event":"push"}"#)
        #expect(snapshot.text.contains(#""id":3"#))
        #expect(!snapshot.text.contains(#""id":2"#))
        _ = try session.error(of: #"{"event":"pushAndRefuse"}"#)
        #expect(try session.snapshot().text == snapshot.text)
    }

    @Test func `a coordinator that reads what replay cannot give ends its session, and says so`() throws {
        Mood.current.store(0, ordering: .relaxed)
        let registry = registry()
        let session = try registry.open("moody").session
        try session.send(#"{"event":"push"}"#)
        Mood.current.store(1, ordering: .relaxed)
        guard case .diverged(let tombstone, let cause) = try session.error(of: #"{"event":"refuse"}"#) else {
            Issue.record("the session goes on")
            return
        }
        #expect(tombstone.reason == .diverged)
        #expect(cause.contains("revision: 2"), "\(cause)")
        #expect(throws: SessionError.self) { try session.snapshot() }
        #expect(registry.census == Census(created: 1, finished: 1, leaked: 0))
    }

    private func registry() -> SessionRegistry {
        SessionRegistry(
            apps: [LedgerApp.self, StepsApp.self, MoodyApp.self], clock: clock, random: CountingRandom())
    }

    private func open(_ options: String = "{}") throws -> Session {
        try registry().open("ledger", options: Array(options.utf8)).session
    }

    private func lines(_ session: Session) throws -> [String] {
        let state = try JSONDocument(parsing: session.snapshot().state).root
        let first = state[member: "stack"]?.elements.first { _ in true }
        return first?[member: "state"]?[member: "lines"]?.elements.compactMap(\.string) ?? []
    }
}
