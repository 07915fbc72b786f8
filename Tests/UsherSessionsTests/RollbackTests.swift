import Synchronization
import Testing
import Usher
import UsherJSON
import UsherSessions

@Suite("Rollback of failed inputs")
struct RollbackTests {
    private let clock = ManualClock()

    @Test(arguments: [("refuse", Rejection.Kind.refused), ("fail", .failed)])
    func `E-11: a handler that throws an error half-way leaves the session unchanged`(
        event: String, kind: Rejection.Kind
    ) async throws {
        let session = try await open(#"{"owner":"kim"}"#)
        try await session.send(#"{"event":{"add":{"_0":"tea"}}}"#)
        clock.advance(by: 5)
        try await session.send(#"{"event":"roll"}"#)
        let before = try await session.snapshot().text
        let report = try await session.report()
        let error = try await session.error(of: #"{"event":"\#(event)"}"#)
        guard case .rejected(let rejection, let current) = error else {
            Issue.record("not rejected: \(String(describing: error))")
            return
        }
        #expect(rejection.kind == kind)
        #expect(current.text == before)
        #expect(try await session.snapshot().text == before)
        #expect(try await session.report() == report)
    }

    @Test func `after a failed input was undone, later inputs have the same effect as without the failed input`()
        async throws
    {
        let disturbed = try await open()
        let plain = try await open()
        for action in [#"{"event":{"add":{"_0":"a"}}}"#, #"{"event":"roll"}"#, #"{"event":{"add":{"_0":"b"}}}"#] {
            _ = try await disturbed.error(of: #"{"event":"refuse"}"#)
            try await disturbed.send(action)
            try await plain.send(action)
            clock.advance(by: 1_000)
        }
        #expect(try await lines(disturbed).filter { !$0.contains("rolled") } == ["a at 0", "b at 2000"])
        #expect(try await disturbed.snapshot().revision == plain.snapshot().revision)
    }

    @Test func `the ids that a failed input has used are not used again`() async throws {
        let registry = registry()
        let session = try await registry.open("steps").session
        _ = try await session.error(of: #"{"event":"pushAndRefuse"}"#)
        let snapshot = try await session.send(#"{"event":"push"}"#)
        #expect(snapshot.text.contains(#""id":3"#))
        #expect(!snapshot.text.contains(#""id":2"#))
        _ = try await session.error(of: #"{"event":"pushAndRefuse"}"#)
        #expect(try await session.snapshot().text == snapshot.text)
    }

    private func registry() -> SessionRegistry {
        SessionRegistry(
            apps: [LedgerApp.self, StepsApp.self, MoodyApp.self], clock: clock, random: CountingRandom())
    }

    private func open(_ options: String = "{}") async throws -> Session {
        try await registry().open("ledger", options: Array(options.utf8)).session
    }

    private func lines(_ session: Session) async throws -> [String] {
        let state = try JSONDocument(parsing: await session.snapshot().state).root
        let first = state[member: "stack"]?.elements.first { _ in true }
        return first?[member: "state"]?[member: "lines"]?.elements.compactMap(\.string) ?? []
    }
}
