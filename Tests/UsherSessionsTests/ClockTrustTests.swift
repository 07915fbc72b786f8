import Testing
import Usher
import UsherJournal
import UsherMetrics

@testable import UsherSessions

@Suite("Jumps of the machine's clock")
struct ClockTrustTests {
    private static let hour: Int64 = 60 * 60 * 1_000
    private static let day = 24 * hour

    private let clock = ManualClock()
    private let events = Observations()
    private let journal = MemoryJournal()
    private let registry: SessionRegistry

    init() {
        registry = SessionRegistry(
            apps: [LedgerApp.self], journal: journal, clock: clock, observe: events.add)
    }

    @Test func `if the clock is wrong by two days for 2.5 s, no session ends`() async throws {
        let ids = try await open(300)
        clock.jump(by: 2 * Self.day)
        await registry.sweep()
        clock.advance(by: 2_500)
        await registry.sweep()
        clock.jump(by: -2 * Self.day)
        for _ in 0..<6 {
            await registry.sweep()
            clock.advance(by: 20 * 60 * 1_000)
        }
        #expect(registry.sessionCount == ids.count)
        #expect(jumps == [2 * Self.day, -2 * Self.day])
    }

    @Test(arguments: [1, -1] as [Int64])
    func `for an hour after the clock jumps, no session ends or is purged, and then the new time is used`(sign: Int64)
        async throws
    {
        let ids = try await open(2)
        _ = try await registry.end(ids[0])
        clock.advance(by: 23 * Self.hour)
        await registry.sweep()
        clock.jump(by: sign * 8 * Self.day)
        await registry.sweep()
        clock.advance(by: Self.hour - 1)
        await registry.sweep()
        #expect(registry.sessionCount == 1)
        #expect(try journal.record(of: ids[0].key) != nil)
        clock.advance(by: 1)
        await registry.sweep()
        #expect(registry.sessionCount == (sign > 0 ? 0 : 1))
        #expect(try (journal.record(of: ids[0].key) == nil) == (sign > 0))
    }

    @Test func `a jump of the clock is logged once and counted in the metrics`() async throws {
        #expect(metrics.contains("usher_clock_jumps_total 0\n"))
        clock.jump(by: 61_000)
        await registry.sweep()
        await registry.sweep()
        #expect(jumps == [61_000])
        #expect(metrics.contains("usher_clock_jumps_total 1\n"))
        #expect(metrics.contains("usher_clock_distrusted 1\n"))
        clock.advance(by: Self.hour)
        await registry.sweep()
        #expect(metrics.contains("usher_clock_distrusted 0\n"))
    }

    @Test func `a change of the clock by less than a minute, or slowly, does not count as a jump`() async throws {
        clock.jump(by: 59_900)
        await registry.sweep()
        for _ in 0..<(2 * 24 * 60) {
            clock.advance(by: 60_000)
            clock.jump(by: 30)
            await registry.sweep()
        }
        #expect(jumps.isEmpty)
    }

    @Test func `in the first hour after the server starts, no session is purged`() async throws {
        let id = try await open(1)[0]
        _ = try await registry.end(id)
        clock.advance(by: 30 * Self.day)
        let next = SessionRegistry(apps: [LedgerApp.self], journal: journal, clock: clock)
        await next.sweep()
        clock.advance(by: Self.hour - 1)
        await next.sweep()
        #expect(try journal.record(of: id.key) != nil)
        clock.advance(by: 1)
        await next.sweep()
        #expect(try journal.record(of: id.key) == nil)
    }

    private var jumps: [Int64] {
        events.all.compactMap { event in
            if case .clockJumped(let milliseconds) = event { milliseconds } else { nil }
        }
    }

    private var metrics: String {
        var writer = MetricsWriter()
        registry.writeMetrics(into: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func open(_ count: Int) async throws -> [SessionID] {
        var ids: [SessionID] = []
        for _ in 0..<count { ids.append(try await registry.open("ledger").session.id) }
        return ids
    }
}
