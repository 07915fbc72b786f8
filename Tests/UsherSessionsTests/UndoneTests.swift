import Testing
import Usher
import UsherJSON
import UsherSessions

@Suite("State after a refused input")
struct UndoneTests {
    private let registry = SessionRegistry(
        apps: [SpoilApp.self, StepsApp.self], clock: ManualClock(), random: CountingRandom())

    @Test(arguments: ["spoil", "spoilTwice"])
    func `E-11: a refused input's pushes, modals and finished children are undone, and no id is used again`(
        event: String
    ) async throws {
        let session = try await registry.open("spoil").session
        let before = (try await session.snapshot().text, try await session.report())
        guard case .rejected(let rejection, let current) = try await session.error(of: #"{"event":"\#(event)"}"#) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.reason == "all of it is undone")
        #expect(current.text == before.0)
        #expect(try await session.snapshot().text == before.0)
        #expect(try await session.report() == before.1)

        let after = try await session.send(#"{"event":"show"}"#)
        let ids = try JSONDocument(parsing: after.state).root[member: "stack"]?.elements.compactMap {
            $0[member: "id"]?.integer
        }
        #expect(ids?.dropLast() == [1, 2])
        #expect((ids?.last ?? 0) > 6, "\(after.text)")
        #expect(after.revision == 2)
    }

    @Test func `E-12: a session at the screen limit is unchanged and can go back`() async throws {
        let session = try await registry.open("steps").session
        for _ in 0..<63 { try await session.send(#"{"event":"push"}"#) }
        let before = try await session.snapshot().text
        guard case .rejected(let rejection, _) = try await session.error(of: #"{"event":"push"}"#) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.kind == .limit)
        #expect(rejection.reason.contains("64 screens"))
        #expect(try await session.snapshot().text == before)
        try await session.send(#"{"back":true}"#)
        #expect(try await session.send(#"{"event":"push"}"#).revision == 66)
    }
}
