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

        @Test
        func `a server returns the work of a session that it cannot restore, and another server does the work`()
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
            #expect(group.holds == 0, "the other server can serve the session")
            #expect(group.registries[0].awakeCount == 0)
            await group.registries[1].meetPeers()
            #expect(group.store.owner(of: piece, in: id.key) == group.journals[1].lease)
            await group.until { group.clock.isAwaited(at: 60_000) }
            group.clock.advance(by: 4_000)
            await group.until { group.store.head(of: id.key)?.revision == 3 }
        }

        @Test func `work is left to another build only while a server of that build runs`() async throws {
            let group = ServerGroup(apps: [LedgerApp.self, ErrandApp.self])
            let id = try await group.open("errand", on: 1)
            try await group.send(#"{"wait":{"_0":60000}}"#, to: id, on: 1)
            let releases = group.registries[0].settings.releases
            group.clock.advance(by: 56_000)
            for journal in group.journals { journal.beat() }
            await group.registries[0].meetPeers()
            #expect(releases.leftToOthers == [id.key])
            #expect(group.holds == 0)
            group.clock.advance(by: 60_000)
            group.journals[0].beat()
            await group.registries[0].meetPeers()
            #expect(releases.leftToOthers.isEmpty)
            #expect(group.holds == 1)
        }

        @Test func `the work of a held session is not claimed again until another server has written the session`()
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

        @Test func `if a server can no longer record an effect's result, another server runs the effect`()
            async throws
        {
            let group = ServerGroup(apps: [ErrandApp.self, ErrandApp.self])
            courier.hold()
            let id = try await group.open("errand")
            try await group.run("tea", on: id, at: 0)
            await group.until { courier.waiting == ["tea"] }
            try await group.run("milk", on: id, at: 1)
            // The tree must be rebuilt, but this build's replay of the session crashes.
            try await group.registries[0].condemnReplay(of: id, at: 3)
            await group.registries[0].meetPeers()
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == .some(nil))
            await group.registries[1].meetPeers()
            #expect(group.store.owner(of: WorkPiece(revision: 2, place: 1), in: id.key) == group.journals[1].lease)
            // Wait until the effects have begun, because a later start would use another test's courier.
            await group.until { courier.ids.count == 3 }
        }
    }
}
