import Synchronization
import Testing
import Usher
import UsherJournal
import UsherMetrics

@testable import UsherSessions

extension EffectTests {
    /// Two servers on a journal with a clock, of which the second has a clock of its own that is wrong.
    ///
    /// Among the effects' tests, for the errands of all are run by one courier.
    @Suite("The journal's clock", .timeLimit(.minutes(5)))
    struct SharedClockTests {
        private let clock = ManualClock()
        private let wrongClock = ManualClock()
        private let store: SharedStore
        private let journals: [SharedJournal]
        private let registries: [SessionRegistry]
        private let events = Observations()

        private static let day: Int64 = 24 * 3_600_000

        init() {
            let store = SharedStore(clock)
            let journals = [clock, clock].enumerated().map { SharedJournal(store, node: $0, clock: $1) }
            self.store = store
            self.journals = journals
            var bounds = SessionBounds()
            bounds.expiryTime = .seconds(60)
            registries = zip(journals, [clock, wrongClock]).map { [bounds, events] journal, clock in
                SessionRegistry(
                    apps: [ErrandApp.self], configuration: bounds, journal: journal, clock: clock, observe: events.add)
            }
        }

        private func pass(seconds: Int64) {
            // Renew the leases often enough that none expires.
            for begin in stride(from: 0, to: seconds, by: 10) {
                for clock in [clock, wrongClock] { clock.advance(by: min(10, seconds - begin) * 1_000) }
                for journal in journals { journal.beat() }
            }
        }

        private func ending(of id: SessionID) -> String? { store.head(of: id.key)?.ending?.reason }

        @Test(arguments: [2 * day, -2 * day])
        func `a session expires by the journal's clock, whichever server opened or sweeps the session`(jump: Int64)
            async throws
        {
            pass(seconds: 7 * 24 * 3_600)
            wrongClock.jump(by: jump)
            for (opener, sweeper) in [(0, 1), (1, 0), (1, 1)] {
                let id = try await registries[opener].open("errand").session.id
                pass(seconds: 59)
                await registries[sweeper].sweep()
                #expect(ending(of: id) == nil)
                pass(seconds: 61)
                await registries[sweeper].sweep()
                #expect(ending(of: id) == "expired")
            }
        }

        @Test func `a jump of a server's clock ends no session, even after an hour`() async throws {
            pass(seconds: 7 * 24 * 3_600)
            await registries[1].sweep()
            wrongClock.jump(by: 2 * Self.day)
            await registries[1].sweep()
            pass(seconds: 3_700)
            let id = try await registries[0].open("errand").session.id
            await registries[1].sweep()
            #expect(ending(of: id) == nil)
            #expect(events.all.isEmpty)
        }

        @Test func `a timer becomes due and fires by the journal's clock`() async throws {
            pass(seconds: 7 * 24 * 3_600)
            wrongClock.jump(by: 2 * Self.day)
            let id = try await registries[1].open("errand").session.id
            _ = try await registries[1].handle(
                InputRequest(try action(#"{"event":{"wait":{"_0":20000}}}"#), if: .none, key: nil, wait: nil), on: id)
            let due = clock.now().milliseconds + 20_000
            #expect(store.contents.withLock { $0.work[id.key]?.values.map(\.due) } == [due])
            pass(seconds: 19)
            #expect(store.head(of: id.key)?.revision == 2)
            // A server claims a timer that is due within 5 s, and waits for it by the uptime, which cannot be set.
            await registries[1].meetPeers()
            while !wrongClock.isAwaited(at: wrongClock.uptime + 1_000), !Task.isCancelled { await Task.yield() }
            pass(seconds: 1)
            while store.head(of: id.key)?.revision != 3, !Task.isCancelled { await Task.yield() }
        }

        @Test func `a server with a wrong clock leaves the sweep of expired sessions to other servers`() async throws {
            let id = try await registries[0].open("errand").session.id
            pass(seconds: 120)
            journals[1].setClockError(60_001)
            await registries[1].sweep()
            #expect(ending(of: id) == nil)
            await registries[0].sweep()
            #expect(ending(of: id) == "expired")
        }

        @Test func `a server reports a wrong clock once, and shows the clock's error in a metric`() async {
            for error in [0, -90_500, -91_000, 500, -90_500] as [Int64] {
                journals[1].setClockError(error)
                await registries[1].meetPeers()
            }
            let errors = events.all.compactMap { if case .clockWrong(let error) = $0 { error } else { nil } }
            #expect(errors == [-90_500, -90_500])
            var metrics = MetricsWriter()
            registries[1].writeMetrics(into: &metrics)
            #expect(String(decoding: metrics.bytes, as: UTF8.self).contains("usher_clock_offset_seconds -90.5\n"))
        }
    }
}
