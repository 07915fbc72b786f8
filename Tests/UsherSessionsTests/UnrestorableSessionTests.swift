import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("Sessions that a single server cannot restore", .timeLimit(.minutes(5)))
struct UnrestorableSessionTests {
    private static let day: Int64 = 24 * 60 * 60 * 1_000

    private let clock = ManualClock()
    private let events = Observations()
    private let journal = MemoryJournal()

    @Test func `a session is not kept alive by work that this build cannot do`() async throws {
        let id = try await sessionWithTimer()
        let without = withoutApp()
        for _ in 1...8 {
            clock.advance(by: Self.day / 4)
            await without.sweep()
        }
        #expect(journal.head(of: id.key)?.header.ending?.reason == "expired")
        #expect(without.sessionCount == 0)
        // The session was replayed once, not at each sweep.
        #expect(events.all.count { if case .held = $0 { true } else { false } } == 1)
    }

    @Test func `work that a build cannot do waits for a build that can do the work`() async throws {
        let id = try await sessionWithTimer()
        clock.advance(by: Self.day / 4)
        await withoutApp().sweep()
        let next = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: clock)
        await next.sweep()
        while journal.head(of: id.key)?.header.revision != 3 { await Task.yield() }
    }

    /// A session with a timer of a second, whose server's time does not go on.
    private func sessionWithTimer() async throws -> SessionID {
        let server = SessionRegistry(apps: [ErrandApp.self], journal: journal, clock: ManualClock())
        let session = try await server.open("errand").session
        try await session.send(#"{"event":{"wait":{"_0":1000}}}"#)
        return session.id
    }

    /// A build that lacks their app.
    private func withoutApp() -> SessionRegistry {
        var bounds = SessionBounds()
        bounds.heldExpiryTime = .seconds(24 * 60 * 60)
        return SessionRegistry(
            apps: [LedgerApp.self], configuration: bounds, journal: journal, clock: clock,
            crashes: CrashSettings(build: { 1 }), observe: events.add)
    }
}
