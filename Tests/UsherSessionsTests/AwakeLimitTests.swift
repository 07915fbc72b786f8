import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("The limit for sessions in memory")
struct AwakeLimitTests {
    private let clock = ManualClock()

    @Test func `beyond the limit, the least recently used sessions hibernate and lose no data`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.awakeLimit = 3
        let registry = SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, clock: clock, random: CountingRandom())
        var ids: [SessionID] = []
        for _ in 0..<3 {
            ids.append(try await registry.open("ledger").session.id)
            clock.advance(by: 1)
        }
        _ = try await registry.snapshot(of: ids[0])
        clock.advance(by: 1)
        ids.append(try await registry.open("ledger").session.id)
        #expect(try await awake(in: registry) == Set([ids[0], ids[2], ids[3]]))
        for _ in 0..<200 { ids.append(try await registry.open("ledger").session.id) }
        #expect(registry.awakeCount == 3)
        for id in ids { #expect(try await registry.snapshot(of: id).revision == 1) }
        #expect(registry.awakeCount == 3)
        let roll = InputRequest(try action(#"{"event":"roll"}"#))
        for id in ids.prefix(9) { #expect(try await registry.handle(roll, on: id).revision == 2) }
        #expect(registry.awakeCount == 3)
        #expect(registry.liveCoordinators == 3)
    }

    @Test func `requests for unknown ids do not make other sessions hibernate`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.awakeLimit = 2
        let registry = SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, clock: clock, random: CountingRandom())
        let ids = Set([try await registry.open("ledger").session.id, try await registry.open("ledger").session.id])
        clock.advance(by: 1)
        let roll = InputRequest(try action(#"{"event":"roll"}"#))
        for digit in "0123456789abcdef" {
            let stranger = try #require(SessionID(String(repeating: digit, count: 32)))
            await #expect(throws: SessionError.self) { try await registry.snapshot(of: stranger) }
            await #expect(throws: SessionError.self) { try await registry.handle(roll, on: stranger) }
        }
        #expect(try await awake(in: registry) == ids)
    }

    @Test func `a request for a fork is answered, even if the new session hibernates at once`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.awakeLimit = 1
        let registry = SessionRegistry(apps: [LedgerApp.self], configuration: bounds, clock: clock)
        let id = try await registry.open("ledger").session.id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<50 { _ = try await registry.fork(id, at: 1) }
                }
            }
            try await group.waitForAll()
        }
        #expect(registry.sessionCount == 801)
    }

    private func awake(in registry: SessionRegistry) async throws -> Set<SessionID> {
        Set(
            try await SessionList(of: registry).sessions(matching: SessionQuery(limit: 999)).sessions.filter {
                $0.awake != nil
            }.map(
                \.id))
    }
}
