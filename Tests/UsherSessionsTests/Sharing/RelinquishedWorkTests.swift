import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

extension EffectTests {
    /// Among the effects' tests, for the errands of all are run by one courier.
    @Suite("Work that a server returns", .timeLimit(.minutes(5)))
    struct RelinquishedWorkTests {
        let group = ServerGroup(apps: [ErrandApp.self])
        let courier = Courier()

        init() {
            let courier = courier
            Courier.shared.withLock { $0 = courier }
        }

        @Test func `work of a session that this build cannot restore is returned at once, and another server does it`()
            async throws
        {
            let group = ServerGroup(apps: [LedgerApp.self, ErrandApp.self])
            let id = try await group.open("errand", on: 1)
            try await group.send(#"{"wait":{"_0":60000}}"#, to: id, on: 1)
            let piece = WorkPiece(revision: 2, place: 1)
            group.clock.advance(by: 56_000)
            for journal in group.journals { journal.beat() }
            for _ in 0..<2 {
                await group.registries[0].meetPeers()
                #expect(group.store.owner(of: piece, in: id.key) == .some(nil))
            }
            #expect(group.holds == 0, "the other serves it")
            #expect(group.registries[0].awakeCount == 0)
            await group.registries[1].meetPeers()
            #expect(group.store.owner(of: piece, in: id.key) == group.journals[1].lease)
            await group.until { group.clock.isAwaited(at: 60_000) }
            group.clock.advance(by: 4_000)
            await group.until { group.store.head(of: id.key)?.revision == 3 }
        }

        @Test func `returned work is tried again after a minute`() async throws {
            let group = ServerGroup(apps: [LedgerApp.self, ErrandApp.self])
            let id = try await group.open("errand", on: 1)
            try await group.send(#"{"wait":{"_0":60000}}"#, to: id, on: 1)
            let backoff = try #require(group.registries[0].settings.owned?.backoff)
            for (seconds, isLeft) in [(56, true), (59, false), (1, true)] as [(Int64, Bool)] {
                group.clock.advance(by: seconds * 1_000)
                for journal in group.journals { journal.beat() }
                await group.registries[0].meetPeers()
                #expect(backoff.sessions(at: group.clock.uptime + 59_000).contains(id.key) == isLeft)
            }
            #expect(group.holds == 0)
        }

        @Test func `work of a session on hold is not claimed again until another server has written the session`()
            async throws
        {
            let group = ServerGroup(apps: [LedgerApp.self, ErrandApp.self])
            let id = try await group.open("errand", on: 1)
            try await group.send(#"{"wait":{"_0":60000}}"#, to: id, on: 1)
            func meetPeers(after seconds: Int64) async {
                group.clock.advance(by: seconds * 1_000)
                group.journals[0].beat()
                await group.registries[0].meetPeers()
            }
            await meetPeers(after: 56)
            #expect(group.holds == 1)
            let reads = group.journals[0].recordReads
            for _ in 0..<3 {
                await meetPeers(after: 61)
                #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == .some(nil))
            }
            #expect(group.journals[0].recordReads == reads)
            group.journals[1].beat()
            try await group.send(#"{"wait":{"_0":60000}}"#, to: id, on: 1)
            await meetPeers(after: 61)
            #expect(group.holds == 2)
        }

        @Test func `work of a session that was restored here since is claimed again`() async throws {
            let id = try await group.open("errand")
            try await group.send(#"{"wait":{"_0":60000}}"#, to: id, on: 0)
            group.clock.advance(by: 56_000)
            group.journals[1].beat()
            group.registries[1].settings.owned?.relinquish(id.key, at: group.clock.uptime)
            await group.registries[1].meetPeers()
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == .some(nil))
            _ = try await group.state(of: id, on: 1)
            await group.registries[1].meetPeers()
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == group.journals[1].lease)
        }

        @Test func `an effect whose result this server can no longer record is run by another server`()
            async throws
        {
            let group = ServerGroup(apps: [ErrandApp.self, ErrandApp.self])
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            try await group.run("milk", on: id, at: 1)
            // The tree is built again, and this build ends its process with what has come.
            try await group.registries[0].condemnReplay(of: id, at: 3)
            await group.registries[0].meetPeers()
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == .some(nil))
            await group.registries[1].meetPeers()
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == group.journals[1].lease)
            // They would ask for another test's courier if they began later.
            await group.until { courier.ids.count == 3 }
        }

        @Test func `the newest sessions whose work was left to others are remembered for a minute`() {
            let backoff = ClaimBackoff()
            for number in 1...UInt64(5_000) {
                backoff.begin(for: JournalKey(high: 0, low: number), at: Int64(number))
            }
            let sessions = backoff.sessions(at: 5_000)
            #expect(Set(sessions.map(\.low)) == Set(905...5_000))
            backoff.end(for: JournalKey(high: 0, low: 5_000))
            #expect(backoff.sessions(at: 64_998).map(\.low) == [4_999])
            #expect(backoff.sessions(at: 64_999).isEmpty)
        }
    }
}
