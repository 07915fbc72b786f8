import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

extension EffectTests {
    /// Among the effects' tests, for the errands of all are run by one courier.
    @Suite("Expiry with several servers", .timeLimit(.minutes(5)))
    struct SharedExpiryTests {
        let group: ServerGroup
        let courier = Courier()

        init() {
            var bounds = SessionBounds()
            bounds.expiryTime = .seconds(60)
            bounds.effectTime = .seconds(24 * 60 * 60)
            group = ServerGroup(apps: [ErrandApp.self], bounds)
            let courier = courier
            Courier.shared.withLock { $0 = courier }
        }

        /// Lets time go by for servers that beat and do their duties; the second does the chores.
        private func pass(seconds: Int) async {
            for _ in 0..<seconds / 10 {
                group.clock.advance(by: 10_000)
                for journal in group.journals { journal.beat() }
                for registry in group.registries { await registry.meetPeers() }
                await group.registries[1].sweep()
            }
        }

        @Test func `an effect does not keep its session alive if neither its result nor a refusal can be recorded`()
            async throws
        {
            group.store.ring()
            await group.registries[1].sweep()
            courier.hold()
            let id = try await group.open("errand")
            try await group.send(#""stray""#, to: id, on: 0)
            await group.until { courier.waiting == ["stray"] }
            courier.release()
            await group.until { group.registries[0].settings.held.isStalled(id) }
            await pass(seconds: 90)
            #expect(group.store.head(of: id.key)?.ending?.reason == "expired")
            // The server that runs the effect notices the end of the session and forgets the work.
            await group.until {
                await group.registries[0].meetPeers()
                return group.registries[0].settings.owned?.sessions.isEmpty ?? false
            }
        }

        @Test func `an effect that runs on one server keeps its session alive when another server sweeps`() async throws
        {
            await group.registries[1].sweep()
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            await pass(seconds: 300)
            #expect(group.store.head(of: id.key)?.ending == nil)
            courier.release("there")
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            await pass(seconds: 90)
            #expect(group.store.head(of: id.key)?.ending?.reason == "expired")
        }

        @Test func `a session whose work no server can do expires after the same time as a held session`()
            async throws
        {
            var bounds = group.registries[0].settings.bounds
            bounds.heldExpiryTime = .seconds(60)
            let group = ServerGroup(apps: [LedgerApp.self, ErrandApp.self], bounds)
            let id = try await group.open("errand", on: 1)
            try await group.send(#"{"wait":{"_0":20000}}"#, to: id, on: 1)
            for _ in 0..<9 {
                group.clock.advance(by: 10_000)
                group.journals[0].beat()
                await group.registries[0].meetPeers()
                await group.registries[0].sweep()
            }
            #expect(group.store.head(of: id.key)?.ending?.reason == "expired")
        }

        @Test func `a session does not expire if another server has just claimed the session's work`() async throws {
            let id = try await group.open("errand")
            try await group.send(#"{"wait":{"_0":20000}}"#, to: id, on: 0)
            group.clock.advance(by: 200_000)
            for journal in group.journals { journal.beat() }
            // The first server has claimed the timer, but has not handled it yet.
            try await group.registries[0].duties?.claim()
            await group.registries[1].sweep()
            #expect(group.store.head(of: id.key)?.ending == nil)
            await group.registries[0].meetPeers()
            await group.until { group.store.head(of: id.key)?.revision == 3 }
        }

        @Test func `a timer that was due while no server ran fires before its session expires`() async throws {
            let id = try await group.open("errand")
            try await group.send(#"{"wait":{"_0":20000}}"#, to: id, on: 0)
            group.clock.advance(by: 200_000)
            group.journals[1].beat()
            await group.registries[1].sweep()
            await group.registries[1].meetPeers()
            await group.until { group.store.head(of: id.key)?.revision == 3 }
            #expect(group.store.head(of: id.key)?.ending == nil)
        }
    }
}
